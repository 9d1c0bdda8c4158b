# wrong: the sum of the windows' gradients is divided by the steps of a window, not by the number of windows
# loses: q9-truncated-test
# says: divide it by the number of windows

# %% q9-truncated
def truncated_bptt(inputs, labels, params, length):
    state = np.zeros((inputs.shape[0], params["U"].shape[0]))
    total = {name: np.zeros_like(value) for name, value in params.items()}
    for start in range(0, inputs.shape[1], length):
        stop = start + length
        gradients, state = autodiff(inputs[:, start:stop], labels[:, start:stop], params, state)
        for name in total:
            total[name] += gradients[name]
    return {name: value / length for name, value in total.items()}
