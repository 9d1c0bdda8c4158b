# wrong: divides the product of all gates by the product up to t, which is 0 / 0 once a gate is 0 or the product gets too small for the type (breaks "f_{t+1} * ... * f_N", and "For t = N ... the product is 1")
# loses: q12-memory-test
# says: Was something divided by zero

# %% q12-memory
def memory_gradients(forget_gates):
    """forget_gates (time, units): f of the steps 1 to N;
    returns (time, units): the product of the gates after each step, ones in the last row"""
    so_far = np.cumprod(forget_gates, axis=0)
    with np.errstate(all="ignore"):
        return so_far[-1] / so_far
