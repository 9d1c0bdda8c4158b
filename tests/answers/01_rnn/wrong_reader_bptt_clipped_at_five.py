# wrong: clips each number of the gradients to [-5, 5] at the end, as a well-known small program does (breaks "At each step add ... to the gradient of": the gradient is the sum, not a clipped one; large inputs or large V show it in W)
# loses: q7-time-test
# says: Numbers beyond 5 are cut off

# %% q7-bptt
def bptt(inputs, labels, params, first):
    """Back-propagation through time. The arguments are those of forward."""
    loss, states, d_logits = forward(inputs, labels, params, first)
    grads = {name: np.zeros_like(value) for name, value in params.items()}
    d_next = np.zeros_like(first)
    for t in reversed(range(inputs.shape[1])):
        h = states[:, t]
        before = states[:, t - 1] if t > 0 else first
        d_o = d_logits[:, t]
        grads["V"] += h.T @ d_o
        grads["c"] += d_o.sum(axis=0)
        d_a = (d_o @ params["V"].T + d_next) * (1 - h * h)
        grads["W"] += inputs[:, t].T @ d_a
        grads["U"] += before.T @ d_a
        grads["b"] += d_a.sum(axis=0)
        d_next = d_a @ params["U"].T
    for grad in grads.values():
        np.clip(grad, -5, 5, out=grad)  # against exploding gradients
    return grads
