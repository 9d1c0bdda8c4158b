# wrong: the tanh around the memory is forgotten
# loses: q5-lstm-test
# says: The tanh of the memory is missing
# %% q5-lstm
def lstm_step(x, h, c, kernel, recurrent_kernel, bias):
    z = ops.matmul(x, kernel) + ops.matmul(h, recurrent_kernel) + bias
    i, f, g, o = ops.split(z, 4, axis=-1)
    c = ops.sigmoid(f) * c + ops.sigmoid(i) * ops.tanh(g)
    return ops.sigmoid(o) * c, c
