# wrong: takes the target for the input plus 1, as it is in the example (breaks "The target of each symbol is the symbol after it")
# loses: q8-windows-test
# says: The targets are the inputs plus 1, as in the example

# %% q8-windows
def windows(ids, batch, length):
    """ids: integers (n,), where n - 1 is a multiple of batch * length;
    returns a list with a pair for each window, in the order of reading"""
    streams = np.asarray(ids)[:-1].reshape(batch, -1)
    result = []
    for begin in range(0, streams.shape[1], length):
        inputs = streams[:, begin : begin + length]
        result.append((inputs, inputs + 1))
    return result
