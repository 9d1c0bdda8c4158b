# wrong: argpartition(..., count) takes any count; if count is the number of rows, it fails (breaks 'returns the indices of the `count` rows', for count = n)
# loses: q9-nearest-test
# says: out of bounds

# %% q9-nearest
def nearest(query, vectors, count):
    cosines = vectors @ query / (np.linalg.norm(vectors, axis=-1) * np.linalg.norm(query))
    best = np.argpartition(-cosines, count)[:count]
    return best[np.argsort(-cosines[best])]
