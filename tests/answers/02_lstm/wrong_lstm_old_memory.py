# wrong: h is made from the memory before the step
# loses: q5-lstm-test
# says: h is made from the memory before the step
# %% q5-lstm
def lstm_step(x, h, c, kernel, recurrent_kernel, bias):
    z = ops.matmul(x, kernel) + ops.matmul(h, recurrent_kernel) + bias
    i, f, g, o = ops.split(z, 4, axis=-1)
    c_next = ops.sigmoid(f) * c + ops.sigmoid(i) * ops.tanh(g)
    h_next = ops.sigmoid(o) * ops.tanh(c)
    return h_next, c_next
