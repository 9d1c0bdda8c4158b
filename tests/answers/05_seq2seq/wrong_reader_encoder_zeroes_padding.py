# wrong: new states are multiplied by the mask, then the last column is taken: a shorter source has the context 0
# loses: q4-encoder-test
# says: sets the state to 0

# %% q4-encoder
def encoder_context(inputs, mask, W, U, b):
    mask = np.asarray(mask, dtype=float)
    h = np.zeros((len(inputs), len(U)))
    for j in range(inputs.shape[1]):
        h = rnn_step(inputs[:, j], h, W, U, b) * mask[:, j, None]
    return h
