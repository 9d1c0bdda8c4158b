# wrong: the covariance is not divided by the standard deviations
# loses: q13-cells-test
# says: order by covariance
# %% q13-cells
def ranked_cells(states, inside):
    values = inside.astype(float)
    covariance = (states - states.mean(axis=0)).T @ (values - values.mean())
    return np.argsort(-np.abs(covariance))
