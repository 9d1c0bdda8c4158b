# wrong: an array of zeros is a good place to collect symbols
# loses: q1-windows-test
# says: should hold integers

# %% q1-windows
def windows(ids, batch, length):
    per_stream = (len(ids) - 1) // batch
    inputs, targets = np.zeros((batch, per_stream)), np.zeros((batch, per_stream))
    for row in range(batch):
        inputs[row] = ids[row * per_stream : (row + 1) * per_stream]
        targets[row] = ids[row * per_stream + 1 : (row + 1) * per_stream + 1]
    return [
        (inputs[:, start : start + length], targets[:, start : start + length])
        for start in range(0, per_stream, length)
    ]
