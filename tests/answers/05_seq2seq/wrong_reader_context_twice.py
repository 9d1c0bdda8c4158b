# wrong: copied from the question before: the decoder reads the context at each step and begins with it too
# loses: q6-every-step-test
# says: The first state is the context

# %% q6-every-step
def decode_with_context(inputs, context, W, U, b):
    states = []
    s = context
    for i in range(inputs.shape[1]):
        s = rnn_step(np.hstack([inputs[:, i], context]), s, W, U, b)
        states.append(s)
    return np.stack(states, axis=1)
