# wrong: the states are noted before the step: the context comes first, and the last state is missing
# loses: q5-first-state-test
# says: states before each step

# %% q5-first-state
def decode_from_context(inputs, context, W, U, b):
    states = np.zeros((inputs.shape[0], inputs.shape[1], context.shape[1]))
    s = context
    for i in range(inputs.shape[1]):
        states[:, i] = s
        s = rnn_step(inputs[:, i], s, W, U, b)
    return states
