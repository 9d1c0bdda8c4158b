# wrong: the derivative of tanh is taken at h_t
# loses: q10-jacobians-test
# says: must be taken at h_{t+1}
# %% q10-jacobians
def gradients_through_time(states, U, last):
    g = np.zeros_like(states)
    g[-1] = last
    for t in range(len(states) - 2, -1, -1):
        g[t] = (g[t + 1] * (1 - states[t] ** 2)) @ U.T
    return g
