# wrong: takes the larger of the two parts instead of their sum, right as long as no number is negative, as in the example (breaks "s' = g * x + (1 - g) * s")
# loses: q1-hard-test
# says: The larger one of the two parts is taken

# %% q1-hard
def hard_gate(g, x, s):
    """g (zeros and ones), x and s: arrays of one shape; returns the new state, of the same shape"""

    return np.maximum(g * x, (1 - g) * s)
