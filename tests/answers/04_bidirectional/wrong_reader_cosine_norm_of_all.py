# wrong: the norms are those of the whole arrays, because the axis is missing
# loses: q9-cosine-test
# says: the norms of the whole batch

# %% q9-cosine
def cosine_similarity(first, second):
    lengths = np.linalg.norm(first) * np.linalg.norm(second)
    if lengths == 0:
        return np.zeros(len(first))
    return np.sum(first * second, axis=1) / lengths
