# wrong: the gradient of the whole sequence
# loses: q9-truncated-test
# says: The gradient goes back over the borders
# %% q9-truncated
def truncated_bptt(inputs, labels, params, length):
    first = np.zeros((len(inputs), len(params["b"])), dtype=inputs.dtype)
    return autodiff(inputs, labels, params, first)[0]
