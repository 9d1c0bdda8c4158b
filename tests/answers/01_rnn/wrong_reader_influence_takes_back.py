# wrong: adds 1 and takes 1 away again, which rounding does not undo, so later rows see what is left in earlier inputs (breaks "True if output i changes with input j", where "change one input" means only that one)
# loses: q6-influence-test
# says: A number plus 1 minus 1 is not always the same number

# %% q6-influence
def influence(network, inputs):
    """network: a function; inputs (batch, time, features);
    returns booleans (time, time): row j, column i is True if output i changes with input j"""

    before = np.array(network(inputs))
    time = inputs.shape[1]
    table = np.zeros((time, time), dtype=bool)
    for j in range(time):
        inputs[:, j] += 1
        table[j] = (network(inputs) != before).any(axis=(0, 2))
        inputs[:, j] -= 1  # as it was
    return table
