# wrong: U is square, so that nothing complains when it is not transposed
# loses: q8-notation-test
# says: U is not transposed
# %% q8-notation
def keras_weights(W, U, b):
    order = "ifgo"
    kernel = np.concatenate([W[k].T for k in order], axis=1)
    recurrent_kernel = np.concatenate([U[k] for k in order], axis=1)
    return kernel, recurrent_kernel, np.concatenate([b[k] for k in order])
