# wrong: the special tokens (also the unknown one, 1) are not real symbols, so the length is the count of ids above EOS_ID; it breaks "the end token of row b goes to column mask[b].sum() of following" for a target with UNK_ID in it
# loses: q1-shift-test
# says: An unknown symbol (UNK_ID) is not counted

# %% q1-shift
def shift_targets(targets, mask):
    targets = np.asarray(targets)
    batch, time = targets.shape
    start = np.full((batch, 1), BOS_ID)
    previous = np.hstack([start, targets])
    following = np.hstack([targets, np.full((batch, 1), PAD_ID)])
    lengths = (targets > EOS_ID).sum(axis=1)
    following[np.arange(batch), lengths] = EOS_ID
    return previous, following
