# wrong: argsort sorts upwards, so the worst cell comes first
# loses: q13-cells-test
# says: begins with the smallest
# %% q13-cells
def ranked_cells(states, inside):
    correlations = [np.corrcoef(column, inside.astype(float))[0, 1] for column in states.T]
    return np.argsort(np.abs(correlations))
