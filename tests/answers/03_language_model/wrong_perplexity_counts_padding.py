# wrong: padding takes part in the mean
# loses: q3-perplexity-test
# says: still counted
# %% q3-perplexity
def perplexity(log_probabilities, mask):
    return np.exp(-(log_probabilities * mask).mean())
