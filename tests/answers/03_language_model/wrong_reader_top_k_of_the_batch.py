# wrong: the k-th largest number of the whole batch is the border for each row
# loses: q9-top-k-test
# says: of the whole batch is the border

# %% q9-top-k
def top_k(probabilities, k):
    border = np.sort(probabilities, axis=None)[-k]
    kept = np.where(probabilities >= border, probabilities, 0.0)
    return kept / kept.sum(axis=-1, keepdims=True)
