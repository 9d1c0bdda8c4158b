# wrong: the square root of the denominator is missing
# loses: q7-mcc-test
# says: The square root below the line is missing

# %% q7-mcc
def matthews(predictions, labels):
    p, y = np.asarray(predictions) == 1, np.asarray(labels) == 1
    tp, tn = float(np.sum(p & y)), float(np.sum(~p & ~y))
    fp, fn = float(np.sum(p & ~y)), float(np.sum(~p & y))
    below = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return (tp * tn - fp * fn) / below if below else 0.0
