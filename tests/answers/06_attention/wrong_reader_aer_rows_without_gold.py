# wrong: steps without a gold link (the hyphens) are left out of the count; it breaks AER = 1 - (|A and S| + |A and P|) / (|A| + |S|), where |A| is the number of all links in A
# loses: q10-aer-test
# says: in a step without a gold link

# %% q10-aer
def alignment_error_rate(predicted, sure, possible):
    predicted, sure, possible = np.asarray(predicted), np.asarray(sure), np.asarray(possible)
    judged = possible.any(axis=1)
    predicted, sure, possible = predicted[judged], sure[judged], possible[judged]
    right = (predicted & sure).sum() + (predicted & possible).sum()
    return float(1 - right / (predicted.sum() + sure.sum()))
