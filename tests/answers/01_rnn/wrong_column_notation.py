# wrong: the products of the textbook with columns, on rows: works only where all sizes are the same
# loses: q1-step-test q4-keras-test
# says: elman_step(x, h, W, U, b): not right. W and U are both transposed
# says: simple_rnn(inputs, weights): not right. W and U are both transposed
# %% q1-step
def elman_step(x, h, W, U, b):
    return np.tanh(np.dot(W, x.T).T + np.dot(U, h.T).T + b)
