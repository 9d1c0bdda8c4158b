# wrong: the count of a group is divided by the number of all pairs
# loses: q12-groups-test
# says: divide by the number in the group
# %% q12-groups
def accuracy_by_group(predictions, targets, groups):
    result = {g: 0 for g in groups}
    for p, t, g in zip(predictions, targets, groups):
        if p == t:
            result[g] += 1 / len(targets)
    return result
