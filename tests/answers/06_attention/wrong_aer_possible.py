# wrong: the denominator is |A| + |P| in place of |A| + |S|
# loses: q10-aer-test
# says: here it is |A| + |P|

# %% q10-aer
def alignment_error_rate(predicted, sure, possible):
    """predicted (A), sure (S), possible (P): booleans (target, source); returns one number"""
    hits = (predicted & sure).sum() + (predicted & possible).sum()
    return 1 - hits / (predicted.sum() + possible.sum())
