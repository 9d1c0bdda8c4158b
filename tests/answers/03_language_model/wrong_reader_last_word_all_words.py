# wrong: the mean probability of all real words, not of the last one
# loses: q15-last-test
# says: This is the mean over all words

# %% q15-last
def last_word_probability(log_probabilities, mask):
    return np.exp(log_probabilities)[mask].mean()
