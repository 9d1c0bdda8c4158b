# wrong: each number up to the largest has a mean vector, of zeros if it has no example; its cosine 0 wins where all the others are negative (breaks 'returns the meaning of each of them', of the known ones)
# loses: q10-meaning-test
# says: gets a mean of zeros

# %% q10-meaning
def nearest_meaning(known, meanings, vectors):
    meanings = np.asarray(meanings)
    kinds = meanings.max() + 1
    means = np.zeros((kinds, known.shape[1]))
    np.add.at(means, meanings, known)
    means /= np.maximum(np.bincount(meanings, minlength=kinds), 1)[:, None]
    means /= np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-12)
    return (vectors @ means.T).argmax(axis=1)
