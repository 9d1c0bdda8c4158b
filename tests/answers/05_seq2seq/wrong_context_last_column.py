# wrong: the state in the last column is the context, after all the padding
# loses: q4-encoder-test
# says: padding has a part in it
# %% q4-encoder
def encoder_context(inputs, mask, W, U, b):
    h = np.zeros((inputs.shape[0], U.shape[0]))
    for j in range(inputs.shape[1]):
        h = rnn_step(inputs[:, j], h, W, U, b)
    return h
