# wrong: the number of symbols is found once, from the first row
# loses: q10-top-p-test
# says: All rows keep as many symbols as the first

# %% q10-top-p
def top_p(probabilities, mass):
    probabilities = np.asarray(probabilities)
    order = np.argsort(-probabilities, axis=-1)
    ordered = np.take_along_axis(probabilities, order, axis=-1)
    before = np.cumsum(ordered, axis=-1) - ordered
    count = int((before[0] < mass).sum())
    ordered = ordered.copy()
    ordered[:, count:] = 0
    kept = np.zeros_like(probabilities)
    np.put_along_axis(kept, order, ordered, axis=-1)
    return kept / kept.sum(axis=-1, keepdims=True)
