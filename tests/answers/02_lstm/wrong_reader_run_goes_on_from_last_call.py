# wrong: keeps the states from one call to the next, as long as the shapes fit (breaks "Both states begin with zeros")
# loses: q6-run-test
# says: Called again with the same inputs, it gives something else

# %% q6-run
REMEMBERED = {}


def run_lstm(inputs, weights):
    """An LSTM over a batch of sentences. Returns h after each step, (batch, time, units)"""
    kernel, recurrent_kernel, bias = weights
    shape = (inputs.shape[0], recurrent_kernel.shape[0])
    zeros = ops.zeros(shape)
    h, c = REMEMBERED.get(shape, (zeros, zeros))
    outputs = []
    for t in range(inputs.shape[1]):
        h, c = given_lstm_step(inputs[:, t], h, c, kernel, recurrent_kernel, bias)
        outputs.append(h)
    REMEMBERED[shape] = h, c
    return ops.stack(outputs, axis=1)
