# wrong: only what comes back from later steps is used, so nothing ever enters: zeros
# loses: q7-time-test
# says: The gradient from the own output is never added
# %% q7-bptt
def bptt(inputs, labels, params, first):
    _, states, d_logits = forward(inputs, labels, params, first)
    grads = {name: np.zeros_like(value) for name, value in params.items()}
    dh_next = np.zeros_like(first)
    for t in reversed(range(inputs.shape[1])):
        h_prev = states[:, t - 1] if t > 0 else first
        dh = dh_next
        da = dh * (1 - states[:, t] ** 2)
        grads["V"] += states[:, t].T @ d_logits[:, t]
        grads["c"] += d_logits[:, t].sum(axis=0)
        grads["W"] += inputs[:, t].T @ da
        grads["U"] += h_prev.T @ da
        grads["b"] += da.sum(axis=0)
        dh_next = da @ params["U"].T
    return grads
