# wrong: the symbol with which the sum reaches the mass is left out
# loses: q10-top-p-test
# says: set is too small
# %% q10-top-p
def top_p(probabilities, mass):
    order = np.argsort(-probabilities, axis=-1)
    ordered = np.take_along_axis(probabilities, order, axis=-1)
    keep = np.cumsum(ordered, axis=-1) <= mass
    keep[:, 0] = True
    kept = np.zeros_like(probabilities)
    np.put_along_axis(kept, order, np.where(keep, ordered, 0), axis=-1)
    return kept / kept.sum(axis=-1, keepdims=True)
