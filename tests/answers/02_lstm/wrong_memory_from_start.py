# wrong: the product runs forward, from the first step
# loses: q12-memory-test
# says: The product runs from the first step on
# %% q12-memory
def memory_gradients(forget_gates):
    return np.cumprod(forget_gates, axis=0)
