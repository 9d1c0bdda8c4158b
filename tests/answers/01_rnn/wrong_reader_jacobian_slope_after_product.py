# wrong: multiplies by U transposed first and by the slopes of the later step afterwards (breaks "g_t = (g_{t+1} * (1 - h_{t+1} * h_{t+1})) U^T")
# loses: q10-jacobians-test
# says: First the derivative of tanh, then the transposed U

# %% q10-jacobians
def gradients_through_time(states, U, last):
    """states (time, units); U (units, units); last (units,);
    returns (time, units): the gradient with respect to each state, in the order of the states"""
    rows = [last]
    for t in range(len(states) - 2, -1, -1):
        rows.append((rows[-1] @ U.T) * (1 - states[t + 1] ** 2))
    return np.stack(rows[::-1])
