# right: a beginner's loops in float64, each gate with its own slice, prints, warnings and lists as results

# %% q1-hard
def hard_gate(g, x, s):
    g = np.array(g)
    x = np.array(x)
    s = np.array(s)
    new_state = np.array(s, dtype=float)
    print("the gate is", g)
    for place in np.ndindex(g.shape):
        if g[place] == 1:
            new_state[place] = x[place]
        else:
            new_state[place] = s[place]
    return new_state

# %% q2-soft
import math


def soft_gate(x, s, W, U, b):
    batch = len(x)
    units = len(b)
    answer = []
    for n in range(batch):
        row = []
        for j in range(units):
            a = float(b[j])
            for k in range(units):
                a += float(x[n][k]) * float(W[k][j]) + float(s[n][k]) * float(U[k][j])
            g = 1 / (1 + math.exp(-a))
            row.append(g * float(x[n][j]) + (1 - g) * float(s[n][j]))
        answer.append(row)
    return np.array(answer)

# %% q3-train
GATE_EPOCHS = 2 if FAST else 4

# inputs
ids = keras.Input((None,), dtype="int32")
# embedding
embedding_layer = keras.layers.Embedding(len(letters), 16)
vectors = embedding_layer(ids)
# soft gates
outputs, (last,) = layers.Recurrence(layers.SoftGateCell(16))(vectors)
# scores
scores = keras.layers.Dense(len(letters))(last)
gate_model = keras.Model(ids, scores)
gate_model.summary()
my_loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
my_optimizer = keras.optimizers.Adam(0.01)
gate_model.compile(optimizer=my_optimizer, loss=my_loss, metrics=["accuracy"])
history = gate_model.fit(
    train_ids,
    train_answers,
    batch_size=32,
    epochs=GATE_EPOCHS,
    verbose=0,
    callbacks=[plots.TrainingCurve("Capitals")],
)
print(history.history)

# %% q5-lstm
def lstm_step(x, h, c, kernel, recurrent_kernel, bias):
    def sigmoid(a):
        return 1 / (1 + np.exp(-a))

    x = np.array(x, dtype=np.float64)
    h = np.array(h, dtype=np.float64)
    c = np.array(c, dtype=np.float64)
    kernel = np.array(kernel, dtype=np.float64)
    recurrent_kernel = np.array(recurrent_kernel, dtype=np.float64)
    bias = np.array(bias, dtype=np.float64)
    units = h.shape[1]

    W_i = kernel[:, 0:units]
    W_f = kernel[:, units : 2 * units]
    W_g = kernel[:, 2 * units : 3 * units]
    W_o = kernel[:, 3 * units : 4 * units]
    U_i = recurrent_kernel[:, 0:units]
    U_f = recurrent_kernel[:, units : 2 * units]
    U_g = recurrent_kernel[:, 2 * units : 3 * units]
    U_o = recurrent_kernel[:, 3 * units : 4 * units]
    b_i = bias[0:units]
    b_f = bias[units : 2 * units]
    b_g = bias[2 * units : 3 * units]
    b_o = bias[3 * units : 4 * units]

    i = sigmoid(np.dot(x, W_i) + np.dot(h, U_i) + b_i)
    f = sigmoid(np.dot(x, W_f) + np.dot(h, U_f) + b_f)
    o = sigmoid(np.dot(x, W_o) + np.dot(h, U_o) + b_o)
    g = np.tanh(np.dot(x, W_g) + np.dot(h, U_g) + b_g)
    c_new = f * c + i * g
    h_new = o * np.tanh(c_new)
    return [h_new, c_new]

# %% q6-run
import warnings


def run_lstm(inputs, weights):
    inputs = np.array(inputs)
    kernel = weights[0]
    recurrent_kernel = weights[1]
    bias = weights[2]
    batch, time, features = inputs.shape
    units = recurrent_kernel.shape[0]
    if features != kernel.shape[0]:
        warnings.warn("the inputs do not fit the kernel")
    all_h = np.zeros((batch, time, units))
    h = np.zeros((batch, units))
    c = np.zeros((batch, units))
    t = 0
    while t < time:
        result = lstm_step(inputs[:, t, :], h, c, kernel, recurrent_kernel, bias)
        h = result[0]
        c = result[1]
        all_h[:, t, :] = h
        t += 1
    return all_h

# %% q7-gru
def gru_step(x, h, kernel, recurrent_kernel, bias):
    x = np.array(x, dtype=np.float64)
    h = np.array(h, dtype=np.float64)
    units = h.shape[1]
    z_part, r_part, g_part = range(0, units), range(units, 2 * units), range(2 * units, 3 * units)
    kernel = np.array(kernel, dtype=np.float64)
    recurrent_kernel = np.array(recurrent_kernel, dtype=np.float64)
    bias = np.array(bias, dtype=np.float64)
    new_h = np.zeros(h.shape)
    for n in range(len(x)):
        for u in range(units):
            from_x = {}
            from_h = {}
            for name, part in [("z", z_part), ("r", r_part), ("g", g_part)]:
                column = part[u]
                from_x[name] = np.dot(x[n], kernel[:, column]) + bias[0, column]
                from_h[name] = np.dot(h[n], recurrent_kernel[:, column]) + bias[1, column]
            z = 1 / (1 + np.exp(-from_x["z"] - from_h["z"]))
            r = 1 / (1 + np.exp(-from_x["r"] - from_h["r"]))
            g = np.tanh(from_x["g"] + r * from_h["g"])
            new_h[n, u] = z * h[n, u] + (1 - z) * g
    return new_h

# %% q8-notation
def keras_weights(W, U, b):
    units, features = np.shape(W["i"])
    kernel = np.zeros((features, 4 * units))
    recurrent_kernel = np.zeros((units, 4 * units))
    bias = np.zeros(4 * units)
    number = 0
    for key in ["i", "f", "g", "o"]:
        start = number * units
        for row in range(units):
            for column in range(features):
                kernel[column, start + row] = W[key][row][column]
            for column in range(units):
                recurrent_kernel[column, start + row] = U[key][row][column]
            bias[start + row] = b[key][row]
        number = number + 1
    return [kernel, recurrent_kernel, bias]

# %% q9-update
def turned_update_gate(kernel, recurrent_kernel, bias):
    kernel = np.array(kernel)
    recurrent_kernel = np.array(recurrent_kernel)
    bias = np.array(bias)
    units = recurrent_kernel.shape[0]
    for column in range(units):
        for row in range(len(kernel)):
            kernel[row, column] = -kernel[row, column]
        for row in range(units):
            recurrent_kernel[row, column] = -recurrent_kernel[row, column]
        bias[0, column] = -bias[0, column]
        bias[1, column] = -bias[1, column]
    return kernel, recurrent_kernel, bias

# %% q10-count
def weights_count(kind, features, units):
    if kind == "Elman":
        W = features * units
        U = units * units
        b = units
        total = W + U + b
    elif kind == "LSTM":
        total = 0
        for gate in ["i", "f", "g", "o"]:
            total = total + features * units + units * units + units
    elif kind == "GRU":
        total = 0
        for gate in ["z", "r", "g"]:
            total = total + features * units + units * units + units + units
    else:
        print("I do not know this kind:", kind)
        total = None
    return total

# %% q11-bias
def forget_bias(bias, value):
    new_bias = []
    units = len(bias) / 4
    for place in range(len(bias)):
        if place >= units and place < 2 * units:
            new_bias.append(float(value))
        else:
            new_bias.append(float(bias[place]))
    return np.array(new_bias)

# %% q12-memory
def memory_gradients(forget_gates):
    time, units = np.shape(forget_gates)
    answer = np.zeros((time, units))
    for t in range(time):
        for u in range(units):
            product = 1.0
            for k in range(t + 1, time):
                product = product * forget_gates[k][u]
            answer[t, u] = product
    return answer

# %% q13-half
def half_life(bias):
    sigma = 1 / (1 + math.exp(-bias))
    n = math.log(1 / 2) / math.log(sigma)
    print("sigma", sigma, "n", n)
    return n

# %% q14-copier
my_bias = 0
while half_life(my_bias) < WAIT + 1:
    my_bias = my_bias + 1
print("forget bias", my_bias)
copier = train_copier(layers.LSTMCell(64, forget_bias=my_bias))
