# wrong: the mask is True on the padding
# loses: q6-batch-test
# says: mask is inverted
# %% q6-batch
def padded_layers(vectors):
    longest = max(each.shape[1] for each in vectors)
    layers = np.stack(
        [np.pad(each, ((0, 0), (0, longest - each.shape[1]), (0, 0))) for each in vectors]
    )
    lengths = np.array([each.shape[1] for each in vectors])
    return layers, np.arange(longest) >= lengths[:, None]
