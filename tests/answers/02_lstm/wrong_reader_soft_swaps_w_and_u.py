# wrong: multiplies the state by W and the input by U; the shapes are the same, so nothing complains (breaks "g = sigma(x W + s U + b)")
# loses: q2-soft-test
# says: W and U are swapped

# %% q2-soft
def soft_gate(x, s, W, U, b):
    """x, s (batch, units), W, U (units, units), b (units,); returns the new state (batch, units)"""
    g = ops.sigmoid(ops.matmul(s, W) + ops.matmul(x, U) + b)
    return g * x + (1 - g) * s
