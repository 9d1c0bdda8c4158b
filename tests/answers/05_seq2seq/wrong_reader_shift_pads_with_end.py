# wrong: the end token serves as padding: following has it in each free place, so the loss counts them all
# loses: q3-shift-test
# says: fills all free places

# %% q3-shift
def shift_targets(targets, mask):
    batch = len(targets)
    targets = np.asarray(targets)
    previous = np.concatenate([np.full((batch, 1), BOS_ID), targets], axis=1)
    following = np.concatenate([targets, np.full((batch, 1), PAD_ID)], axis=1)
    following[following == PAD_ID] = EOS_ID
    return previous, following
