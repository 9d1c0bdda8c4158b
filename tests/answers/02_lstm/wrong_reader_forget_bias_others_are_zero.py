# wrong: builds the bias anew with zeros for the other gates, with which Keras begins (breaks "leave the other blocks as they are")
# loses: q11-bias-test
# says: The other blocks are 0; they should stay as they were

# %% q11-bias
def forget_bias(bias, value):
    """bias (4 * units,) in the blocks i, f, g, o; value: a number; returns the new bias (4 * units,)"""
    units = len(bias) // 4
    new = np.zeros(4 * units, "float32")
    new[units : 2 * units] = value
    return new
