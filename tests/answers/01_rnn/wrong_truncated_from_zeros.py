# wrong: each window begins with zeros
# loses: q9-truncated-test
# says: The state is not carried
# %% q9-truncated
def truncated_bptt(inputs, labels, params, length):
    zeros = np.zeros((len(inputs), len(params["b"])), dtype=inputs.dtype)
    parts = []
    for start in range(0, inputs.shape[1], length):
        window = slice(start, start + length)
        gradients, _ = autodiff(inputs[:, window], labels[:, window], params, zeros)
        parts.append(gradients)
    return {name: np.mean([part[name] for part in parts], axis=0) for name in params}
