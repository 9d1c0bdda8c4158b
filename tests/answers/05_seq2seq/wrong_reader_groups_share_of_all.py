# wrong: the matches of a group are divided by the number of all pairs, not of those in the group
# loses: q12-groups-test
# says: divided by the number of all pairs

# %% q12-groups
def accuracy_by_group(predictions, targets, groups):
    shares = dict.fromkeys(groups, 0.0)
    for prediction, target, group in zip(predictions, targets, groups):
        shares[group] += (prediction == target) / len(predictions)
    return shares
