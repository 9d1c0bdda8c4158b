# wrong: the first neighbour is left out, as if the query were among the vectors
# loses: q9-nearest-test
# says: left out
# %% q9-nearest
def nearest(query, vectors, count):
    cosines = vectors @ query / np.linalg.norm(vectors, axis=-1) / np.linalg.norm(query)
    return np.argsort(cosines)[::-1][1 : count + 1]
