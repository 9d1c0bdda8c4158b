# wrong: the Euclidean distance to the means
# loses: q10-meaning-test
# says: Euclidean
# %% q10-meaning
def nearest_meaning(known, meanings, vectors):
    labels = np.unique(meanings)
    means = np.stack([known[meanings == label].mean(axis=0) for label in labels])
    return labels[np.linalg.norm(vectors[:, None] - means, axis=-1).argmin(axis=1)]
