# wrong: the targets are the inputs of each stream, rolled: the last target of a stream is its own first symbol
# loses: q1-windows-test
# says: The last target of a stream is its own first symbol

# %% q1-windows
def windows(ids, batch, length):
    streams = ids[:-1].reshape(batch, -1)
    targets = np.roll(streams, -1, axis=1)
    count = streams.shape[1] // length
    return [
        (streams[:, k * length : (k + 1) * length], targets[:, k * length : (k + 1) * length])
        for k in range(count)
    ]
