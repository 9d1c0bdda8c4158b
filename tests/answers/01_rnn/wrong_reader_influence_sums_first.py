# wrong: compares the sums over batch and units, in which changes cancel or get lost (breaks "An output counts as changed if one number of it changes, however little, in any sentence of the batch")
# loses: q6-influence-test
# says: The numbers of an output are added up before they are compared

# %% q6-influence
def influence(network, inputs):
    """network: a function; inputs (batch, time, features);
    returns booleans (time, time): row j, column i is True if output i changes with input j"""

    before = network(inputs).sum(axis=(0, 2))
    rows = []
    for j in range(inputs.shape[1]):
        changed = inputs.copy()
        changed[:, j] += 1
        rows.append(network(changed).sum(axis=(0, 2)) != before)
    return np.array(rows)
