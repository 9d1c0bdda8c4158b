# wrong: padding sets the state to zero
# loses: q4-encoder-test
# says: Padding sets the state to 0
# %% q4-encoder
def encoder_context(inputs, mask, W, U, b):
    h = np.zeros((inputs.shape[0], U.shape[0]))
    for j in range(inputs.shape[1]):
        h = rnn_step(inputs[:, j], h, W, U, b) * mask[:, j : j + 1]
    return h
