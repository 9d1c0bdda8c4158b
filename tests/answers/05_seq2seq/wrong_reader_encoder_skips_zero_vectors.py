# wrong: a vector of zeros is padding as well, as in a Masking layer (breaks: "n is the number of *real* symbols", which the mask alone says; a real symbol whose vector is zero is left out)
# loses: q4-encoder-test
# says: is taken for padding; the mask alone

# %% q4-encoder
def encoder_context(inputs, mask, W, U, b):
    inputs = np.asarray(inputs)
    real = np.asarray(mask) & np.any(inputs != 0, axis=-1)
    h = np.zeros((inputs.shape[0], np.shape(U)[0]))
    for j in range(inputs.shape[1]):
        new = rnn_step(inputs[:, j], h, W, U, b)
        h = np.where(real[:, j, None], new, h)
    return h
