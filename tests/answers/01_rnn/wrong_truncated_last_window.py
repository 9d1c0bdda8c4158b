# wrong: what comes back from the loop is the last window's gradient
# loses: q9-truncated-test
# says: Only the last window counts
# %% q9-truncated
def truncated_bptt(inputs, labels, params, length):
    state = np.zeros((len(inputs), len(params["b"])), dtype=inputs.dtype)
    for start in range(0, inputs.shape[1], length):
        window = slice(start, start + length)
        gradients, state = autodiff(inputs[:, window], labels[:, window], params, state)
    return gradients
