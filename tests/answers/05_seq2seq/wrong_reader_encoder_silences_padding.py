# wrong: the inputs are 0 on padding, but the network goes on stepping, with U and b
# loses: q4-encoder-test
# says: taken as a vector of zeros

# %% q4-encoder
def encoder_context(inputs, mask, W, U, b):
    inputs = np.asarray(inputs) * np.asarray(mask)[:, :, None]
    h = np.zeros((inputs.shape[0], len(b)))
    for x in inputs.transpose(1, 0, 2):
        h = rnn_step(x, h, W, U, b)
    return h
