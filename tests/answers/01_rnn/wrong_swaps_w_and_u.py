# wrong: W meets the state and U the input
# loses: q1-step-test q4-keras-test
# says: W and U are swapped: W belongs to the input
# says: W and U have changed places
# %% q1-step
def elman_step(x, h, W, U, b):
    return np.tanh(np.dot(h, W) + np.dot(x, U) + b)
