# wrong: only the similarities are tried; no threshold says "no" to all pairs
# loses: q10-threshold-test
# says: it is best to say "no" to all

# %% q10-threshold
def best_threshold(similarities, labels):
    right = [np.sum((similarities >= t) == (labels == 1)) for t in similarities]
    return similarities[int(np.argmax(right))]
