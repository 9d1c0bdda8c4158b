# wrong: the states are stacked along the first axis
# loses: q5-first-state-test q6-every-step-test
# says: Time comes before the batch
# %% q5-first-state
def decode_from_context(inputs, context, W, U, b):
    state, states = context, []
    for i in range(inputs.shape[1]):
        state = rnn_step(inputs[:, i], state, W, U, b)
        states.append(state)
    return np.array(states)


# %% q6-every-step
def decode_with_context(inputs, context, W, U, b):
    state, states = np.zeros_like(context), []
    for i in range(inputs.shape[1]):
        state = rnn_step(np.concatenate([inputs[:, i], context], axis=1), state, W, U, b)
        states.append(state)
    return np.array(states)
