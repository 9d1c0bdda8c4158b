# wrong: the list of states, (time, batch, units), is brought into shape with reshape instead of an exchange of axes
# loses: q5-first-state-test
# says: brought into shape with reshape

# %% q5-first-state
def decode_from_context(inputs, context, W, U, b):
    batch, time, _ = inputs.shape
    states = []
    s = context
    for i in range(time):
        s = rnn_step(inputs[:, i], s, W, U, b)
        states.append(s)
    return np.array(states).reshape(batch, time, -1)
