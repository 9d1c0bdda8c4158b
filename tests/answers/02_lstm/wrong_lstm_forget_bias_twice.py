# wrong: 1 is added to the forget gate, which Keras's bias holds already
# loses: q5-lstm-test
# says: The bias of the forget gate is one too high
# %% q5-lstm
def lstm_step(x, h, c, kernel, recurrent_kernel, bias):
    z = ops.matmul(x, kernel) + ops.matmul(h, recurrent_kernel) + bias
    i, f, g, o = ops.split(z, 4, axis=-1)
    c = ops.sigmoid(f + 1.0) * c + ops.sigmoid(i) * ops.tanh(g)
    return ops.sigmoid(o) * ops.tanh(c), c
