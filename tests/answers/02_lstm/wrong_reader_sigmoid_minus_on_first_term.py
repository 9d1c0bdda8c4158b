# wrong: the sigmoid is written out, and its minus stands before the first term only
# loses: q2-soft-test
# says: the minus belongs to the whole sum

# %% q2-soft
def soft_gate(x, s, W, U, b):
    g = 1 / (1 + np.exp(-x @ W + s @ U + b))
    return g * x + (1 - g) * s
