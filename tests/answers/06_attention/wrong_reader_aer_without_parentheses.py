# wrong: the parentheses above the line are missing, so only the possible links are divided, and they are added to 1
# loses: q10-aer-test
# says: Look at the brackets

# %% q10-aer
def alignment_error_rate(predicted, sure, possible):
    a_s, a_p = (predicted & sure).sum(), (predicted & possible).sum()
    return 1 - a_s + a_p / (predicted.sum() + sure.sum())
