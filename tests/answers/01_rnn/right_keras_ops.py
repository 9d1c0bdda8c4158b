# right: keras.ops and small classes; states by itertools.accumulate; warnings and prints on the way
# %% q1-step
class Elman:
    """Holds nothing; a function with a name."""

    def __call__(self, x, h, W, U, b):
        print("step of", np.shape(x))
        joined = ops.concatenate([x, h], axis=-1)
        return ops.tanh(ops.add(ops.matmul(joined, ops.concatenate([W, U], axis=0)), b))


elman_step = Elman()


# %% q2-joined
def joined_weights(W, U):
    return ops.transpose(ops.vstack([W, U]))


# %% q3-unroll
import itertools
import warnings


def unroll(step, inputs, first):
    warnings.warn("this loop is slow")
    xs = [inputs[:, t] for t in range(np.shape(inputs)[1])]
    states = list(itertools.accumulate(xs, lambda h, x: step(x, h), initial=first))[1:]
    return ops.stack([ops.convert_to_tensor(s) for s in states], axis=1), states[-1]


# %% q4-keras
class SimpleNet(keras.layers.Layer):
    def __init__(self, weights):
        super().__init__()
        self.W, self.U, self.b = (ops.convert_to_tensor(w) for w in weights)

    def call(self, inputs):
        from_inputs = ops.matmul(inputs, self.W) + self.b
        h = ops.zeros_like(from_inputs[:, 0])
        states = []
        for t in range(inputs.shape[1]):
            h = ops.tanh(from_inputs[:, t] + ops.matmul(h, self.U))
            states.append(h)
        return ops.stack(states, axis=1)


def simple_rnn(inputs, weights):
    return SimpleNet(weights)(inputs)


# %% q5-uses
def encoder(states, mask):
    last = ops.sum(ops.cast(mask, "int32"), axis=1) - 1
    return ops.take_along_axis(states, ops.reshape(last, (-1, 1, 1)), axis=1)[:, 0]


def acceptor(states, mask, V, c):
    return transducer(encoder(states, mask)[:, None], V, c)[:, 0]


def transducer(states, V, c):
    return ops.einsum("btu,ul->btl", states, V) + ops.reshape(c, (1, 1, -1))


# %% q6-influence
def influence(network, inputs):
    before = ops.convert_to_tensor(network(inputs))
    noise = np.random.default_rng(0).normal(size=inputs[:, 0].shape)
    result = []
    for j in range(inputs.shape[1]):
        x = np.copy(inputs)
        x[:, j] += 1 + noise**2
        different = ops.abs(ops.convert_to_tensor(network(x)) - before) > 1e-7
        result.append(ops.convert_to_numpy(ops.any(different, axis=(0, 2))).astype(int))
    return result


# %% q7-bptt
class WayBack:
    def __init__(self, params, first):
        self.params = params
        self.total = {k: ops.zeros(np.shape(v)) for k, v in params.items()}
        self.later = ops.zeros(np.shape(first))

    def add(self, **more):
        for name, value in more.items():
            self.total[name] = self.total[name] + value

    def step(self, x, before, h, d_o):
        da = (ops.matmul(d_o, self.params["V"].T) + self.later) * (1.0 - h * h)
        self.add(V=ops.matmul(h.T, d_o), c=ops.sum(d_o, 0), b=ops.sum(da, 0))
        self.add(W=ops.matmul(x.T, da), U=ops.matmul(before.T, da))
        self.later = ops.matmul(da, self.params["U"].T)


def bptt(inputs, labels, params, first):
    _, states, d_logits = forward(inputs, labels, params, first)
    back = WayBack(params, first)
    befores = [first, *(states[:, t] for t in range(states.shape[1] - 1))]
    for t in range(states.shape[1])[::-1]:
        back.step(inputs[:, t], befores[t], states[:, t], d_logits[:, t])
    return back.total


# %% q9-truncated
def truncated_bptt(inputs, labels, params, length):
    state = ops.zeros((len(inputs), len(params["b"])))
    result = None
    for start in range(0, len(inputs[0]), length):
        part, state = autodiff(
            inputs[:, start : start + length], labels[:, start : start + length], params, state
        )
        result = part if result is None else {k: ops.add(result[k], part[k]) for k in part}
    return {k: v * length / len(inputs[0]) for k, v in result.items()}


# %% q10-jacobians
def gradients_through_time(states, U, last):
    if len(states) == 1:
        return last[None]
    rest = gradients_through_time(states[1:], U, last)
    first = ops.matmul((rest[0] * (1 - states[1] ** 2))[None], ops.transpose(U))
    return ops.concatenate([first, rest], axis=0)


# %% q12-clip
def clip_by_global_norm(gradients, limit):
    flat = ops.concatenate([ops.reshape(g, (-1,)) for g in gradients])
    norm = ops.norm(flat)
    print("norm", norm)
    return [ops.multiply(g, limit / ops.maximum(norm, limit)) for g in gradients]
