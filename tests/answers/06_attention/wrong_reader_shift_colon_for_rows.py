# wrong: a colon in place of the row numbers, so each end token is written into all rows
# loses: q1-shift-test
# says: picks these columns of every row

# %% q1-shift
def shift_targets(targets, mask):
    batch, time = targets.shape
    previous = np.full((batch, time + 1), PAD_ID)
    previous[:, 0] = BOS_ID
    previous[:, 1:] = targets
    following = np.full((batch, time + 1), PAD_ID)
    following[:, :-1] = targets
    following[:, mask.sum(axis=1)] = EOS_ID
    return previous, following
