# wrong: the gradient of the logits is divided by N once more, though forward has done it
# loses: q7-output-test q7-time-test
# says: The mean is taken twice

# %% q7-bptt
def bptt(inputs, labels, params, first):
    loss, states, d_logits = forward(inputs, labels, params, first)
    batch, time, _ = inputs.shape
    d_logits = d_logits / (batch * time)
    grads = {name: np.zeros_like(value) for name, value in params.items()}
    da_next = np.zeros_like(states[:, 0])
    for t in reversed(range(time)):
        h_prev = states[:, t - 1] if t > 0 else first
        do = d_logits[:, t]
        dh = do @ params["V"].T + da_next @ params["U"].T
        da = dh * (1 - states[:, t] ** 2)
        grads["V"] += states[:, t].T @ do
        grads["c"] += do.sum(axis=0)
        grads["W"] += inputs[:, t].T @ da
        grads["U"] += h_prev.T @ da
        grads["b"] += da.sum(axis=0)
        da_next = da
    return grads
