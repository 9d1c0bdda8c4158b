# wrong: the text goes on in the next row of the batch, so the carried state belongs to another text
# loses: q1-windows-test
# says: goes on in the next row
# %% q1-windows
def windows(ids, batch, length):
    inputs = ids[:-1].reshape(-1, batch, length)
    targets = ids[1:].reshape(-1, batch, length)
    return list(zip(inputs, targets))
