# wrong: the copy is made once, before the loop
# loses: q6-influence-test
# says: begin each time with a fresh copy
# %% q6-influence
def influence(network, inputs):
    before = network(inputs)
    changed = inputs.copy()
    rows = []
    for j in range(inputs.shape[1]):
        changed[:, j] += 1
        rows.append((network(changed) != before).any(axis=(0, 2)))
    return np.stack(rows)
