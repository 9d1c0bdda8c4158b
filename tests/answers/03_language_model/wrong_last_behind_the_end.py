# wrong: mask.sum() is the place behind the last word
# loses: q15-last-test
# says: IndexError
# %% q15-last
def last_word_probability(log_probabilities, mask):
    return np.exp(log_probabilities[np.arange(len(mask)), mask.sum(axis=1)]).mean()
