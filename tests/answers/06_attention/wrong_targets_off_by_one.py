# wrong: what should be predicted is moved to the right, and what is seen is not
# loses: q1-shift-test
# says: the symbol that it should predict
# %% q1-shift
def shift_targets(targets, mask):
    batch = len(targets)
    column = np.full((batch, 1), PAD_ID)
    with_end = np.concatenate([targets, column], axis=1)
    with_end[np.arange(batch), mask.sum(axis=1)] = EOS_ID
    with_start = np.concatenate([column + BOS_ID, targets], axis=1)
    return with_end, with_start
