# wrong: the second bias of the candidate stands outside of the reset gate: r * (h U_g) + b'_g
# loses: q7-gru-test
# says: stands outside the reset gate

# %% q7-gru
def gru_step(x, h, kernel, recurrent_kernel, bias):
    xz, xr, xg = ops.split(ops.matmul(x, kernel) + bias[0] + bias[1], 3, axis=-1)
    hz, hr, hg = ops.split(ops.matmul(h, recurrent_kernel), 3, axis=-1)
    z = ops.sigmoid(xz + hz)
    r = ops.sigmoid(xr + hr)
    g = ops.tanh(xg + r * hg)
    return z * h + (1 - z) * g
