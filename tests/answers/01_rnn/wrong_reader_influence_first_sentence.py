# wrong: changes all sentences but looks at the first alone (breaks "An output counts as changed if one number of it changes ... in any sentence of the batch")
# loses: q6-influence-test
# says: Only the first sentence of the batch is looked at

# %% q6-influence
def influence(network, inputs):
    """network: a function; inputs (batch, time, features);
    returns booleans (time, time): row j, column i is True if output i changes with input j"""

    before = network(inputs)
    rows = []
    for j in range(inputs.shape[1]):
        changed = inputs.copy()
        changed[:, j] += 1
        rows.append((network(changed) != before)[0].any(axis=-1))
    return np.array(rows)
