# wrong: puts the matrices into the order i, f, g, o, but the biases, which need no turning, as the dictionary has them (breaks "four blocks ... in the order i, f, g, o", which holds for the bias too)
# loses: q8-notation-test
# says: the blocks of the bias stand in the order of the textbook

# %% q8-notation
def keras_weights(W, U, b):
    """Weights of a textbook's LSTM, as keras.layers.LSTM keeps them."""
    kernel = np.concatenate([W[k].T for k in "ifgo"], axis=1)
    recurrent_kernel = np.concatenate([U[k].T for k in "ifgo"], axis=1)
    bias = np.concatenate(list(b.values()))
    return kernel, recurrent_kernel, bias
