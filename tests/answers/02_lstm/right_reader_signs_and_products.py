# right: each answer in an unusual but allowed way: selections instead of products, tanh for sigma, one product for all, lists, float64, exact half-life for large biases

# %% q1-hard
def hard_gate(g, x, s):
    return np.where(np.asarray(g) == 1, x, s)

# %% q2-soft
def soft_gate(x, s, W, U, b):
    x, s = np.asarray(x, "float64"), np.asarray(s, "float64")
    half = 0.5 * (np.concatenate([x, s], axis=1) @ np.concatenate([W, U]) + b)
    g = 0.5 + 0.5 * np.tanh(half)  # the sigmoid
    return s + g * (x - s)

# %% q3-train
GATE_EPOCHS = 2 if FAST else 4


text_ids = keras.Input((None,), dtype="int32")
states, _ = layers.Recurrence(layers.SoftGateCell(16))(
    keras.layers.Embedding(len(letters), 16)(text_ids)
)
gate_model = keras.Model(text_ids, keras.layers.Dense(len(letters))(states[:, -1]))

gate_model.compile(
    optimizer=keras.optimizers.Adam(0.01),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
gate_model.fit(
    train_ids, train_answers, batch_size=32, epochs=GATE_EPOCHS, verbose=0,
    callbacks=[plots.TrainingCurve("Capitals")],
);

# %% q5-lstm
def lstm_step(x, h, c, kernel, recurrent_kernel, bias):
    units = np.shape(h)[-1]

    def block(number):
        part = slice(number * units, (number + 1) * units)
        return np.matmul(x, kernel[:, part]) + np.matmul(h, recurrent_kernel[:, part]) + bias[part]

    write, keep, show = (0.5 + 0.5 * np.tanh(block(n) / 2) for n in (0, 1, 3))
    memory = keep * c + write * np.tanh(block(2))
    return [show * np.tanh(memory), memory]

# %% q6-run
def run_lstm(inputs, weights):
    inputs = np.asarray(inputs, "float64")
    kernel, recurrent_kernel, bias = (np.asarray(each, "float64") for each in weights)
    h = c = np.zeros((1, len(recurrent_kernel)))  # one row will do for all sentences
    from_inputs = np.moveaxis(inputs @ kernel + bias, 1, 0)
    outputs = []
    for row in from_inputs:
        i, f, g, o = np.split(row + h @ recurrent_kernel, 4, axis=1)
        i, f, o = (0.5 + 0.5 * np.tanh(a / 2) for a in (i, f, o))
        c = f * c + i * np.tanh(g)
        h = o * np.tanh(c)
        outputs.append(h)
    return np.moveaxis(np.array(outputs), 0, 1)

# %% q7-gru
def gru_step(x, h, kernel, recurrent_kernel, bias):
    units = np.shape(h)[-1]
    a = np.matmul(x, kernel) + bias[0]
    d = np.matmul(h, recurrent_kernel) + bias[1]
    gates = 0.5 + 0.5 * np.tanh((a + d)[:, : 2 * units] / 2)
    g = np.tanh(a[:, 2 * units :] + gates[:, units:] * d[:, 2 * units :])
    return g + gates[:, :units] * (h - g)

# %% q8-notation
def keras_weights(W, U, b):
    order = ["i", "f", "g", "o"]
    return [
        np.vstack([W[key] for key in order]).T,
        np.vstack([U[key] for key in order]).T,
        np.hstack([b[key] for key in order]),
    ]

# %% q9-update
def turned_update_gate(kernel, recurrent_kernel, bias):
    signs = np.repeat([-1.0, 1.0, 1.0], len(recurrent_kernel))
    return [np.asarray(each) * signs for each in (kernel, recurrent_kernel, bias)]

# %% q10-count
def weights_count(kind, features, units):
    rows = features + units + (2 if kind == "GRU" else 1)
    return np.ones((rows, {"Elman": 1, "GRU": 3, "LSTM": 4}[kind] * units)).size

# %% q11-bias
def forget_bias(bias, value):
    bias = np.asarray(bias)
    return np.where(np.arange(bias.size) // (bias.size // 4) == 1, float(value), bias)

# %% q12-memory
def memory_gradients(forget_gates):
    # The product of no rows is 1.
    return [np.prod(forget_gates[t + 1 :], axis=0) for t in range(len(forget_gates))]

# %% q13-half
def half_life(bias):
    return np.log(2) / np.logaddexp(0, -bias)

# %% q14-copier
copier = train_copier(layers.LSTMCell(64, forget_bias=float(-np.log(2 ** (1 / 110) - 1))))
