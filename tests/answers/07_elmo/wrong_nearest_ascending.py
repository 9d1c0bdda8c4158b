# wrong: argsort sorts upwards, so these are the farthest
# loses: q9-nearest-test
# says: farthest
# %% q9-nearest
def nearest(query, vectors, count):
    cosines = vectors @ query / np.linalg.norm(vectors, axis=-1) / np.linalg.norm(query)
    return np.argsort(cosines)[:count]
