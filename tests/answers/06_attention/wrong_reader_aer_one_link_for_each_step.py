# wrong: each step has one link, its darkest cell, so |A| is the number of rows; it breaks "|X| is the number of links in X" where a row of predicted has no link or several
# loses: q10-aer-test
# says: A link counts once for each step

# %% q10-aer
def alignment_error_rate(predicted, sure, possible):
    predicted, sure, possible = np.asarray(predicted), np.asarray(sure), np.asarray(possible)
    right = (predicted & sure).sum() + (predicted & possible).sum()
    return float(1 - right / (len(predicted) + sure.sum()))
