# wrong: the blocks are taken in PyTorch's order r, z, g
# loses: q7-gru-test
# says: The blocks of z and r are swapped

# %% q7-gru
def gru_step(x, h, kernel, recurrent_kernel, bias):
    xr, xz, xg = ops.split(ops.matmul(x, kernel) + bias[0], 3, axis=-1)
    hr, hz, hg = ops.split(ops.matmul(h, recurrent_kernel) + bias[1], 3, axis=-1)
    z = ops.sigmoid(xz + hz)
    r = ops.sigmoid(xr + hr)
    g = ops.tanh(xg + r * hg)
    return z * h + (1 - z) * g
