# wrong: argpartition puts the largest cosines in front, in order; they are in front, but only by luck in order (breaks 'the nearest first')
# loses: q9-nearest-test
# says: argpartition does not sort them

# %% q9-nearest
def nearest(query, vectors, count):
    cosines = vectors @ query / (np.linalg.norm(vectors, axis=-1) * np.linalg.norm(query))
    return np.argpartition(-cosines, count - 1)[:count]
