# wrong: the share of right characters, not of right results
# loses: q12-groups-test
# says: a prediction counts only as a whole
# %% q12-groups
def accuracy_by_group(predictions, targets, groups):
    result = {}
    for g in set(groups):
        values = []
        for p, t, group in zip(predictions, targets, groups):
            if group == g:
                values.append(np.mean([a == b for a, b in zip(p, t)]))
        result[g] = float(np.mean(values))
    return result
