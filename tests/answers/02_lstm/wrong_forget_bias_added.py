# wrong: the value is added to the block
# loses: q11-bias-test
# says: it should be set
# %% q11-bias
def forget_bias(bias, value):
    bias = np.array(bias)
    n = len(bias) // 4
    bias[n : 2 * n] += value
    return bias
