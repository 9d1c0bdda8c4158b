# wrong: log 2 is 0.69
# loses: q6-bits-test
# says: The logarithm of 2 is rounded too much

# %% q6-bits
def bits_per_character(log_probabilities, mask):
    return -np.asarray(log_probabilities)[np.asarray(mask)].mean() / 0.69
