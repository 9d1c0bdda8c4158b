# wrong: the last state keeps an axis for the time: (batch, 1, units)
# loses: q3-unroll-test
# says: The last state keeps an axis for the time

# %% q3-unroll
def unroll(step, inputs, first):
    states = []
    h = first
    for t in range(inputs.shape[1]):
        h = step(inputs[:, t], h)
        states.append(h)
    states = np.stack(states, axis=1)
    return states, states[:, -1:]
