# wrong: tile repeats the whole batch of contexts, where each row should be repeated: sentences get others' contexts
# loses: q6-every-step-test
# says: repeated in the wrong order

# %% q6-every-step
def decode_with_context(inputs, context, W, U, b):
    batch, time, _ = inputs.shape
    contexts = np.tile(context, (time, 1)).reshape(batch, time, -1)
    joined = np.concatenate([inputs, contexts], axis=2)
    states = np.zeros((batch, time, len(b)))
    s = np.zeros((batch, len(b)))
    for i in range(time):
        states[:, i] = s = rnn_step(joined[:, i], s, W, U, b)
    return states
