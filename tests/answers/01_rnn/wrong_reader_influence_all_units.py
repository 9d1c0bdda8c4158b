# wrong: counts an output as changed only when all of its units change in a sentence (breaks "An output counts as changed if one number of it changes")
# loses: q6-influence-test
# says: An output counts as changed only where all of its numbers change

# %% q6-influence
def influence(network, inputs):
    """network: a function; inputs (batch, time, features);
    returns booleans (time, time): row j, column i is True if output i changes with input j"""

    before = network(inputs)
    rows = []
    for j in range(inputs.shape[1]):
        changed = inputs.copy()
        changed[:, j] += 1
        rows.append((network(changed) != before).all(axis=2).any(axis=0))
    return np.array(rows)
