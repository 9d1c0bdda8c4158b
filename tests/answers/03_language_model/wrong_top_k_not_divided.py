# wrong: what is left does not sum to 1
# loses: q9-top-k-test
# says: do not sum to 1
# %% q9-top-k
def top_k(probabilities, k):
    least = np.sort(probabilities, axis=-1)[:, -k, None]
    return np.where(probabilities >= least, probabilities, 0)
