# wrong: the blocks stand in the order of the dictionary, f, i, o, g
# loses: q8-notation-test
# says: in the order of the textbook, f, i, o, g
# %% q8-notation
def keras_weights(W, U, b):
    kernel = np.concatenate([W[k].T for k in W], axis=1)
    recurrent_kernel = np.concatenate([U[k].T for k in U], axis=1)
    return kernel, recurrent_kernel, np.concatenate(list(b.values()))
