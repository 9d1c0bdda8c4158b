# wrong: the gradients of the windows are added up
# loses: q9-truncated-test
# says: take their mean
# %% q9-truncated
def truncated_bptt(inputs, labels, params, length):
    state = np.zeros((len(inputs), len(params["b"])), dtype=inputs.dtype)
    total = {name: 0 for name in params}
    for start in range(0, inputs.shape[1], length):
        window = slice(start, start + length)
        gradients, state = autodiff(inputs[:, window], labels[:, window], params, state)
        for name in params:
            total[name] = total[name] + gradients[name]
    return total
