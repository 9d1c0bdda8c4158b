# right: TensorFlow throughout, a subclassed model, tf.scan over time, a tf.function

# %% q1-hard
def hard_gate(g, x, s):
    return tf.where(tf.cast(g, tf.bool), x, s)

# %% q2-soft
@tf.function
def soft_gate(x, s, W, U, b):
    g = tf.sigmoid(tf.matmul(x, W) + tf.matmul(s, U) + b)
    return tf.multiply(g, x) + tf.multiply(tf.ones_like(g) - g, s)

# %% q3-train
GATE_EPOCHS = 2 if FAST else 4


class GateModel(keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = keras.layers.Embedding(len(letters), 20)
        self.read = layers.Recurrence(layers.SoftGateCell(20))
        self.score = keras.layers.Dense(len(letters))

    def call(self, ids):
        _, states = self.read(self.embed(ids))
        return self.score(states[0])


gate_model = GateModel()
gate_model.compile(
    optimizer=keras.optimizers.Adam(0.01, global_clipnorm=1.0),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
gate_model.fit(train_ids, train_answers, batch_size=32, epochs=GATE_EPOCHS, verbose=0)

# %% q5-lstm
def lstm_step(x, h, c, kernel, recurrent_kernel, bias):
    z = tf.nn.bias_add(tf.matmul(x, kernel) + tf.matmul(h, recurrent_kernel), bias)
    z_i, z_f, z_g, z_o = tf.split(z, num_or_size_splits=4, axis=1)
    c = tf.sigmoid(z_f) * c + tf.sigmoid(z_i) * tf.tanh(z_g)
    return tf.sigmoid(z_o) * tf.tanh(c), c

# %% q6-run
def run_lstm(inputs, weights):
    inputs = tf.convert_to_tensor(inputs, tf.float32)
    zeros = tf.zeros([tf.shape(inputs)[0], tf.shape(weights[1])[0]])
    hs, cs = tf.scan(
        lambda state, x: lstm_step(x, state[0], state[1], *weights),
        tf.transpose(inputs, [1, 0, 2]),
        initializer=(zeros, zeros),
    )
    return tf.transpose(hs, [1, 0, 2])

# %% q7-gru
def gru_step(x, h, kernel, recurrent_kernel, bias):
    b_in, b_rec = tf.unstack(bias)
    xz, xr, xg = tf.split(tf.matmul(x, kernel) + b_in, 3, axis=-1)
    hz, hr, hg = tf.split(tf.matmul(h, recurrent_kernel) + b_rec, 3, axis=-1)
    z, r = tf.sigmoid(xz + hz), tf.sigmoid(xr + hr)
    return z * h + (1.0 - z) * tf.tanh(xg + r * hg)

# %% q8-notation
def keras_weights(W, U, b):
    order = ("i", "f", "g", "o")
    kernel = tf.transpose(tf.concat([W[k] for k in order], axis=0))
    recurrent_kernel = tf.transpose(tf.concat([U[k] for k in order], axis=0))
    return kernel, recurrent_kernel, tf.concat([b[k] for k in order], axis=0)

# %% q9-update
def turned_update_gate(kernel, recurrent_kernel, bias):
    def turn(array):
        z, r, g = tf.split(array, 3, axis=-1)
        return tf.concat([-z, r, g], axis=-1)

    return turn(kernel), turn(recurrent_kernel), turn(bias)

# %% q10-count
def weights_count(kind, features, units):
    shapes = {
        "Elman": [(features, units), (units, units), (units,)],
        "LSTM": [(features, 4 * units), (units, 4 * units), (4 * units,)],
        "GRU": [(features, 3 * units), (units, 3 * units), (2, 3 * units)],
    }
    return sum(int(tf.reduce_prod(shape)) for shape in shapes[kind])

# %% q11-bias
def forget_bias(bias, value):
    i, f, g, o = tf.split(bias, 4)
    return tf.concat([i, tf.fill(f.shape, tf.cast(value, f.dtype)), g, o], axis=0)

# %% q12-memory
def memory_gradients(forget_gates):
    return tf.math.cumprod(forget_gates, axis=0, exclusive=True, reverse=True)

# %% q13-half
def half_life(bias):
    return -tf.math.log(2.0) / tf.math.log_sigmoid(tf.constant(bias, tf.float32))

# %% q14-copier
copier = train_copier(layers.LSTMCell(64, recurrent_initializer="orthogonal", forget_bias=7.0))
