# wrong: reshape in the place of a transpose: the shapes are right, the numbers are in wrong places
# loses: q8-notation-test
# says: reshape leaves the numbers in their order

# %% q8-notation
def keras_weights(W, U, b):
    units, features = W["i"].shape
    order = ["i", "f", "g", "o"]
    kernel = np.concatenate([W[k].reshape(features, units) for k in order], axis=1)
    recurrent_kernel = np.concatenate([U[k].reshape(units, units) for k in order], axis=1)
    return kernel, recurrent_kernel, np.concatenate([b[k] for k in order])
