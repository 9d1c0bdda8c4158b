# wrong: the words stand before the layers
# loses: q6-batch-test
# says: axes are in another order
# %% q6-batch
def padded_layers(vectors):
    longest = max(each.shape[1] for each in vectors)
    layers = np.stack(
        [np.pad(each, ((0, 0), (0, longest - each.shape[1]), (0, 0))) for each in vectors]
    ).transpose(0, 2, 1, 3)
    lengths = np.array([each.shape[1] for each in vectors])
    return layers, np.arange(longest) < lengths[:, None]
