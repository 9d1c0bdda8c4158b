# wrong: what the decoder sees begins with the end token, as where one token stands for both
# loses: q3-shift-test
# says: should begin with the start token
# %% q3-shift
def shift_targets(targets, mask):
    batch = targets.shape[0]
    following = np.concatenate([targets, np.zeros((batch, 1), targets.dtype)], axis=1)
    for b in range(batch):
        following[b, mask[b].sum()] = EOS_ID
    previous = np.concatenate([np.full((batch, 1), EOS_ID), targets], axis=1)
    return previous, following
