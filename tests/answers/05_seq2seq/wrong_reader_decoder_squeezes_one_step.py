# wrong: `squeeze` removes only what is superfluous (breaks: "returns the states (batch, time, units)": one step, one sentence or one unit lose an axis)
# loses: q5-first-state-test
# says: should have the shape

# %% q5-first-state
def decode_from_context(inputs, context, W, U, b):
    states, s = [], context
    for i in range(np.shape(inputs)[1]):
        s = rnn_step(inputs[:, i], s, W, U, b)
        states.append(s[:, None, :])
    return np.squeeze(np.concatenate(states, axis=1))
