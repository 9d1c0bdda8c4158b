# wrong: the largest similarity plus 1e-9 is larger than it
# loses: q10-threshold-test
# says: try also a number above all similarities

# %% q10-threshold
def best_threshold(similarities, labels):
    similarities, labels = np.asarray(similarities, "float32"), np.asarray(labels) == 1
    candidates = np.append(similarities, similarities.max() + np.float32(1e-9))
    right = [np.sum((similarities >= each) == labels) for each in candidates]
    return candidates[np.argmax(right)]
