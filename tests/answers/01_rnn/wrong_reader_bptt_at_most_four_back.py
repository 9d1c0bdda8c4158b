# wrong: sends the error of each step at most four steps back, as a public tutorial does with bptt_truncate=4; right for up to five steps (breaks "go back from the last step to the first": dL/da_{t+1} U^T comes from all later steps)
# loses: q7-time-test
# says: The error of a step goes at most 4 steps back

# %% q7-bptt
def bptt(inputs, labels, params, first, bptt_truncate=4):
    """Back-propagation through time. The arguments are those of forward."""
    _, states, d_logits = forward(inputs, labels, params, first)
    U, V = params["U"], params["V"]
    grads = {name: np.zeros_like(value) for name, value in params.items()}
    for t in reversed(range(inputs.shape[1])):
        grads["V"] += states[:, t].T @ d_logits[:, t]
        grads["c"] += d_logits[:, t].sum(axis=0)
        delta = (d_logits[:, t] @ V.T) * (1 - states[:, t] ** 2)
        for k in reversed(range(max(0, t - bptt_truncate), t + 1)):
            before = states[:, k - 1] if k > 0 else first
            grads["W"] += inputs[:, k].T @ delta
            grads["U"] += before.T @ delta
            grads["b"] += delta.sum(axis=0)
            if k > 0:
                delta = (delta @ U.T) * (1 - before**2)
    return grads
