# wrong: the decisions are counted with > in place of "at least"
# loses: q10-threshold-test
# says: count with >=, not with >

# %% q10-threshold
def best_threshold(similarities, labels):
    candidates = [*similarities, min(similarities) - 1]
    right = [np.sum((similarities > t) == (labels == 1)) for t in candidates]
    return candidates[int(np.argmax(right))]
