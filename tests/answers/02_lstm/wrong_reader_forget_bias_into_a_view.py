# wrong: writes into a reshaped view, which is the array that it got (breaks "Do not change the array that you get; return a new one")
# loses: q11-bias-test
# says: writes into the bias that it gets

# %% q11-bias
def forget_bias(bias, value):
    """bias (4 * units,) in the blocks i, f, g, o; value: a number; returns the new bias (4 * units,)"""
    blocks = np.reshape(bias, (4, -1))
    blocks[1] = value
    return blocks.reshape(-1)
