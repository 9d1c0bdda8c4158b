# wrong: the end token goes to the first padding of targets; a full row has none, so argmax says column 0 and its first symbol is lost
# loses: q1-shift-test
# says: argmax gives 0

# %% q1-shift
def shift_targets(targets, mask):
    batch = len(targets)
    previous = np.hstack([np.full((batch, 1), BOS_ID), targets])
    following = np.hstack([targets, np.full((batch, 1), PAD_ID)])
    first_padding = np.argmax(targets == PAD_ID, axis=1)
    following[np.arange(batch), first_padding] = EOS_ID
    return previous, following
