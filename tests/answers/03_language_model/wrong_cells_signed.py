# wrong: cells that fall with the property come last
# loses: q13-cells-test
# says: take the absolute correlation
# %% q13-cells
def ranked_cells(states, inside):
    correlations = [np.corrcoef(column, inside.astype(float))[0, 1] for column in states.T]
    return np.argsort(correlations)[::-1]
