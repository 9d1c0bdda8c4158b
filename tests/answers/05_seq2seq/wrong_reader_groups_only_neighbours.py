# wrong: groupby without sorting: a group that comes up twice keeps the share of its last run only
# loses: q12-groups-test
# says: A group that comes up again replaces

# %% q12-groups
from itertools import groupby


def accuracy_by_group(predictions, targets, groups):
    pairs = zip(groups, predictions, targets)
    shares = {}
    for group, rows in groupby(pairs, key=lambda row: row[0]):
        shares[group] = float(np.mean([prediction == target for _, prediction, target in rows]))
    return shares
