# right: closures, itertools.accumulate, np.argmin and keras.ops; one step of a loop is a function

# %% q1-step
def elman_step(x, h, W, U, b):
    return ops.tanh(ops.add(ops.matmul(x, W), ops.add(ops.matmul(h, U), b)))

# %% q2-joined
joined_weights = lambda W, U: np.hstack([np.swapaxes(W, 0, 1), np.swapaxes(U, 0, 1)])

# %% q3-unroll
from itertools import accumulate


def unroll(step, inputs, first):
    time_major = np.moveaxis(np.asarray(inputs), 1, 0)
    _, *states = accumulate(time_major, lambda h, x: step(x, h), initial=first)
    states = [ops.convert_to_numpy(h) for h in states]
    return np.stack(states, axis=1), states[-1]

# %% q4-keras
def simple_rnn(inputs, weights):
    """Multiply all inputs first, then run over time."""
    kernel, recurrent_kernel, bias = weights
    from_inputs = np.einsum("btf,fu->btu", inputs, kernel) + bias
    add_state = lambda a, h: np.tanh(a + h @ recurrent_kernel)
    return unroll(add_state, from_inputs, np.zeros_like(from_inputs[:, 0]))[0]

# %% q5-uses
def output_layer(V, c):
    return lambda h: ops.convert_to_numpy(ops.matmul(h, V)) + c


def encoder(states, mask):
    # argmin finds the first padding; a row without padding gives 0 - 1, the last place
    return np.asarray(states)[range(len(mask)), np.argmin(mask, axis=1) - 1]


def acceptor(states, mask, V, c):
    return output_layer(V, c)(encoder(states, mask))


def transducer(states, V, c):
    return output_layer(V, c)(states)

# %% q6-influence
def influence(network, inputs):
    def outputs_with(changes):
        return network((inputs + changes).astype(inputs.dtype))

    time = inputs.shape[1]
    all_changes = 7.5 * np.eye(time)[:, None, :, None]
    after = np.stack([outputs_with(changes) for changes in all_changes])
    return np.any(after != network(inputs), axis=(1, 3))

# %% q7-bptt
def bptt(inputs, labels, params, first):
    _, states, d_logits = forward(inputs, labels, params, first)
    before = np.insert(states, 0, first, axis=1)[:, :-1]
    all_d_a = np.zeros_like(states)
    d_a = np.zeros_like(states[:, 0])
    for t in range(states.shape[1])[::-1]:
        d_h = d_logits[:, t] @ params["V"].T + d_a @ params["U"].T
        all_d_a[:, t] = d_a = d_h * (1 + states[:, t]) * (1 - states[:, t])

    def gradient(left, right):
        return np.einsum("bti,btj->ij", left, right)

    return dict(
        V=gradient(states, d_logits),
        c=d_logits.sum((0, 1)),
        W=gradient(inputs, all_d_a),
        U=gradient(before, all_d_a),
        b=all_d_a.sum((0, 1)),
    )

# %% q8-windows
def windows(ids, batch, length):
    pair = np.stack([ids[:-1], ids[1:]]).reshape(2, batch, -1)
    count = pair.shape[2] // length
    return [tuple(part) for part in np.split(pair, count, axis=2)]

# %% q9-truncated
def truncated_bptt(inputs, labels, params, length):
    sums = {name: 0.0 for name in params}
    state = np.zeros((len(inputs), len(params["U"])), "float32")
    pieces = inputs.shape[1] // length
    for x, y in zip(np.split(inputs, pieces, axis=1), np.split(labels, pieces, axis=1)):
        here, state = autodiff(x, y, params, state)
        sums = {name: sums[name] + here[name] / pieces for name in sums}
    return sums

# %% q10-jacobians
def gradients_through_time(states, U, last):
    def back(g, h):
        jacobian = np.diag(1 - h * h) @ U.T
        return g @ jacobian

    return np.array(list(accumulate(states[:0:-1], back, initial=last)))[::-1]

# %% q12-clip
def clip_by_global_norm(gradients, limit):
    n = np.linalg.norm([np.linalg.norm(g) for g in gradients])
    scale = limit / max(n, limit)
    return [g * scale for g in gradients]

# %% q13-chain
def longest_chain(time, layers, recurrent):
    """From the first box to the last one: down all layers, and right over all steps."""
    return layers + recurrent * (time - 1)
