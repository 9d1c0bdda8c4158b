# wrong: the norms are left out
# loses: q9-cosine-test
# says: The norms are left out
# %% q9-cosine
def cosine_similarity(first, second):
    return np.sum(first * second, axis=1)
