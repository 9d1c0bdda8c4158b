# wrong: the targets are rolled inside each window
# loses: q8-windows-test
# says: The last target of a window is its own first symbol
# %% q8-windows
def windows(ids, batch, length):
    streams = ids[:-1].reshape(batch, -1)
    parts = [streams[:, s : s + length] for s in range(0, streams.shape[1], length)]
    return [(part, np.roll(part, -1, axis=1)) for part in parts]
