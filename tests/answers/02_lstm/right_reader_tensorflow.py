# right: TensorFlow operations alone, also tf.math.cumprod and tf.scan; answers are tensors; a subclassed model

# %% q1-hard
def hard_gate(g, x, s):
    return tf.where(tf.equal(g, 1), x, s)

# %% q2-soft
def soft_gate(x, s, W, U, b):
    g = tf.nn.sigmoid(tf.concat([x, s], 1) @ tf.concat([W, U], 0) + b)
    return s + g * (x - s)

# %% q3-train
GATE_EPOCHS = 2 if FAST else 4


class GateModel(keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = keras.layers.Embedding(len(letters), 16)
        self.recurrence = layers.Recurrence(layers.SoftGateCell(16))
        self.scores = keras.layers.Dense(len(letters))

    def call(self, ids):
        _, (last,) = self.recurrence(self.embedding(ids))
        return self.scores(last)


gate_model = GateModel()
gate_model.compile(
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    optimizer=keras.optimizers.Adam(0.01),
)
gate_dataset = tf.data.Dataset.from_tensor_slices((train_ids, train_answers))
gate_dataset = gate_dataset.shuffle(2048, seed=1).batch(32)
gate_model.fit(
    gate_dataset, epochs=GATE_EPOCHS, verbose=0, callbacks=[plots.TrainingCurve("Capitals")]
)

# %% q5-lstm
def lstm_step(x, h, c, kernel, recurrent_kernel, bias):
    i, f, g, o = tf.split(
        tf.nn.bias_add(tf.matmul(x, kernel) + tf.matmul(h, recurrent_kernel), bias), 4, axis=1
    )
    c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
    return tf.sigmoid(o) * tf.tanh(c), c

# %% q6-run
def run_lstm(inputs, weights):
    inputs = tf.convert_to_tensor(inputs, dtype=tf.float32)
    zeros = tf.zeros([inputs.shape[0], weights[1].shape[0]])
    over_time = tf.transpose(inputs, [1, 0, 2])
    all_h, all_c = tf.scan(
        lambda state, x: tuple(given_lstm_step(x, *state, *weights)), over_time, (zeros, zeros)
    )
    return tf.transpose(all_h, [1, 0, 2])

# %% q7-gru
def gru_step(x, h, kernel, recurrent_kernel, bias):
    xz, xr, xg = tf.split(tf.matmul(x, kernel) + bias[0], 3, -1)
    hz, hr, hg = tf.split(tf.matmul(h, recurrent_kernel) + bias[1], 3, -1)
    z, r = tf.sigmoid(xz + hz), tf.sigmoid(xr + hr)
    g = tf.tanh(xg + r * hg)
    return g + z * (h - g)

# %% q8-notation
def keras_weights(W, U, b):
    stacked = lambda parts: tf.concat([parts[gate] for gate in "ifgo"], axis=0)
    return tf.transpose(stacked(W)), tf.transpose(stacked(U)), stacked(b)

# %% q9-update
def turned_update_gate(kernel, recurrent_kernel, bias):
    return tuple(
        tf.concat([-weights[:, : weights.shape[1] // 3], weights[:, weights.shape[1] // 3 :]], axis=1)
        for weights in (kernel, recurrent_kernel, bias)
    )

# %% q10-count
def weights_count(kind, features, units):
    blocks = {"Elman": 1, "LSTM": 4, "GRU": 3}[kind]
    biases = 2 if kind == "GRU" else 1
    return blocks * units * (features + units + biases)

# %% q11-bias
def forget_bias(bias, value):
    units = bias.shape[0] // 4
    places = tf.range(units, 2 * units)[:, tf.newaxis]
    return tf.tensor_scatter_nd_update(bias, places, tf.fill([units], tf.cast(value, bias.dtype)))

# %% q12-memory
def memory_gradients(forget_gates):
    return tf.math.cumprod(forget_gates, axis=0, exclusive=True, reverse=True)

# %% q13-half
def half_life(bias):
    return tf.math.log(0.5) / tf.math.log_sigmoid(tf.cast(bias, tf.float32))

# %% q14-copier
copier = train_copier(layers.LSTMCell(64, forget_bias=5))
