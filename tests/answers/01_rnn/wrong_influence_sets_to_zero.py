# wrong: the input is set to 0, which changes nothing where it is 0
# loses: q6-influence-test
# says: Where an input is 0, it was not changed
# %% q6-influence
def influence(network, inputs):
    before = network(inputs)
    rows = []
    for j in range(inputs.shape[1]):
        changed = inputs.copy()
        changed[:, j] = 0
        rows.append((network(changed) != before).any(axis=(0, 2)))
    return np.stack(rows)
