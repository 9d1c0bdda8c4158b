# wrong: exp of the mean of the logarithms
# loses: q15-last-test
# says: exp of the mean
# %% q15-last
def last_word_probability(log_probabilities, mask):
    last = mask.sum(axis=1) - 1
    return np.exp(np.mean(log_probabilities[np.arange(len(mask)), last]))
