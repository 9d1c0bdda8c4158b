# wrong: the names are in the order in which they appear, the mean vectors in the order of np.unique; this fits only if the meanings appear in rising order (breaks 'choose the meaning whose mean vector has the largest cosine')
# loses: q10-meaning-test
# says: names in the order in which they appear

# %% q10-meaning
def nearest_meaning(known, meanings, vectors):
    meanings = np.asarray(meanings)
    names = list(dict.fromkeys(meanings.tolist()))
    means = np.stack([known[meanings == name].mean(axis=0) for name in np.unique(meanings)])
    means /= np.linalg.norm(means, axis=-1, keepdims=True)
    best = np.argmax(vectors @ means.T, axis=-1)
    return np.array([names[k] for k in best])
