# wrong: the last rows of a rising order are the nearest ones, but the nearest stands last
# loses: q9-nearest-test
# says: the nearest stands last

# %% q9-nearest
def nearest(query, vectors, count):
    cosines = vectors @ query / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(query))
    return np.argsort(cosines)[-count:]
