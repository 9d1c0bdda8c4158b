# wrong: the products are right, but rolled up by one row: the last row is the product of all gates, not 1
# loses: q12-memory-test
# says: The last row should be 1

# %% q12-memory
def memory_gradients(forget_gates):
    products = np.cumprod(forget_gates[::-1], axis=0)[::-1]
    return np.roll(products, -1, axis=0)
