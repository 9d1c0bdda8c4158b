# wrong: the context is the mean of the states
# loses: q4-encoder-test
# says: mean of the states
# %% q4-encoder
def encoder_context(inputs, mask, W, U, b):
    h = np.zeros((inputs.shape[0], U.shape[0]))
    total = np.zeros_like(h)
    for j in range(inputs.shape[1]):
        h = rnn_step(inputs[:, j], h, W, U, b)
        total += h * mask[:, j, None]
    return total / mask.sum(axis=1, keepdims=True)
