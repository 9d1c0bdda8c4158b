# wrong: believes that a memory cannot be lost in less than a step, and says 1 for negative biases (breaks "Return n as a number that need not be whole", with sigma(b)^n = 1/2)
# loses: q13-half-test
# says: This is never below 1

# %% q13-half
def half_life(bias):
    """bias: a number b; returns after how many steps half of a memory is left"""
    n = np.log(0.5) / -np.log(1 + np.exp(-bias))
    return max(1.0, float(n))
