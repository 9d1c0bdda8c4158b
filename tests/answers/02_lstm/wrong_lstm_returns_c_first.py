# wrong: the two states come back in the wrong order
# loses: q5-lstm-test
# says: h and c are swapped in the result
# %% q5-lstm
def lstm_step(x, h, c, kernel, recurrent_kernel, bias):
    z = ops.matmul(x, kernel) + ops.matmul(h, recurrent_kernel) + bias
    i, f, g, o = ops.split(z, 4, axis=-1)
    c = ops.sigmoid(f) * c + ops.sigmoid(i) * ops.tanh(g)
    h = ops.sigmoid(o) * ops.tanh(c)
    return c, h
