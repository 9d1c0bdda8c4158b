# wrong: the gate keeps the state where it is 1, as the z of a GRU does
# loses: q1-hard-test q2-soft-test
# says: The gate works the other way round
# %% q1-hard
def hard_gate(g, x, s):
    return g * s + (1 - g) * x

# %% q2-soft
def soft_gate(x, s, W, U, b):
    g = ops.sigmoid(ops.matmul(x, W) + ops.matmul(s, U) + b)
    return g * s + (1 - g) * x
