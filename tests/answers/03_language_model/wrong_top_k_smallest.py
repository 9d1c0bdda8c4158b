# wrong: argsort sorts upwards, so the least probable symbols are kept
# loses: q9-top-k-test
# says: least probable symbols are left
# %% q9-top-k
def top_k(probabilities, k):
    places = np.argsort(probabilities, axis=-1)[:, :k]
    kept = np.zeros_like(probabilities)
    np.put_along_axis(kept, places, np.take_along_axis(probabilities, places, axis=-1), axis=-1)
    return kept / kept.sum(axis=-1, keepdims=True)
