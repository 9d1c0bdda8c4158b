# wrong: the k-th symbol itself is left out by the sign >
# loses: q9-top-k-test
# says: One symbol too few
# %% q9-top-k
def top_k(probabilities, k):
    least = np.sort(probabilities, axis=-1)[:, -k, None]
    kept = np.where(probabilities > least, probabilities, 0)
    return kept / kept.sum(axis=-1, keepdims=True)
