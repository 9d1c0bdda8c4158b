# wrong: blocks in the order i, f, o, g, as some libraries keep them
# loses: q5-lstm-test
# says: The blocks of the candidate and the output gate are swapped
# %% q5-lstm
def lstm_step(x, h, c, kernel, recurrent_kernel, bias):
    z = ops.matmul(x, kernel) + ops.matmul(h, recurrent_kernel) + bias
    i, f, o, g = ops.split(z, 4, axis=-1)
    c = ops.sigmoid(f) * c + ops.sigmoid(i) * ops.tanh(g)
    return ops.sigmoid(o) * ops.tanh(c), c
