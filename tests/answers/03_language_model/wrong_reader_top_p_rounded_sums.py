# wrong: sums of decimals are not exact, so round them to two digits
# loses: q10-top-p-test
# says: The sums are rounded before they are compared

# %% q10-top-p
def top_p(probabilities, mass):
    probabilities = np.asarray(probabilities)
    order = np.argsort(-probabilities, axis=-1)
    ordered = np.take_along_axis(probabilities, order, axis=-1)
    before = np.round(np.cumsum(ordered, axis=-1) - ordered, 2)
    kept = np.zeros_like(probabilities)
    np.put_along_axis(kept, order, np.where(before < mass, ordered, 0), axis=-1)
    return kept / kept.sum(axis=-1, keepdims=True)
