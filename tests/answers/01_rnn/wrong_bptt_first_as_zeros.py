# wrong: the state before the first step is taken to be zeros in the gradient of U
# loses: q7-time-test
# says: the state before the first step is taken to be zeros
# %% q7-bptt
def bptt(inputs, labels, params, first):
    _, states, d_logits = forward(inputs, labels, params, first)
    grads = {name: np.zeros_like(value) for name, value in params.items()}
    dh_next = np.zeros_like(first)
    for t in reversed(range(inputs.shape[1])):
        h_prev = states[:, t - 1] if t > 0 else np.zeros_like(first)
        dh = d_logits[:, t] @ params["V"].T + dh_next
        da = dh * (1 - states[:, t] ** 2)
        grads["V"] += states[:, t].T @ d_logits[:, t]
        grads["c"] += d_logits[:, t].sum(axis=0)
        grads["W"] += inputs[:, t].T @ da
        grads["U"] += h_prev.T @ da
        grads["b"] += da.sum(axis=0)
        dh_next = da @ params["U"].T
    return grads
