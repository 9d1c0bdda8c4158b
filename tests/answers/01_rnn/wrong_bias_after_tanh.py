# wrong: the bias is added after the tanh
# loses: q1-step-test q4-keras-test
# says: The tanh is taken before the bias is added
# %% q1-step
def elman_step(x, h, W, U, b):
    return np.tanh(x @ W + h @ U) + b
