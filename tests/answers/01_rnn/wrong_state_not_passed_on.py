# wrong: each step gets the first state
# loses: q3-unroll-test q4-keras-test
# says: The new state is not passed on
# %% q3-unroll
def unroll(step, inputs, first):
    states = []
    for t in range(inputs.shape[1]):
        new = step(inputs[:, t], first)
        states.append(new)
    return np.stack(states, axis=1), new
