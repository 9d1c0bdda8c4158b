# wrong: padding is where the vector is zero
# loses: q1-reverse-test
# says: The whole row is turned round

# %% q1-reverse
def reverse_real(inputs, mask):
    inputs = np.asarray(inputs)
    lengths = np.any(inputs != 0, axis=-1).sum(axis=1)
    places = lengths[:, None] - 1 - np.arange(inputs.shape[1])
    places = np.where(places >= 0, places, np.arange(inputs.shape[1]))
    return np.take_along_axis(inputs, places[:, :, None], axis=1)
