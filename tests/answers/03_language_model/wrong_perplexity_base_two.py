# wrong: 2 to the mean of natural logarithms
# loses: q3-perplexity-test
# says: bases differ
# %% q3-perplexity
def perplexity(log_probabilities, mask):
    return 2 ** -np.mean(log_probabilities[mask])
