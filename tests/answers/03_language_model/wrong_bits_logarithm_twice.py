# wrong: the logarithm to the base 2 of the cross-entropy
# loses: q6-bits-test
# says: logarithm is taken twice
# %% q6-bits
def bits_per_character(log_probabilities, mask):
    return -np.mean(np.log2(-log_probabilities[mask]))
