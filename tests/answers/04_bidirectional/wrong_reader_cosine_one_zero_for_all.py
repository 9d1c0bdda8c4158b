# wrong: if there is a vector of zeros, the similarity is 0
# loses: q9-cosine-test
# says: makes the similarities of all pairs 0

# %% q9-cosine
def cosine_similarity(first, second):
    first, second = np.asarray(first), np.asarray(second)
    norms = np.linalg.norm(first, axis=-1) * np.linalg.norm(second, axis=-1)
    if np.any(norms == 0):
        return np.zeros(len(first))
    return np.sum(first * second, axis=-1) / norms
