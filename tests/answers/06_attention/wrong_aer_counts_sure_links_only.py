# wrong: the possible links are missing in the upper part
# loses: q10-aer-test
# says: the possible ones are missing
# %% q10-aer
def alignment_error_rate(predicted, sure, possible):
    return 1 - 2 * (predicted & sure).sum() / (predicted.sum() + sure.sum())
