# wrong: the context is joined in front of the symbol's vector
# loses: q6-every-step-test
# says: it should come after it
# %% q6-every-step
def decode_with_context(inputs, context, W, U, b):
    state, states = np.zeros_like(context), []
    for i in range(inputs.shape[1]):
        state = rnn_step(np.concatenate([context, inputs[:, i]], axis=1), state, W, U, b)
        states.append(state)
    return np.stack(states, axis=1)
