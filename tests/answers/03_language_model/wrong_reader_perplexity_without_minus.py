# wrong: the minus is forgotten, so the perplexity is below 1
# loses: q3-perplexity-test
# says: The sign of the exponent is wrong

# %% q3-perplexity
def perplexity(log_probabilities, mask):
    return np.exp(np.sum(log_probabilities * mask) / np.sum(mask))
