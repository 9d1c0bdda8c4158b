# wrong: the last column is padding for the shorter stories
# loses: q15-last-test
# says: last column is padding
# %% q15-last
def last_word_probability(log_probabilities, mask):
    return np.exp(log_probabilities[:, -1]).mean()
