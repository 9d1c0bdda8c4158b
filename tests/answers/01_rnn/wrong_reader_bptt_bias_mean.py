# wrong: the gradients of both biases are a mean over the batch, not a sum
# loses: q7-output-test q7-time-test
# says: The gradients of the biases are means over the batch

# %% q7-bptt
def bptt(inputs, labels, params, first):
    loss, states, d_logits = forward(inputs, labels, params, first)
    grads = {name: np.zeros_like(value) for name, value in params.items()}
    da_next = np.zeros_like(states[:, 0])
    for t in reversed(range(inputs.shape[1])):
        h_prev = states[:, t - 1] if t > 0 else first
        do = d_logits[:, t]
        dh = do @ params["V"].T + da_next @ params["U"].T
        da = dh * (1 - states[:, t] ** 2)
        grads["V"] += states[:, t].T @ do
        grads["c"] += np.mean(do, axis=0)
        grads["W"] += inputs[:, t].T @ da
        grads["U"] += h_prev.T @ da
        grads["b"] += np.mean(da, axis=0)
        da_next = da
    return grads
