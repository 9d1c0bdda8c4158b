# wrong: np.ones and np.zeros are good enough for the extra column, so everything becomes float64; it breaks "returns: previous and following, both integers (batch, time + 1)"
# loses: q1-shift-test
# says: should hold integers

# %% q1-shift
def shift_targets(targets, mask):
    batch = np.shape(targets)[0]
    previous = np.concatenate([BOS_ID * np.ones((batch, 1)), np.asarray(targets)], axis=1)
    following = np.concatenate([np.asarray(targets), np.zeros((batch, 1))], axis=1)
    following[np.arange(batch), np.asarray(mask).sum(axis=1)] = EOS_ID
    return previous, following
