# wrong: the mean of the perplexities of the sentences
# loses: q3-perplexity-test
# says: sentences' perplexities
# %% q3-perplexity
def perplexity(log_probabilities, mask):
    totals = (log_probabilities * mask).sum(axis=1) / mask.sum(axis=1)
    return np.exp(-totals).mean()
