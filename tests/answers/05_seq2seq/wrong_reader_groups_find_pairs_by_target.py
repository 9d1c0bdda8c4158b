# wrong: the group of a target can be looked up with `targets.index` (breaks: "`groups[k]` is a whole number that belongs to pair `k`": where two pairs have one target, both go to the first one's group)
# loses: q12-groups-test
# says: looked up by the target

# %% q12-groups
def accuracy_by_group(predictions, targets, groups):
    hits = {group: [] for group in groups}
    for prediction, target in zip(predictions, targets):
        hits[groups[targets.index(target)]].append(prediction == target)
    return {group: sum(each) / len(each) if each else 0.0 for group, each in hits.items()}
