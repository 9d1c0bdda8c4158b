# wrong: log_probabilities[:, places] takes one place from each row
# loses: q15-last-test
# says: The last places of all stories are taken

# %% q15-last
def last_word_probability(log_probabilities, mask):
    places = np.asarray(mask).sum(axis=1) - 1
    return np.exp(np.asarray(log_probabilities)[:, places]).mean()
