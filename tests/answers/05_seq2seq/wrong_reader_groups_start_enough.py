# wrong: a prediction is taken for right when it begins as the target does; what is written behind does not count
# loses: q12-groups-test
# says: begins like its target

# %% q12-groups
def accuracy_by_group(predictions, targets, groups):
    right = np.array([p[: len(t)] == t for p, t in zip(predictions, targets)])
    groups = np.array(groups)
    return {group: right[groups == group].mean() for group in set(groups.tolist())}
