# wrong: U on the way back as on the way forward
# loses: q10-jacobians-test
# says: U is not transposed
# %% q10-jacobians
def gradients_through_time(states, U, last):
    g = np.zeros_like(states)
    g[-1] = last
    for t in range(len(states) - 2, -1, -1):
        g[t] = (g[t + 1] * (1 - states[t + 1] ** 2)) @ U
    return g
