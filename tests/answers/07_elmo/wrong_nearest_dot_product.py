# wrong: the dot product in place of the cosine
# loses: q9-nearest-test
# says: prefers long vectors
# %% q9-nearest
def nearest(query, vectors, count):
    return np.argsort(-(vectors @ query))[:count]
