# wrong: `np.char.equal` compares strings as == does; in fact it takes blanks off their ends first (breaks: "predictions that equal their target to the last character": "12 " counts as "12")
# loses: q12-groups-test
# says: Blanks and line ends at the ends are not compared

# %% q12-groups
def accuracy_by_group(predictions, targets, groups):
    groups = np.asarray(groups)
    exact = np.char.equal(list(predictions), list(targets))
    return {int(group): float(exact[groups == group].mean()) for group in np.unique(groups)}
