# wrong: keeps the memory between -3 and 3, as some libraries can (breaks "c' = f * c + i * g": nothing limits it)
# loses: q5-lstm-test
# says: The memory is cut off at 3

# %% q5-lstm
def lstm_step(x, h, c, kernel, recurrent_kernel, bias):
    """One step of an LSTM. Returns the new h and the new c, both (batch, units)"""

    z = ops.matmul(x, kernel) + ops.matmul(h, recurrent_kernel) + bias
    i, f, g, o = ops.split(z, 4, axis=-1)
    c = ops.sigmoid(f) * c + ops.sigmoid(i) * ops.tanh(g)
    c = ops.clip(c, -3.0, 3.0)
    return ops.sigmoid(o) * ops.tanh(c), c
