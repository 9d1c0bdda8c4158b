# wrong: changed and inputs are one array, so before and after are both computed from the change
# loses: q6-influence-test
# says: both names mean one and the same array
# %% q6-influence
def influence(network, inputs):
    rows = []
    for j in range(inputs.shape[1]):
        changed = inputs
        changed[:, j] += 1
        rows.append((network(changed) != network(inputs)).any(axis=(0, 2)))
    return np.stack(rows)
