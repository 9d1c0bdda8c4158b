# wrong: np.isclose takes a small change for none, and an input far back changes little
# loses: q6-influence-test
# says: A small change counts too

# %% q6-influence
def influence(network, inputs):
    before = network(inputs)
    time = inputs.shape[1]
    table = np.zeros((time, time), dtype=bool)
    for j in range(time):
        changed = inputs.copy()
        changed[:, j] += 1
        table[j] = (~np.isclose(network(changed), before)).any(axis=(0, 2))
    return table
