# wrong: the targets are not moved by one symbol
# loses: q1-windows-test
# says: one symbol further
# %% q1-windows
def windows(ids, batch, length):
    streams = ids[:-1].reshape(batch, -1)
    return [
        (streams[:, i : i + length], streams[:, i : i + length])
        for i in range(0, streams.shape[1], length)
    ]
