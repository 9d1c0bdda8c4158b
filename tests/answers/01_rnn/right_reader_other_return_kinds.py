# right: every answer in an allowed but unusual form: a list instead of a tuple, lists of Python booleans, float64, other order of keys and of operations, views

# %% q1-step
def elman_step(x, h, W, U, b):
    """Everything as one product, in 64 bits."""
    joined = np.concatenate([x, h, np.ones((len(x), 1))], axis=1)
    return np.tanh(joined.astype("float64") @ np.vstack([W, U, np.reshape(b, (1, -1))]))

# %% q2-joined
def joined_weights(W, U):
    return np.block([[np.asarray(W).T, np.asarray(U).T]])

# %% q3-unroll
def unroll(step, inputs, first):
    h, states = first, []
    for x in np.moveaxis(np.asarray(inputs), 1, 0):
        h = step(x, h)
        states.append(np.asarray(h))
    return [np.moveaxis(np.array(states), 0, 1), h]

# %% q4-keras
def simple_rnn(inputs, weights):
    W, U, b = (np.asarray(each, dtype="float64") for each in weights)
    from_inputs = np.einsum("btf,fu->btu", np.asarray(inputs, dtype="float64"), W) + b
    states = np.empty_like(from_inputs)
    h = np.zeros((1, len(b)))  # one row will do for all sentences
    for t in range(from_inputs.shape[1]):
        h = states[:, t] = np.tanh(from_inputs[:, t] + h @ U)
    return states

# %% q5-uses
def encoder(states, mask):
    # The first False of a row, and the one before it. A full row has none: place -1, its last.
    places = np.argmin(np.asarray(mask), axis=1) - 1
    return np.stack([row[place] for row, place in zip(np.asarray(states), places)])


def acceptor(states, mask, V, c):
    # All logits first; then the one of the last word.
    logits = np.asarray(transducer(states, V, c))
    places = np.sum(np.asarray(mask), axis=1) - 1
    return np.take_along_axis(logits, places[:, None, None], axis=1)[:, 0]


def transducer(states, V, c):
    return np.einsum("btu,ul->btl", np.asarray(states, dtype="float64"), V) + c

# %% q6-influence
def influence(network, inputs):
    table = []
    before = np.array(network(inputs.copy()))
    for j in range(inputs.shape[1]):
        changed = np.array(inputs)
        changed[:, j] += 2
        outputs = network(changed)
        table.append([bool((outputs[:, i] != before[:, i]).any()) for i in range(inputs.shape[1])])
    return table

# %% q7-bptt
def bptt(inputs, labels, params, first):
    _, states, d_logits = forward(inputs, labels, params, first)
    states, d_logits, x, first = (
        np.asarray(each, dtype="float64") for each in (states, d_logits, inputs, first)
    )
    U, V = (np.asarray(params[name], dtype="float64") for name in "UV")
    olds = np.concatenate([first[:, None], states[:, :-1]], axis=1)
    d_a = np.zeros_like(states)
    later = 0.0
    for t in range(states.shape[1] - 1, -1, -1):
        d_a[:, t] = (d_logits[:, t] @ V.T + later) * (1 - states[:, t] ** 2)
        later = d_a[:, t] @ U.T
    return {
        "c": d_logits.sum(axis=(0, 1)),
        "b": d_a.sum(axis=(0, 1)),
        "V": np.einsum("btu,btl->ul", states, d_logits),
        "U": np.einsum("btu,btv->uv", olds, d_a),
        "W": np.einsum("btf,btu->fu", x, d_a),
    }

# %% q8-windows
def windows(ids, batch, length):
    ids = np.asarray(ids)
    count = (len(ids) - 1) // (batch * length)
    begins = np.arange(batch)[:, None] * count * length
    places = [begins + number * length + np.arange(length) for number in range(count)]
    return [[ids[place], ids[place + 1]] for place in places]

# %% q9-truncated
def truncated_bptt(inputs, labels, params, length):
    count = inputs.shape[1] // length
    state = np.zeros((len(inputs), len(params["b"])), dtype=inputs.dtype)
    means = {name: np.zeros(np.shape(value), dtype="float64") for name, value in params.items()}
    for x, y in zip(np.split(inputs, count, axis=1), np.split(labels, count, axis=1)):
        gradients, state = autodiff(x, y, params, state)
        for name in means:
            means[name] += np.asarray(gradients[name]) / count
    return means

# %% q10-jacobians
def gradients_through_time(states, U, last):
    g, rows = np.asarray(last, dtype="float64"), []
    for h in np.asarray(states, dtype="float64")[::-1]:
        rows.insert(0, g)
        g = g @ np.diag(1 - h**2) @ np.asarray(U).T  # one too many at the end, not used
    return rows

# %% q12-clip
def clip_by_global_norm(gradients, limit):
    flat = np.concatenate([np.ravel(np.asarray(g, dtype="float64")) for g in gradients])
    norm = np.linalg.norm(flat)
    if not norm > limit:
        return gradients
    return [np.multiply(g, limit / norm) for g in gradients]

# %% q13-chain
def longest_chain(time, layers, recurrent):
    grid = np.ones((layers, time), dtype=int)
    for l in range(layers):
        for t in range(time):
            waits = [grid[l - 1, t] if l else 0, grid[l, t - 1] if recurrent and t else 0]
            grid[l, t] = 1 + max(waits)
    return grid.max()
