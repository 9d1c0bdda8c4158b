# wrong: one entry for each stream, with all its windows
# loses: q8-windows-test
# says: The list has an entry for each stream
# %% q8-windows
def windows(ids, batch, length):
    inputs = ids[:-1].reshape(batch, -1, length)
    targets = ids[1:].reshape(batch, -1, length)
    return [(inputs[row], targets[row]) for row in range(batch)]
