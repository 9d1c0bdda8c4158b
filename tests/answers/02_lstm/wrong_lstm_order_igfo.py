# wrong: blocks in the order of TensorFlow 1: i, candidate, f, o
# loses: q5-lstm-test
# says: taken in the order i, g, f, o. Keras's order is i, f, g, o
# %% q5-lstm
def lstm_step(x, h, c, kernel, recurrent_kernel, bias):
    i, j, f, o = ops.split(ops.matmul(x, kernel) + ops.matmul(h, recurrent_kernel) + bias, 4, axis=1)
    new_c = c * ops.sigmoid(f) + ops.sigmoid(i) * ops.tanh(j)
    new_h = ops.tanh(new_c) * ops.sigmoid(o)
    return new_h, new_c
