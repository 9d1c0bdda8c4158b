# wrong: the sorted values are read by the order again, where they should be written to it
# loses: q10-top-p-test
# says: way back from the sorted order
# %% q10-top-p
def top_p(probabilities, mass):
    order = np.argsort(-probabilities, axis=-1)
    ordered = np.take_along_axis(probabilities, order, axis=-1)
    before = np.cumsum(ordered, axis=-1) - ordered
    kept = np.take_along_axis(np.where(before < mass, ordered, 0), order, axis=-1)
    return kept / kept.sum(axis=-1, keepdims=True)
