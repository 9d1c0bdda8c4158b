# wrong: the end token stands in the last column of every row
# loses: q3-shift-test
# says: last column of every row
# %% q3-shift
def shift_targets(targets, mask):
    ones = np.ones((len(targets), 1), dtype=int)
    previous = np.hstack([ones * BOS_ID, targets])
    following = np.hstack([targets, ones * EOS_ID])
    return previous, following
