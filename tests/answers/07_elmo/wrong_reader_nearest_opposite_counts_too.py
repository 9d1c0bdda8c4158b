# wrong: a cosine of -1 means as alike as one of 1, so its size without the sign is taken (breaks 'with the largest cosine')
# loses: q9-nearest-test
# says: The cosine counts without its sign

# %% q9-nearest
def nearest(query, vectors, count):
    norms = np.linalg.norm(vectors, axis=1) * np.linalg.norm(query)
    cosines = np.abs(vectors @ query) / norms
    return np.argsort(cosines)[::-1][:count]
