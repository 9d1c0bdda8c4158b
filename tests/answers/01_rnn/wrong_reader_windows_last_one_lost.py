# wrong: the range of the starts ends too early, and the last window is missing
# loses: q8-windows-test
# says: The last window is missing

# %% q8-windows
def windows(ids, batch, length):
    inputs = ids[:-1].reshape(batch, -1)
    targets = ids[1:].reshape(batch, -1)
    result = []
    for start in range(0, inputs.shape[1] - length, length):
        result.append((inputs[:, start : start + length], targets[:, start : start + length]))
    return result
