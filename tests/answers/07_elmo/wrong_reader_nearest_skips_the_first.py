# wrong: leaves the nearest row out, as if it were the query itself
# loses: q9-nearest-test
# says: the query is not among

# %% q9-nearest
def nearest(query, vectors, count):
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(query)
    cosines = vectors @ query / lengths
    return np.argsort(-cosines)[1 : count + 1]
