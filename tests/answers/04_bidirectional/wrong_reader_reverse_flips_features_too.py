# wrong: np.flip of a sentence turns its positions
# loses: q1-reverse-test
# says: The features of each position are turned round too

# %% q1-reverse
def reverse_real(inputs, mask):
    turned = np.array(inputs)
    for row, length in enumerate(np.asarray(mask).sum(axis=1)):
        turned[row, :length] = np.flip(turned[row, :length])
    return turned
