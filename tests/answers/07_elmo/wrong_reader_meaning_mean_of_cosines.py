# wrong: the mean of the cosines with all examples of a meaning, not the cosine with their mean vector
# loses: q10-meaning-test
# says: mean of the cosines

# %% q10-meaning
def nearest_meaning(known, meanings, vectors):
    known = known / np.linalg.norm(known, axis=1, keepdims=True)
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = vectors @ known.T
    names = np.unique(meanings)
    scores = np.stack([cosines[:, meanings == name].mean(axis=1) for name in names], axis=1)
    return names[scores.argmax(axis=1)]
