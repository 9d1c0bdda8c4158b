# wrong: the text is cut into windows first, and neighbouring windows become a batch
# loses: q8-windows-test
# says: The text goes on in the next row of the batch
# %% q8-windows
def windows(ids, batch, length):
    inputs = ids[:-1].reshape(-1, batch, length)
    targets = ids[1:].reshape(-1, batch, length)
    return list(zip(inputs, targets))
