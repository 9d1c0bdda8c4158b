# wrong: a vector of zeros gives NaN
# loses: q9-cosine-test
# says: A vector of zeros gives NaN
# %% q9-cosine
def cosine_similarity(first, second):
    norms = np.sqrt((first**2).sum(axis=-1)) * np.sqrt((second**2).sum(axis=-1))
    return (first * second).sum(axis=-1) / norms
