# wrong: lets the reset gate act on both biases of the candidate (breaks "g = tanh(x W_g + b_g + r * (h U_g + b'_g))": b_g stands outside)
# loses: q7-gru-test
# says: The reset gate works on both biases of the candidate

# %% q7-gru
def gru_step(x, h, kernel, recurrent_kernel, bias):
    """One step of a GRU. Returns the new h, (batch, units)"""
    xz, xr, xg = ops.split(ops.matmul(x, kernel), 3, axis=-1)
    hz, hr, hg = ops.split(ops.matmul(h, recurrent_kernel) + bias[0] + bias[1], 3, axis=-1)
    z = ops.sigmoid(xz + hz)
    r = ops.sigmoid(xr + hr)
    g = ops.tanh(xg + r * hg)
    return z * h + (1 - z) * g
