# wrong: keeps the state wherever g * x is 0, so a 0 of the input is never written (breaks "Where it is 1, the input is written into the state")
# loses: q1-hard-test
# says: A 0 of the input is not written

# %% q1-hard
def hard_gate(g, x, s):
    """g (zeros and ones), x and s: arrays of one shape; returns the new state, of the same shape"""

    written = g * x
    return np.where(written != 0, written, s)
