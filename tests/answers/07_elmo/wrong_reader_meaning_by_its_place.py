# wrong: returns the place of the nearest mean in the list of meanings, not the meaning
# loses: q10-meaning-test
# says: places in the list of meanings

# %% q10-meaning
def nearest_meaning(known, meanings, vectors):
    means = np.stack([known[meanings == each].mean(axis=0) for each in np.unique(meanings)])
    means = means / np.linalg.norm(means, axis=1, keepdims=True)
    return np.argmax(vectors @ means.T, axis=1)
