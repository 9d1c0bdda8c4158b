# wrong: believes a state of one sentence is a plain vector, so squeezes the result (breaks "returns the new state (batch, units)" for a batch of one, or one unit)
# loses: q1-step-test q4-keras-test
# says: with a batch of one should have the shape (1, 3). Received: shape (3,)

# %% q1-step
def elman_step(x, h, W, U, b):
    """x (batch, features), h (batch, units), W (features, units), U (units, units), b (units,);
    returns the new state (batch, units)"""
    return np.squeeze(np.tanh(x @ W + h @ U + b))
