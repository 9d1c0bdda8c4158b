# wrong: the first row of the bias is added to both parts; the second row is never used
# loses: q7-gru-test
# says: The first row of the bias stands in both places

# %% q7-gru
def gru_step(x, h, kernel, recurrent_kernel, bias):
    b = bias[0]
    xz, xr, xg = ops.split(ops.matmul(x, kernel) + b, 3, axis=-1)
    hz, hr, hg = ops.split(ops.matmul(h, recurrent_kernel) + b, 3, axis=-1)
    z = ops.sigmoid(xz + hz)
    r = ops.sigmoid(xr + hr)
    g = ops.tanh(xg + r * hg)
    return z * h + (1 - z) * g
