# wrong: the decoder sees the symbol that it should predict
# loses: q3-shift-test
# says: must be moved one place to the right
# %% q3-shift
def shift_targets(targets, mask):
    following = np.hstack([targets, np.full((len(targets), 1), PAD_ID)])
    following[np.arange(len(targets)), mask.sum(axis=1)] = EOS_ID
    return following.copy(), following
