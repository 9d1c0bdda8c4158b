# wrong: a sigmoid, as some texts write the activation
# loses: q1-step-test q4-keras-test
# says: elman_step(x, h, W, U, b): not right. This is a sigmoid
# says: simple_rnn(inputs, weights): not right. This is a sigmoid
# %% q1-step
def elman_step(x, h, W, U, b):
    return ops.sigmoid(ops.matmul(x, W) + ops.matmul(h, U) + b)
