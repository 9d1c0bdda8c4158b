# wrong: single tags are counted, not entities
# loses: q14-f1-test
# says: This is the F1 of single tags
# %% q14-f1
def entity_f1(predicted, gold):
    p = np.array([tag for tags in predicted for tag in tags])
    g = np.array([tag for tags in gold for tag in tags])
    right = np.sum((p == g) & (g != "O"))
    return 2 * right / max(np.sum(p != "O") + np.sum(g != "O"), 1)
