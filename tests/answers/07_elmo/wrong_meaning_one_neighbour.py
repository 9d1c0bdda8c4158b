# wrong: the one nearest example decides, no mean
# loses: q10-meaning-test
# says: one nearest known vector
# %% q10-meaning
def nearest_meaning(known, meanings, vectors):
    unit = known / np.linalg.norm(known, axis=-1, keepdims=True)
    return meanings[np.argmax(vectors @ unit.T, axis=-1)]
