# wrong: the share of right symbols, not of right strings
# loses: q12-length-test
# says: only where the whole string is right
# %% q12-length
def accuracy_by_length(predictions, targets, edges):
    accuracies = []
    for low, high in zip(edges[:-1], edges[1:]):
        shares = [
            np.mean([a == b for a, b in zip(p, t)])
            for p, t in zip(predictions, targets)
            if low <= len(t) < high
        ]
        accuracies.append(np.mean(shares))
    return accuracies
