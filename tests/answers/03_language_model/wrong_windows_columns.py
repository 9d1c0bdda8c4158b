# wrong: reshape(-1, batch) puts neighbours of the text side by side in a batch
# loses: q1-windows-test
# says: neighbouring rows
# %% q1-windows
def windows(ids, batch, length):
    inputs = ids[:-1].reshape(-1, batch).T
    targets = ids[1:].reshape(-1, batch).T
    return [
        (inputs[:, i : i + length], targets[:, i : i + length])
        for i in range(0, inputs.shape[1], length)
    ]
