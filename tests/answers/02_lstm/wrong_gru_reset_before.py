# wrong: the reset gate is multiplied with h before the product, as in the first paper
# loses: q7-gru-test
# says: The reset gate works before the product
# %% q7-gru
def gru_step(x, h, kernel, recurrent_kernel, bias):
    n = h.shape[1]
    a = x @ kernel + bias[0]
    z = ops.sigmoid(a[:, :n] + h @ recurrent_kernel[:, :n] + bias[1][:n])
    r = ops.sigmoid(a[:, n : 2 * n] + h @ recurrent_kernel[:, n : 2 * n] + bias[1][n : 2 * n])
    g = ops.tanh(a[:, 2 * n :] + ops.matmul(r * h, recurrent_kernel[:, 2 * n :]) + bias[1][2 * n :])
    return z * h + (1 - z) * g
