# wrong: z lets the candidate in, as in other books
# loses: q7-gru-test
# says: z keeps the wrong part
# %% q7-gru
def gru_step(x, h, kernel, recurrent_kernel, bias):
    x_z, x_r, x_g = ops.split(ops.matmul(x, kernel) + bias[0], 3, axis=-1)
    h_z, h_r, h_g = ops.split(ops.matmul(h, recurrent_kernel) + bias[1], 3, axis=-1)
    z = ops.sigmoid(x_z + h_z)
    r = ops.sigmoid(x_r + h_r)
    return (1 - z) * h + z * ops.tanh(x_g + r * h_g)
