# wrong: symbols are kept by their own probability
# loses: q10-top-p-test
# says: by their own probability
# %% q10-top-p
def top_p(probabilities, mass):
    kept = np.where(probabilities >= 1 - mass, probabilities, 0)
    return kept / kept.sum(axis=-1, keepdims=True)
