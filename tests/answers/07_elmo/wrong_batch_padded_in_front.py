# wrong: the padding stands in front of the words, as pad_sequences does by default
# loses: q6-batch-test
# says: padding stands in front
# %% q6-batch
def padded_layers(vectors):
    longest = max(each.shape[1] for each in vectors)
    layers = np.stack(
        [np.pad(each, ((0, 0), (longest - each.shape[1], 0), (0, 0))) for each in vectors]
    )
    mask = np.stack([np.arange(longest) >= longest - each.shape[1] for each in vectors])
    return layers, mask
