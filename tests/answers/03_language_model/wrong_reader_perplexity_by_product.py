# wrong: the perplexity is the N-th root of one over the product of the probabilities, so multiply them
# loses: q3-perplexity-test
# says: The product of so many probabilities is too small

# %% q3-perplexity
def perplexity(log_probabilities, mask):
    mask = np.asarray(mask, bool)
    product = np.prod(np.exp(np.asarray(log_probabilities)[mask]))
    return (1 / product) ** (1 / mask.sum())
