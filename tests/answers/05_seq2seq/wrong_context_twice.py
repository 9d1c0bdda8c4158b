# wrong: the context is the first state as well
# loses: q6-every-step-test
# says: here it should be zeros
# %% q6-every-step
def decode_with_context(inputs, context, W, U, b):
    state, states = context, []
    for i in range(inputs.shape[1]):
        state = rnn_step(np.concatenate([inputs[:, i], context], axis=1), state, W, U, b)
        states.append(state)
    return np.stack(states, axis=1)
