# wrong: the denominator is looked after where there are no ones, but not where there are no zeros
# loses: q7-mcc-test
# says: Some such cases are looked after, not all

# %% q7-mcc
def matthews(predictions, labels):
    p, y = np.asarray(predictions) == 1, np.asarray(labels) == 1
    if not p.any() or not y.any():
        return 0.0
    tp, tn = np.sum(p & y), np.sum(~p & ~y)
    fp, fn = np.sum(p & ~y), np.sum(~p & y)
    return (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
