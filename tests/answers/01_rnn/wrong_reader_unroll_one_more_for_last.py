# wrong: counts the last state as the one after one more step, by calling the step again at the end (breaks "last (batch, units)" = the last of "the state after each step")
# loses: q3-unroll-test
# says: One more step is made for the last state

# %% q3-unroll
def unroll(step, inputs, first):
    """Run a step over time."""
    states = []
    h = first
    for t in range(inputs.shape[1]):
        h = step(inputs[:, t], h)
        states.append(h)
    last = step(inputs[:, -1], h)
    return np.stack(states, axis=1), last
