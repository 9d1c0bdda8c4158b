# wrong: the first block is set, as if the forget gate came first
# loses: q11-bias-test
# says: This is the input gate's block
# %% q11-bias
def forget_bias(bias, value):
    bias = np.array(bias)
    bias[: len(bias) // 4] = value
    return bias
