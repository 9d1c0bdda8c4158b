# right: short NumPy, sums by einsum, generators and slices
# %% q1-step
elman_step = lambda x, h, W, U, b: np.tanh(np.c_[x, h] @ np.r_[W, U] + b)


# %% q2-joined
joined_weights = lambda W, U: np.r_[W, U].T


# %% q3-unroll
def unroll(step, inputs, first):
    states = np.empty((*inputs.shape[:2], first.shape[-1]), dtype=np.result_type(inputs, first))
    for t, x in enumerate(inputs.swapaxes(0, 1)):
        states[:, t] = step(x, states[:, t - 1] if t else first)
    return states, states[:, -1]


# %% q5-uses
def encoder(states, mask):
    return np.stack([row[real][-1] for row, real in zip(states, mask)])


def acceptor(states, mask, V, c):
    return c + encoder(states, mask) @ V


def transducer(states, V, c):
    return np.einsum("...u,ul", states, V) + c


# %% q6-influence
def influence(network, inputs):
    nudges = np.eye(inputs.shape[1], dtype=inputs.dtype)[:, None, :, None]
    before = network(inputs)
    return np.array([(network(inputs + nudge) != before).any((0, 2)) for nudge in nudges])


# %% q7-bptt
def bptt(inputs, labels, params, first):
    *_, states, d_o = forward(inputs, labels, params, first)
    d_a = d_o @ params["V"].T
    for t in range(d_a.shape[1])[::-1]:
        if t + 1 < d_a.shape[1]:
            d_a[:, t] += d_a[:, t + 1] @ params["U"].T
        d_a[:, t] *= 1 - states[:, t] ** 2
    before = np.concatenate([first[:, None], states[:, :-1]], 1)
    sums = lambda a, d: np.tensordot(a, d, ((0, 1), (0, 1)))
    return dict(
        V=sums(states, d_o), c=d_o.sum((0, 1)), W=sums(inputs, d_a), U=sums(before, d_a), b=d_a.sum((0, 1))
    )


# %% q8-windows
def windows(ids, batch, length):
    pairs = np.stack([ids[:-1], ids[1:]]).reshape(2, batch, -1, length)
    return [tuple(pairs[:, :, k]) for k in range(pairs.shape[2])]


# %% q9-truncated
def truncated_bptt(inputs, labels, params, length):
    count, state, total = inputs.shape[1] // length, 0 * inputs[:, 0, :1] + 0 * params["b"], {}
    for x, y in zip(np.split(inputs, count, 1), np.split(labels, count, 1)):
        part, state = autodiff(x, y, params, state)
        total = {k: total.get(k, 0) + part[k] / count for k in part}
    return total


# %% q10-jacobians
def gradients_through_time(states, U, last):
    rows = [last]
    for h in states[:0:-1]:
        rows.append(U @ (rows[-1] * (1 - h * h)))
    return np.array(rows[::-1])


# %% q12-clip
def clip_by_global_norm(gradients, limit):
    norm = np.linalg.norm(np.concatenate([g.ravel() for g in gradients]))
    return [g / max(1, norm / limit) for g in gradients]


# %% q13-chain
def longest_chain(time, layers, recurrent):
    return time + layers - 1 if recurrent else layers
