# right: small classes, functools.reduce, np.r_ and keras.ops; gates by tanh, logarithms in place of products

# %% q1-hard
hard_gate = lambda g, x, s: np.choose(np.asarray(g, dtype=int), [s, x])

# %% q2-soft
class SoftGate:
    """The sigmoid by the tanh: sigma(a) = (1 + tanh(a / 2)) / 2."""

    def __call__(self, x, s, W, U, b):
        a = np.einsum("bi,ij->bj", x, W) + np.einsum("bi,ij->bj", s, U) + b
        g = (1 + np.tanh(a / 2)) / 2
        return g * x + (1 - g) * s


soft_gate = SoftGate()

# %% q3-train
GATE_EPOCHS = 2 if FAST else 4


def make_gate_model(units=16):
    inputs = keras.Input((None,), dtype="int32")
    states, _ = layers.Recurrence(layers.SoftGateCell(units))(
        keras.layers.Embedding(len(letters), units)(inputs)
    )
    return keras.Model(inputs, keras.layers.Dense(len(letters))(states[:, -1]), name="gates")


gate_model = make_gate_model()
gate_model.compile(keras.optimizers.Adam(0.01), keras.losses.SparseCategoricalCrossentropy(True))
_ = gate_model.fit(train_ids, train_answers, 32, GATE_EPOCHS, 0, [plots.TrainingCurve("Capitals")])

# %% q5-lstm
class LSTMStep:
    def __init__(self, kernel, recurrent_kernel, bias):
        self.weights = ops.concatenate([kernel, recurrent_kernel, ops.expand_dims(bias, 0)], axis=0)

    def __call__(self, x, h, c):
        one = ops.ones_like(h[:, :1])
        blocks = ops.matmul(ops.concatenate([x, h, one], axis=1), self.weights)
        i, f, g, o = ops.moveaxis(ops.reshape(blocks, (len(x), 4, -1)), 1, 0)
        c = ops.sigmoid(f) * c + ops.sigmoid(i) * ops.tanh(g)
        return ops.sigmoid(o) * ops.tanh(c), c


def lstm_step(x, h, c, kernel, recurrent_kernel, bias):
    return LSTMStep(kernel, recurrent_kernel, bias)(x, h, c)

# %% q6-run
def run_lstm(inputs, weights):
    """Sentence after sentence, each as a batch of one."""
    units = np.shape(weights[1])[0]

    def run_one(sentence):
        h, c = np.zeros((1, units), "float32"), np.zeros((1, units), "float32")
        for word in sentence:
            h, c = map(np.asarray, given_lstm_step(word[None], h, c, *weights))
            yield h[0]

    return np.array([list(run_one(sentence)) for sentence in np.asarray(inputs, "float32")])

# %% q7-gru
def gru_step(x, h, kernel, recurrent_kernel, bias):
    blocks = lambda vectors, weights, b: ops.split(ops.add(ops.matmul(vectors, weights), b), 3, axis=-1)
    of_x, of_h = blocks(x, kernel, bias[0]), blocks(h, recurrent_kernel, bias[1])
    z, r = (ops.sigmoid(ops.add(*pair)) for pair in list(zip(of_x, of_h))[:2])
    g = ops.tanh(of_x[2] + r * of_h[2])
    return ops.add(ops.multiply(z, h), ops.multiply(ops.subtract(1.0, z), g))

# %% q8-notation
def keras_weights(W, U, b):
    return tuple(np.concatenate([part[k].T for k in ("i", "f", "g", "o")], -1) for part in (W, U, b))

# %% q9-update
def turned_update_gate(kernel, recurrent_kernel, bias):
    signs = np.repeat([-1, 1, 1], len(recurrent_kernel)).astype(kernel.dtype)
    return kernel * signs, recurrent_kernel * signs, bias * signs

# %% q10-count
from enum import Enum


class Kind(Enum):
    Elman = (1, 1)
    LSTM = (4, 1)
    GRU = (3, 2)

    def count(self, features, units):
        blocks, biases = self.value
        return sum([features * blocks * units, units * blocks * units, biases * blocks * units])


def weights_count(kind, features, units):
    return Kind[kind].count(features, units)

# %% q11-bias
def forget_bias(bias, value):
    i, f, g, o = np.split(bias, 4)
    return np.r_[i, np.full_like(f, value), g, o]

# %% q12-memory
from functools import reduce


def memory_gradients(forget_gates):
    later = lambda rows, gate: [rows[0] * gate, *rows]
    return np.stack(reduce(later, forget_gates[:0:-1], [np.ones_like(forget_gates[0])]))

# %% q13-half
half_life = lambda bias: np.log(2) / np.log1p(np.exp(-bias))

# %% q14-copier
copier = train_copier(layers.LSTMCell(64, forget_bias=-np.log(2 ** (1 / 100) - 1)))
