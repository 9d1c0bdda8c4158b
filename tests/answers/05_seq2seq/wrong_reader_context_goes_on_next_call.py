# wrong: a decoder keeps its state for the next batch of the same size, as with stateful=True (breaks: "s_0 = 0": true for the first call with a shape, the second begins where the first has ended)
# loses: q6-every-step-test
# says: nothing may be kept from one call to the next

# %% q6-every-step
last_states = {}


def decode_with_context(inputs, context, W, U, b):
    inputs, context = np.asarray(inputs), np.asarray(context)
    shape = (inputs.shape[0], np.shape(U)[0])
    s = last_states.get(shape, np.zeros(shape))
    states = []
    for i in range(inputs.shape[1]):
        s = rnn_step(np.concatenate([inputs[:, i], context], axis=-1), s, W, U, b)
        states.append(s)
    last_states[shape] = s
    return np.stack(states, axis=1)
