# wrong: real symbols have ids above the four reserved ones, so the mask is not needed (breaks: "the end token of row b goes to column mask[b].sum()"; a target with an unknown symbol, id 1, gets its end too early)
# loses: q3-shift-test
# says: unknown symbol (UNK_ID) is not counted

# %% q3-shift
def shift_targets(targets, mask):
    targets = np.asarray(targets)
    batch, time = targets.shape
    previous = np.full((batch, time + 1), BOS_ID)
    previous[:, 1:] = targets
    following = np.full((batch, time + 1), PAD_ID)
    following[:, :-1] = targets
    for b in range(batch):
        following[b, (targets[b] > EOS_ID).sum()] = EOS_ID
    return previous, following
