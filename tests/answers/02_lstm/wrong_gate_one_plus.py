# wrong: the second gate is (1 + g), a misprint that goes round; the soft gate has a tanh
# loses: q1-hard-test q2-soft-test
# says: should be (1 - g); here it is (1 + g)
# says: The gate has a tanh
# %% q1-hard
def hard_gate(g, x, s):
    return g * x + (1 + g) * s

# %% q2-soft
def soft_gate(x, s, W, U, b):
    g = ops.tanh(x @ W + s @ U + b)
    return g * x + (1 - g) * s
