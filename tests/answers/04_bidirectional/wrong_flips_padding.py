# wrong: the whole row is flipped, so that the padding comes first
# loses: q1-reverse-test
# says: padding comes first
# %% q1-reverse
def reverse_real(inputs, mask):
    return np.flip(inputs, axis=1)
