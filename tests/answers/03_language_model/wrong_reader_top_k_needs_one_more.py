# wrong: there is always a next one after the k most probable, which is the limit
# loses: q9-top-k-test
# says: out of bounds

# %% q9-top-k
def top_k(probabilities, k):
    probabilities = np.asarray(probabilities)
    next_one = np.sort(probabilities, axis=-1)[:, -k - 1]
    kept = np.where(probabilities > next_one[:, None], probabilities, 0)
    return kept / kept.sum(axis=-1, keepdims=True)
