# wrong: only the first vector can be zero
# loses: q9-cosine-test
# says: Zeros are looked after in one of the two vectors alone

# %% q9-cosine
def cosine_similarity(first, second):
    first, second = np.asarray(first), np.asarray(second)
    norms = np.linalg.norm(first, axis=-1)
    first = first / np.where(norms == 0, 1, norms)[:, None]
    return np.sum(first * second, axis=-1) / np.linalg.norm(second, axis=-1)
