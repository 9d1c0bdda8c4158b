# wrong: argmax finds the place where the sum reaches the mass
# loses: q10-top-p-test
# says: argmax gives 0 where no place is found

# %% q10-top-p
def top_p(probabilities, mass):
    probabilities = np.asarray(probabilities)
    order = np.argsort(-probabilities, axis=-1)
    ordered = np.take_along_axis(probabilities, order, axis=-1)
    last = np.argmax(np.cumsum(ordered, axis=-1) >= mass, axis=-1)
    ordered = np.where(np.arange(ordered.shape[-1]) <= last[:, None], ordered, 0)
    kept = np.zeros_like(probabilities)
    np.put_along_axis(kept, order, ordered, axis=-1)
    return kept / kept.sum(axis=-1, keepdims=True)
