# wrong: only groups with a hit need a share (breaks: "for each number in groups, a share from 0 to 1": a group without one exact match has no entry instead of 0)
# loses: q12-groups-test
# says: Missing: group

# %% q12-groups
def accuracy_by_group(predictions, targets, groups):
    total, right = {}, {}
    for prediction, target, group in zip(predictions, targets, groups):
        total[group] = total.get(group, 0) + 1
        if prediction == target:
            right[group] = right.get(group, 0) + 1
    return {group: right[group] / total[group] for group in right}
