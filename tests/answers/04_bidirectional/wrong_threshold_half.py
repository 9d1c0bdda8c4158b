# wrong: always 0.5
# loses: q10-threshold-test
# says: This is one half, whatever the similarities are
# %% q10-threshold
def best_threshold(similarities, labels):
    return 0.5
