# wrong: takes the mean of the mean so far and the new gradient, which is right for two windows alone (breaks "Return, for each weight, the mean of the windows' gradients")
# loses: q9-truncated-test
# says: is taken again and again, so the last windows count for more

# %% q9-truncated
def truncated_bptt(inputs, labels, params, length):
    """inputs (batch, time, features), labels (batch, time), params as in forward,
    length: the steps of a window; returns a dictionary with the gradients"""
    state = np.zeros((inputs.shape[0], params["U"].shape[0]), dtype=inputs.dtype)
    mean = None
    for begin in range(0, inputs.shape[1], length):
        part = slice(begin, begin + length)
        gradients, state = autodiff(inputs[:, part], labels[:, part], params, state)
        if mean is None:
            mean = dict(gradients)
        else:
            mean = {name: (mean[name] + gradients[name]) / 2 for name in mean}
    return mean
