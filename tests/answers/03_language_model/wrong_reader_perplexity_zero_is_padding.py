# wrong: padding is where the log probability is 0 after the product with the mask
# loses: q3-perplexity-test
# says: log probability 0 is not counted

# %% q3-perplexity
def perplexity(log_probabilities, mask):
    kept = np.asarray(log_probabilities) * np.asarray(mask)
    return np.exp(-kept.sum() / np.count_nonzero(kept))
