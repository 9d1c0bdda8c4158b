# right: plain Python loops over numbers, results in float64 or as lists
# %% q1-step
import math


def elman_step(x, h, W, U, b):
    new_state = []
    for row in range(len(x)):
        new_row = []
        for unit in range(len(b)):
            total = float(b[unit])
            for feature in range(len(W)):
                total += float(x[row][feature]) * float(W[feature][unit])
            for other in range(len(U)):
                total += float(h[row][other]) * float(U[other][unit])
            new_row.append(math.tanh(total))
        new_state.append(new_row)
    return np.array(new_state)


# %% q2-joined
def joined_weights(W, U):
    M = np.zeros((W.shape[1], W.shape[0] + U.shape[0]))
    for unit in range(W.shape[1]):
        for feature in range(W.shape[0]):
            M[unit, feature] = W[feature, unit]
        for other in range(U.shape[0]):
            M[unit, W.shape[0] + other] = U[other, unit]
    return M


# %% q3-unroll
def unroll(step, inputs, first):
    batch, time, _ = inputs.shape
    states = np.zeros((batch, time, first.shape[1]))
    h = first
    for t in range(time):
        h = np.array(step(inputs[:, t, :], h))
        states[:, t, :] = h
    return states, states[:, time - 1, :]


# %% q4-keras
def simple_rnn(inputs, weights):
    batch, time, features = inputs.shape
    units = weights[1].shape[0]
    states = np.zeros((batch, time, units))
    h = np.zeros((batch, units))
    for t in range(time):
        h = np.tanh(np.dot(inputs[:, t], weights[0]) + np.dot(h, weights[1]) + weights[2])
        states[:, t] = h
    return states


# %% q5-uses
def last_place(row):
    place = 0
    for t in range(len(row)):
        if row[t]:
            place = t
    return place


def encoder(states, mask):
    return [states[i][last_place(mask[i])] for i in range(len(states))]


def acceptor(states, mask, V, c):
    return [encoder(states, mask)[i] @ V + c for i in range(len(states))]


def transducer(states, V, c):
    result = np.zeros((states.shape[0], states.shape[1], len(c)))
    for i in range(states.shape[0]):
        for t in range(states.shape[1]):
            result[i, t] = np.dot(states[i, t], V) + c
    return result


# %% q6-influence
def influence(network, inputs):
    time = inputs.shape[1]
    before = network(inputs)
    table = [[False] * time for _ in range(time)]
    for j in range(time):
        changed = np.array(inputs)
        for k in range(inputs.shape[2]):
            changed[:, j, k] = changed[:, j, k] + 1.0
        after = network(changed)
        for i in range(time):
            if np.max(np.abs(np.asarray(after)[:, i] - np.asarray(before)[:, i])) > 0:
                table[j][i] = True
    return table


# %% q7-bptt
def bptt(inputs, labels, params, first):
    W, U, b, V, c = (np.asarray(params[name], "float64") for name in "WUbVc")
    batch, time = np.shape(labels)
    hs = [np.asarray(first, "float64")]
    for t in range(time):
        hs.append(np.tanh(inputs[:, t] @ W + hs[-1] @ U + b))
    dW, dU, db, dV, dc = 0 * W, 0 * U, 0 * b, 0 * V, 0 * c
    for i in range(batch):
        dh_next = np.zeros(len(b))
        for t in range(time - 1, -1, -1):
            h = hs[t + 1][i]
            o = h @ V + c
            p = np.exp(o - o.max())
            p = p / p.sum()
            p[labels[i, t]] -= 1
            p = p / (batch * time)
            dV += np.outer(h, p)
            dc += p
            da = (V @ p + dh_next) * (1 - h * h)
            dW += np.outer(inputs[i, t], da)
            dU += np.outer(hs[t][i], da)
            db += da
            dh_next = U @ da
    return {"W": dW, "U": dU, "b": db, "V": dV, "c": dc}


# %% q8-windows
def windows(ids, batch, length):
    per_stream = (len(ids) - 1) // batch
    result = []
    for start in range(0, per_stream, length):
        inputs, targets = [], []
        for row in range(batch):
            place = row * per_stream + start
            inputs.append([int(ids[place + k]) for k in range(length)])
            targets.append([int(ids[place + k + 1]) for k in range(length)])
        result.append((np.array(inputs), np.array(targets)))
    return result


# %% q9-truncated
def truncated_bptt(inputs, labels, params, length):
    state = np.zeros((inputs.shape[0], params["U"].shape[0]))
    number = inputs.shape[1] // length
    all_gradients = []
    for k in range(number):
        a, b = k * length, (k + 1) * length
        gradients, state = autodiff(inputs[:, a:b], labels[:, a:b], params, state)
        all_gradients.append(gradients)
    result = {}
    for name in params:
        total = 0
        for gradients in all_gradients:
            total = total + gradients[name]
        result[name] = total / number
    return result


# %% q10-jacobians
def gradients_through_time(states, U, last):
    """Jacobian by Jacobian, each written out as a matrix."""
    result = [np.asarray(last, "float64")]
    for t in range(len(states) - 1, 0, -1):
        jacobian = np.zeros((len(last), len(last)))  # d h_t[j] / d h_{t-1}[k]
        for j in range(len(last)):
            for k in range(len(last)):
                jacobian[j, k] = (1 - states[t][j] ** 2) * U[k, j]
        result.insert(0, result[0] @ jacobian)
    return result


# %% q12-clip
def clip_by_global_norm(gradients, limit):
    total = 0.0
    for gradient in gradients:
        for number in np.ravel(gradient):
            total += float(number) ** 2
    norm = total**0.5
    if norm <= limit:
        return gradients
    return [np.asarray(gradient) * (limit / norm) for gradient in gradients]


# %% q13-chain
def longest_chain(time, layers, recurrent):
    """Fill in the grid: when can each box run?"""
    ready = {}
    for layer in range(layers):
        for t in range(time):
            waits = [ready.get((layer - 1, t), 0)]
            if recurrent:
                waits.append(ready.get((layer, t - 1), 0))
            ready[layer, t] = max(waits) + 1
    return max(ready.values())
