# wrong: takes for granted that an input acts on later outputs alone and does not look at the others (breaks "row j, column i is True if output i changes with input j": a network may read in both directions)
# loses: q6-influence-test
# says: Outputs before the changed input are not looked at

# %% q6-influence
def influence(network, inputs):
    """network: a function; inputs (batch, time, features);
    returns booleans (time, time): row j, column i is True if output i changes with input j"""

    before = network(inputs)
    time = inputs.shape[1]
    table = np.zeros((time, time), dtype=bool)
    for j in range(time):
        changed = inputs.copy()
        changed[:, j] += 1
        outputs = network(changed)
        for i in range(j, time):
            table[j, i] = (outputs[:, i] != before[:, i]).any()
    return table
