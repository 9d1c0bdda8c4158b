# wrong: the context is read at the first step only; later steps get zeros in its place
# loses: q6-every-step-test
# says: read at the first step alone

# %% q6-every-step
def decode_with_context(inputs, context, W, U, b):
    states = []
    s = np.zeros_like(context)
    beside = context
    for y in np.moveaxis(inputs, 1, 0):
        s = rnn_step(np.concatenate([y, beside], axis=-1), s, W, U, b)
        states.append(s)
        beside = np.zeros_like(context)
    return np.stack(states, axis=1)
