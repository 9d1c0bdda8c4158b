# wrong: the second row of the bias is not used
# loses: q7-gru-test
# says: The second row of the bias, the state's, is left out
# %% q7-gru
def gru_step(x, h, kernel, recurrent_kernel, bias):
    x_z, x_r, x_g = ops.split(ops.matmul(x, kernel) + bias[0], 3, axis=-1)
    h_z, h_r, h_g = ops.split(ops.matmul(h, recurrent_kernel), 3, axis=-1)
    z = ops.sigmoid(x_z + h_z)
    r = ops.sigmoid(x_r + h_r)
    return z * h + (1 - z) * ops.tanh(x_g + r * h_g)
