# wrong: position t takes n - t in place of n - 1 - t
# loses: q1-reverse-test
# says: Off by one
# %% q1-reverse
def reverse_real(inputs, mask):
    lengths = mask.sum(axis=1, keepdims=True)
    places = np.clip(lengths - np.arange(mask.shape[1]), 0, mask.shape[1] - 1)
    return np.take_along_axis(inputs, places[:, :, None], axis=1)
