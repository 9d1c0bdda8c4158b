# wrong: adds 1 to the first feature of the step alone, so a network that reads another feature seems not to look (breaks "change one input" and "To change the input of a step, add a number such as 1 to it": the input of a step is all its features)
# loses: q6-influence-test
# says: Only the first number of an input is changed

# %% q6-influence
def influence(network, inputs):
    """network: a function; inputs (batch, time, features);
    returns booleans (time, time): row j, column i is True if output i changes with input j"""

    before = network(inputs)
    rows = []
    for j in range(inputs.shape[1]):
        changed = inputs.copy()
        changed[:, j, 0] += 1
        rows.append((network(changed) != before).any(axis=(0, 2)))
    return np.array(rows)
