# wrong: takes the numbers that are 1, with which Keras begins, for the forget block (breaks "set the block of the forget gate to value, and leave the other blocks as they are")
# loses: q11-bias-test
# says: The bias is as it was before

# %% q11-bias
def forget_bias(bias, value):
    """bias (4 * units,) in the blocks i, f, g, o; value: a number; returns the new bias (4 * units,)"""
    return np.where(np.asarray(bias) == 1, value, bias)
