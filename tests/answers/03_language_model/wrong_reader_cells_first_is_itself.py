# wrong: in the table of all correlations the first place is always the property with itself, so leave it out
# loses: q13-cells-test
# says: The best cell is left out

# %% q13-cells
def ranked_cells(states, inside):
    table = np.column_stack([np.asarray(states, "float64"), np.asarray(inside).astype("float64")])
    r = np.corrcoef(table, rowvar=False)[-1]
    return np.argsort(-np.round(np.abs(r), 12), kind="stable")[1:]
