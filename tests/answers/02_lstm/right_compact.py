# right: one-liners with NumPy operators and lambdas; a larger gate model with a softmax, another forget bias

# %% q1-hard
hard_gate = lambda g, x, s: np.where(g > 0, x, s)

# %% q2-soft
soft_gate = lambda x, s, W, U, b: s + (x - s) / (1 + np.exp(-(x @ W + s @ U + b)))

# %% q3-train
GATE_EPOCHS = 2 if FAST else 4
ids_in = keras.Input((None,), dtype="int32")
last_state = layers.Recurrence(layers.SoftGateCell(24))(keras.layers.Embedding(len(letters), 24)(ids_in))[1][0]
gate_model = keras.Model(ids_in, keras.layers.Dense(len(letters), activation="softmax")(last_state))
gate_model.compile("adam", "sparse_categorical_crossentropy")
gate_model.optimizer.learning_rate = 0.01
gate_model.fit(train_ids, train_answers, batch_size=32, epochs=GATE_EPOCHS, verbose=0)

# %% q5-lstm
sig = lambda a: 0.5 * (1 + np.tanh(0.5 * a))


def lstm_step(x, h, c, kernel, recurrent_kernel, bias):
    i, f, g, o = np.split(np.hstack([x, h]) @ np.vstack([kernel, recurrent_kernel]) + bias, 4, 1)
    c = sig(f) * c + sig(i) * np.tanh(g)
    return sig(o) * np.tanh(c), c

# %% q6-run
def run_lstm(inputs, weights):
    x = np.asarray(inputs)
    state = (np.zeros((len(x), len(weights[1]))),) * 2
    return np.stack([(state := lstm_step(x[:, t], *state, *weights))[0] for t in range(x.shape[1])], 1)

# %% q7-gru
def gru_step(x, h, kernel, recurrent_kernel, bias):
    a, b = x @ kernel + bias[0], h @ recurrent_kernel + bias[1]
    (az, ar, ag), (bz, br, bg) = (np.split(m, 3, 1) for m in (a, b))
    g = np.tanh(ag + bg / (1 + np.exp(-ar - br)))
    return g + (h - g) / (1 + np.exp(-az - bz))

# %% q8-notation
keras_weights = lambda W, U, b: [np.concatenate([np.transpose(d[k]) for k in "ifgo"], -1) for d in (W, U, b)]

# %% q9-update
turned_update_gate = lambda *weights: tuple(
    np.concatenate([-w[..., : w.shape[-1] // 3], w[..., w.shape[-1] // 3 :]], -1) for w in weights
)

# %% q10-count
weights_count = lambda kind, d, n: {"Elman": 1, "LSTM": 4, "GRU": 3}[kind] * n * (d + n + 1 + (kind == "GRU"))

# %% q11-bias
forget_bias = lambda bias, value: np.where(np.arange(len(bias)) * 4 // len(bias) == 1, value, bias)

# %% q12-memory
memory_gradients = lambda f: np.vstack([np.cumprod(f[:0:-1], 0)[::-1], np.ones_like(f[:1])])

# %% q13-half
half_life = lambda b: np.log(2) / np.logaddexp(0, -b)

# %% q14-copier
copier = train_copier(layers.LSTMCell(64, forget_bias=5))
