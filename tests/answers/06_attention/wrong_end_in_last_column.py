# wrong: the end token stands behind the padding
# loses: q1-shift-test
# says: right after the last real symbol
# %% q1-shift
def shift_targets(targets, mask):
    column = np.full((len(targets), 1), PAD_ID)
    return np.hstack([column + BOS_ID, targets]), np.hstack([targets, column + EOS_ID])
