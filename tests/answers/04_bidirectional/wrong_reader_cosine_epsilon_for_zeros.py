# wrong: a small number in the denominator is the way against 0 / 0
# loses: q9-cosine-test
# says: changes the similarity of short vectors

# %% q9-cosine
def cosine_similarity(first, second):
    first, second = np.asarray(first), np.asarray(second)
    norms = np.linalg.norm(first, axis=-1) * np.linalg.norm(second, axis=-1)
    return np.sum(first * second, axis=-1) / (norms + 1e-6)
