# wrong: the source is read from right to left, as in the first papers on translation with LSTMs
# loses: q4-encoder-test
# says: read it from left to right

# %% q4-encoder
def encoder_context(inputs, mask, W, U, b):
    h = np.zeros((len(inputs), len(b)))
    for j in reversed(range(inputs.shape[1])):
        h = np.where(mask[:, j, None], rnn_step(inputs[:, j], h, W, U, b), h)
    return h
