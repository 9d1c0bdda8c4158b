# right: a beginner's loops over every index in float64, with prints, warnings and long names

# %% q1-step
import math
import warnings


def elman_step(x, h, W, U, b):
    x = np.array(x, dtype=np.float64)
    h = np.array(h, dtype=np.float64)
    W = np.array(W, dtype=np.float64)
    U = np.array(U, dtype=np.float64)
    b = np.array(b, dtype=np.float64)
    print("elman_step: x", x.shape, "h", h.shape)
    number_of_sentences = x.shape[0]
    number_of_features = W.shape[0]
    number_of_units = W.shape[1]
    new_h = np.zeros((number_of_sentences, number_of_units))
    for n in range(number_of_sentences):
        for j in range(number_of_units):
            total = b[j]
            for k in range(number_of_features):
                total = total + x[n, k] * W[k, j]
            for k in range(number_of_units):
                total = total + h[n, k] * U[k, j]
            new_h[n, j] = math.tanh(total)
    return new_h

# %% q2-joined
def joined_weights(W, U):
    W = np.array(W)
    U = np.array(U)
    features = W.shape[0]
    units = W.shape[1]
    M = np.zeros((units, features + units))
    for row in range(units):
        for column in range(features):
            M[row, column] = W[column, row]
        for column in range(units):
            M[row, features + column] = U[column, row]
    print("M is", M.shape)
    return M

# %% q3-unroll
def unroll(step, inputs, first):
    batch = len(inputs)
    time = np.shape(inputs)[1]
    units = np.shape(first)[1]
    if time > 1000:
        warnings.warn("a long sequence")
    states = np.zeros((batch, time, units))
    h = first
    t = 0
    while t < time:
        h = step(inputs[:, t], h)
        states[:, t, :] = h
        t = t + 1
    last = h
    return states, last

# %% q4-keras
def simple_rnn(inputs, weights):
    W = weights[0]
    U = weights[1]
    b = weights[2]
    batch = inputs.shape[0]
    time = inputs.shape[1]
    units = U.shape[0]
    result = np.zeros((batch, time, units))
    for n in range(batch):
        h = np.zeros(units)
        for t in range(time):
            h = np.tanh(np.dot(inputs[n, t], W) + np.dot(h, U) + b)
            result[n, t] = h
    return result

# %% q5-uses
def encoder(states, mask):
    states = np.array(states)
    mask = np.array(mask)
    answer = []
    for n in range(len(states)):
        place_of_last_word = None
        for t in range(len(mask[n])):
            if mask[n][t]:
                place_of_last_word = t
        answer.append(states[n][place_of_last_word])
    return np.array(answer)


def acceptor(states, mask, V, c):
    sentence_vectors = encoder(states, mask)
    answer = []
    for vector in sentence_vectors:
        logits = []
        for label in range(len(c)):
            total = 0.0
            for unit in range(len(vector)):
                total += vector[unit] * V[unit][label]
            logits.append(total + c[label])
        answer.append(logits)
    return np.array(answer)


def transducer(states, V, c):
    answer = []
    for sentence in np.array(states):
        one_sentence = []
        for state in sentence:
            one_sentence.append(np.dot(state, V) + c)
        answer.append(one_sentence)
    return np.array(answer)

# %% q6-influence
def influence(network, inputs):
    original_outputs = np.array(network(inputs))
    batch, time, features = inputs.shape
    table = []
    for j in range(time):
        new_inputs = np.array(inputs)  # a copy
        for n in range(batch):
            for k in range(features):
                new_inputs[n, j, k] = new_inputs[n, j, k] + 1.0
        new_outputs = np.array(network(new_inputs))
        row = []
        for i in range(time):
            changed = False
            for n in range(batch):
                for u in range(new_outputs.shape[2]):
                    if new_outputs[n, i, u] != original_outputs[n, i, u]:
                        changed = True
            row.append(changed)
        table.append(row)
    return np.array(table)

# %% q7-bptt
def bptt(inputs, labels, params, first):
    loss, states, d_logits = forward(inputs, labels, params, first)
    print("the loss is", loss)
    states = np.array(states, dtype=np.float64)
    d_logits = np.array(d_logits, dtype=np.float64)
    batch, time, units = states.shape
    answer = {}
    for name in ["W", "U", "b", "V", "c"]:
        answer[name] = np.zeros(np.shape(params[name]))
    # one sentence after the other, everything as plain vectors
    for n in range(batch):
        from_the_right = np.zeros(units)
        for t in reversed(range(time)):
            h = states[n, t]
            if t == 0:
                h_before = np.array(first[n])
            else:
                h_before = states[n, t - 1]
            dh = np.dot(params["V"], d_logits[n, t]) + from_the_right
            da = dh * (1 - h**2)
            answer["V"] += np.outer(h, d_logits[n, t])
            answer["c"] += d_logits[n, t]
            answer["W"] += np.outer(inputs[n, t], da)
            answer["U"] += np.outer(h_before, da)
            answer["b"] += da
            from_the_right = np.dot(params["U"], da)
    return answer

# %% q8-windows
def windows(ids, batch, length):
    ids = list(ids)
    symbols_in_a_stream = (len(ids) - 1) // batch
    if (len(ids) - 1) % (batch * length) != 0:
        warnings.warn("some symbols are left over")
    result = []
    start = 0
    while start < symbols_in_a_stream:
        inputs = []
        targets = []
        for row in range(batch):
            begin = row * symbols_in_a_stream + start
            inputs.append(ids[begin : begin + length])
            targets.append(ids[begin + 1 : begin + length + 1])
        result.append([np.array(inputs), np.array(targets)])
        start = start + length
    return result

# %% q9-truncated
def truncated_bptt(inputs, labels, params, length):
    batch = inputs.shape[0]
    time = inputs.shape[1]
    units = params["U"].shape[0]
    h = np.zeros((batch, units))
    all_gradients = []
    for start in range(0, time, length):
        end = start + length
        g, h = autodiff(inputs[:, start:end], labels[:, start:end], params, h)
        all_gradients.append(g)
    print(len(all_gradients), "windows")
    answer = {}
    for name in params:
        total = np.zeros(params[name].shape)
        for g in all_gradients:
            total = total + np.array(g[name])
        answer[name] = total / len(all_gradients)
    return answer

# %% q10-jacobians
def gradients_through_time(states, U, last):
    states = np.array(states)
    time, units = states.shape
    g = np.zeros((time, units))
    for i in range(units):
        g[time - 1, i] = last[i]
    for t in range(time - 2, -1, -1):
        for i in range(units):
            for j in range(units):
                slope = 1 - states[t + 1, j] ** 2
                g[t, i] += g[t + 1, j] * slope * U[i][j]
    return g

# %% q12-clip
def clip_by_global_norm(gradients, limit):
    total = 0.0
    for array in gradients:
        for number in np.array(array).flatten():
            total = total + float(number) ** 2
    n = math.sqrt(total)
    answer = []
    if n > limit:
        warnings.warn("the gradient is too long, it is %.3f" % n)
        for array in gradients:
            answer.append(np.array(array) * limit / n)
    else:
        for array in gradients:
            answer.append(array)
    return answer

# %% q13-chain
def longest_chain(time, layers, recurrent):
    # the grid of the hint: the first moment when each box can run
    grid = np.zeros((layers, time), dtype=int)
    for t in range(time):
        for layer in range(layers):
            waits_for = [0]
            if layer > 0:
                waits_for.append(grid[layer - 1, t])
            if recurrent == True and t > 0:
                waits_for.append(grid[layer, t - 1])
            grid[layer, t] = max(waits_for) + 1
    print(grid)
    return grid.max()
