# wrong: the first False of the mask, by argmin, is where the end token goes (breaks: "once with the end token behind": a row without padding has no False, argmin gives 0, and its end token lands on the first symbol)
# loses: q3-shift-test
# says: argmax gives 0

# %% q3-shift
def shift_targets(targets, mask):
    targets, mask = np.asarray(targets), np.asarray(mask)
    batch = len(targets)
    previous = np.concatenate([np.full((batch, 1), BOS_ID), targets], axis=1)
    following = np.concatenate([targets, np.full((batch, 1), PAD_ID)], axis=1)
    following[np.arange(batch), mask.argmin(axis=1)] = EOS_ID
    return previous, following
