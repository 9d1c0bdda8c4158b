# wrong: places in the list of meanings come back
# loses: q10-meaning-test
# says: return the meanings themselves
# %% q10-meaning
def nearest_meaning(known, meanings, vectors):
    labels = np.unique(meanings)
    means = np.stack([known[meanings == label].mean(axis=0) for label in labels])
    means /= np.linalg.norm(means, axis=-1, keepdims=True)
    return np.argmax(vectors @ means.T, axis=-1)
