# wrong: the gate of step t itself is in the product
# loses: q12-memory-test
# says: The gate of step t is in the product too
# %% q12-memory
def memory_gradients(forget_gates):
    return np.cumprod(forget_gates[::-1], axis=0)[::-1]
