# right: callable objects, einsum, itertools.accumulate, recursion, a search in place of a formula, float64

# %% q1-hard
class HardGate:
    def __call__(self, *arrays):
        return ops.where(ops.cast(arrays[0], "bool"), *arrays[1:])


hard_gate = HardGate()

# %% q2-soft
import functools


def gate_and_mix(W, U, b, x, s):
    pre = ops.einsum("bi,ij->bj", x, W) + ops.einsum("bi,ij->bj", s, U) + ops.expand_dims(b, 0)
    share = ops.reciprocal(1 + ops.exp(-pre))
    return s + share * (x - s)


def soft_gate(x, s, W, U, b):
    return functools.partial(gate_and_mix, W, U, b)(x=x, s=s)

# %% q3-train
GATE_EPOCHS = 2 if FAST else 4


class Reader(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.table = keras.layers.Embedding(len(letters), units)
        self.loop = layers.Recurrence(layers.SoftGateCell(units))

    def call(self, ids):
        return self.loop(self.table(ids))[0][:, -1]


gate_model = keras.Sequential(
    [keras.Input((None,), dtype="int32"), Reader(20), keras.layers.Dense(len(letters))]
)
gate_model.compile(keras.optimizers.RMSprop(0.01), keras.losses.SparseCategoricalCrossentropy(True))
gate_model.fit(train_ids, train_answers, batch_size=32, epochs=GATE_EPOCHS, verbose=0)

# %% q5-lstm
class LongShortTermMemory:
    gates = {"write": 0, "keep": 1, "new": 2, "show": 3}

    def __call__(self, x, h, c, kernel, recurrent_kernel, bias):
        x, h, c = (np.asarray(array, "float64") for array in (x, h, c))
        joined = np.einsum("bj,jk->bk", np.c_[x, h], np.r_[kernel, recurrent_kernel]) + bias
        parts = joined.reshape(len(x), 4, -1)
        values = {name: np.tanh(parts[:, at]) if name == "new" else 1 / (1 + np.exp(-parts[:, at]))
                  for name, at in self.gates.items()}
        memory = values["keep"] * c + values["write"] * values["new"]
        return values["show"] * np.tanh(memory), memory


lstm_step = LongShortTermMemory()

# %% q6-run
import itertools


def run_lstm(inputs, weights):
    weights = [ops.convert_to_tensor(weight, "float32") for weight in weights]

    def one(states, x):
        i, f, g, o = ops.split(x @ weights[0] + states[0] @ weights[1] + weights[2], 4, axis=-1)
        c = ops.sigmoid(f) * states[1] + ops.sigmoid(i) * ops.tanh(g)
        return ops.stack([ops.sigmoid(o) * ops.tanh(c), c])

    by_time = ops.unstack(ops.convert_to_tensor(inputs, "float32"), axis=1)
    zeros = ops.zeros((2, inputs.shape[0], weights[1].shape[0]))
    every = itertools.accumulate(by_time, one, initial=zeros)
    return ops.stack([h for h, c in itertools.islice(every, 1, None)], axis=1)

# %% q7-gru
def gru_step(x, h, kernel, recurrent_kernel, bias):
    units = h.shape[-1]
    from_x = (x @ kernel + bias[0]).reshape(-1, 3, units)
    from_h = (h @ recurrent_kernel + bias[1]).reshape(-1, 3, units)
    keep, reset = np.moveaxis(1 / (1 + np.exp(-(from_x + from_h)[:, :2])), 1, 0)
    new = np.tanh(from_x[:, 2] + reset * from_h[:, 2])
    return np.average([h, new], axis=0, weights=[keep, 1 - keep])

# %% q8-notation
def keras_weights(W, U, b):
    blocks = {"i": 0, "f": 1, "g": 2, "o": 3}
    kernel, recurrent_kernel, bias = (
        np.empty((4, *np.shape(part["f"])), "float32") for part in (W, U, b)
    )
    for gate, at in blocks.items():
        kernel[at], recurrent_kernel[at], bias[at] = W[gate], U[gate], b[gate]
    return (
        kernel.reshape(-1, kernel.shape[-1]).T,
        recurrent_kernel.reshape(-1, recurrent_kernel.shape[-1]).T,
        bias.ravel(),
    )

# %% q9-update
def turned_update_gate(kernel, recurrent_kernel, bias):
    def turn(array):
        new = array.copy()
        np.negative(new[:, : new.shape[1] // 3], out=new[:, : new.shape[1] // 3])
        return new

    return {"kernel": turn(kernel), "recurrent_kernel": turn(recurrent_kernel), "bias": turn(bias)}

# %% q10-count
import math


def weights_count(kind, features, units):
    shapes = [(features, units), (units, units), (units,)]
    if kind == "GRU":
        shapes.append((units,))
    return float(sum(map(math.prod, shapes)) * dict(Elman=1, LSTM=4, GRU=3)[kind])

# %% q11-bias
def forget_bias(bias, value):
    blocks = np.reshape(bias, (4, -1)).astype("float64")
    blocks[1] = value
    return blocks.reshape(-1)

# %% q12-memory
def memory_gradients(forget_gates):
    if len(forget_gates) == 1:
        return np.ones_like(forget_gates)
    rest = memory_gradients(forget_gates[1:])
    return np.concatenate([rest[:1] * forget_gates[1:2], rest])

# %% q13-half
def half_life(bias):
    left = lambda steps: (1 + np.exp(-bias)) ** -steps
    low, high = 0.0, 1.0
    while left(high) > 0.5:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if left(middle) > 0.5 else (low, middle)
    return low

# %% q14-copier
copier = train_copier(layers.LSTMCell(96, forget_bias=6))
