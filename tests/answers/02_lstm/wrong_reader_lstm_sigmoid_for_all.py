# wrong: the candidate goes through a sigmoid too, with the three gates
# loses: q5-lstm-test
# says: The candidate has a sigmoid

# %% q5-lstm
def lstm_step(x, h, c, kernel, recurrent_kernel, bias):
    blocks = ops.sigmoid(ops.matmul(x, kernel) + ops.matmul(h, recurrent_kernel) + bias)
    i, f, g, o = ops.split(blocks, 4, axis=-1)
    c = f * c + i * g
    return o * ops.tanh(c), c
