# wrong: results are compared as numbers, so 07 counts as 7, and a text that is no number ends the function
# loses: q12-groups-test
# says: compared as numbers

# %% q12-groups
def accuracy_by_group(predictions, targets, groups):
    shares = {}
    for group in set(groups):
        rows = [k for k in range(len(groups)) if groups[k] == group]
        right = [int(predictions[k]) == int(targets[k]) for k in rows]
        shares[group] = sum(right) / len(right)
    return shares
