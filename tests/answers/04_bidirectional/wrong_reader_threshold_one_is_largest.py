# wrong: no cosine is larger than 1, so 1 is the number larger than all
# loses: q10-threshold-test
# says: try also a number above all similarities

# %% q10-threshold
def best_threshold(similarities, labels):
    similarities, labels = np.asarray(similarities), np.asarray(labels) == 1
    candidates = [*similarities, 1.0]
    return max(candidates, key=lambda each: np.sum((similarities >= each) == labels))
