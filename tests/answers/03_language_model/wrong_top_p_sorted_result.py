# wrong: the result stands in the sorted order
# loses: q10-top-p-test
# says: each must stay in its place
# %% q10-top-p
def top_p(probabilities, mass):
    ordered = -np.sort(-probabilities, axis=-1)
    before = np.cumsum(ordered, axis=-1) - ordered
    kept = np.where(before < mass, ordered, 0)
    return kept / kept.sum(axis=-1, keepdims=True)
