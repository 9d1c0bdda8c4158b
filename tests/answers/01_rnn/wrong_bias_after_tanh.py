# wrong: the bias is added after the tanh
# loses: q1-step-test q4-keras-test
# says: elman_step(x, h, W, U, b): not right. The tanh is taken before the bias is added
# says: simple_rnn(inputs, weights): not right. The tanh is taken before the bias is added
# %% q1-step
def elman_step(x, h, W, U, b):
    return np.tanh(x @ W + h @ U) + b
