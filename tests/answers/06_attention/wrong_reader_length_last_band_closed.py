# wrong: np.histogram also counts the targets that are exactly as long as the last edge
# loses: q12-length-test
# says: The last band is closed

# %% q12-length
def accuracy_by_length(predictions, targets, edges):
    lengths = np.array([len(target) for target in targets])
    right = np.array([p == t for p, t in zip(predictions, targets)])
    all_counts, _ = np.histogram(lengths, bins=edges)
    right_counts, _ = np.histogram(lengths[right], bins=edges)
    return list(right_counts / all_counts)
