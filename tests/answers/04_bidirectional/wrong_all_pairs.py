# wrong: the cosines of each sentence with each other one
# loses: q9-cosine-test
# says: These are the cosines of all pairs of rows
# %% q9-cosine
def cosine_similarity(first, second):
    first = first / np.maximum(np.linalg.norm(first, axis=1, keepdims=True), 1e-9)
    second = second / np.maximum(np.linalg.norm(second, axis=1, keepdims=True), 1e-9)
    return first @ second.T
