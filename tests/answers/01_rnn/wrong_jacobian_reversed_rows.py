# wrong: the list that grew from the end is not turned round
# loses: q10-jacobians-test
# says: The rows stand from the last state to the first
# %% q10-jacobians
def gradients_through_time(states, U, last):
    rows = [last]
    for t in range(len(states) - 1, 0, -1):
        rows.append((rows[-1] * (1 - states[t] ** 2)) @ U.T)
    return np.array(rows)
