# wrong: believes that an input of zeros is padding and keeps the state there without calling the step (breaks "It does not know what the step computes" and "states ..., the state after each step")
# loses: q3-unroll-test
# says: Where the input is zeros, no step is made

# %% q3-unroll
def unroll(step, inputs, first):
    """Run a step over time."""
    states = []
    h = first
    for t in range(inputs.shape[1]):
        x = inputs[:, t]
        if np.any(x):  # nothing to read in padding
            h = step(x, h)
        states.append(np.asarray(h))
    return np.stack(states, axis=1), h
