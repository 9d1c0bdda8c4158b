# wrong: the targets are the rolled inputs of the window, so the last one is the window's first symbol
# loses: q1-windows-test
# says: its own first symbol
# %% q1-windows
def windows(ids, batch, length):
    streams = ids[:-1].reshape(batch, -1)
    result = []
    for i in range(0, streams.shape[1], length):
        inputs = streams[:, i : i + length]
        result.append((inputs, np.roll(inputs, -1, axis=1)))
    return result
