# wrong: the symbols are dealt out to the streams in turn, like cards; a row does not hold neighbours
# loses: q8-windows-test
# says: Neighbours in the text stand in neighbouring rows

# %% q8-windows
def windows(ids, batch, length):
    inputs = ids[:-1].reshape(-1, batch).T
    targets = ids[1:].reshape(-1, batch).T
    starts = range(0, inputs.shape[1], length)
    return [(inputs[:, s : s + length], targets[:, s : s + length]) for s in starts]
