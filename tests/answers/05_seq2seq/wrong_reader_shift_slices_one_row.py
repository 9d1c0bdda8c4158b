# wrong: BOS + target + EOS is sliced with [:-1] and [1:]; in shorter rows the EOS stays in previous
# loses: q3-shift-test
# says: stands in shorter rows

# %% q3-shift
def shift_targets(targets, mask):
    batch, time = targets.shape
    whole = np.full((batch, time + 2), PAD_ID)
    whole[:, 0] = BOS_ID
    whole[:, 1:-1] = np.where(mask, targets, PAD_ID)
    whole[np.arange(batch), mask.sum(axis=1) + 1] = EOS_ID
    return whole[:, :-1], whole[:, 1:]
