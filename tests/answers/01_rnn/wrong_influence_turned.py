# wrong: the inputs stand in the columns
# loses: q6-influence-test
# says: The matrix is turned
# %% q6-influence
def influence(network, inputs):
    time = inputs.shape[1]
    result = np.zeros((time, time), dtype=bool)
    before = network(inputs)
    for j in range(time):
        changed = inputs.copy()
        changed[:, j] += 1
        result[:, j] = np.any(network(changed) != before, axis=(0, 2))
    return result
