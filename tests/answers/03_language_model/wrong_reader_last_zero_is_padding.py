# wrong: after the product with the mask, a log probability of 0 is padding
# loses: q15-last-test
# says: log probability 0 is taken for padding

# %% q15-last
def last_word_probability(log_probabilities, mask):
    kept = np.asarray(log_probabilities) * np.asarray(mask)
    places = [np.flatnonzero(row)[-1] if row.any() else 0 for row in kept]
    return np.exp(kept[np.arange(len(kept)), places]).mean()
