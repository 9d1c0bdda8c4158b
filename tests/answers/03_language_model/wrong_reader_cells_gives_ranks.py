# wrong: argsort twice gives the rank of each cell, not the numbers of the cells in their order
# loses: q13-cells-test
# says: These are ranks of the cells

# %% q13-cells
def ranked_cells(states, inside):
    c = states - states.mean(axis=0)
    q = np.asarray(inside, dtype="float64")
    q = q - q.mean()
    r = (c * q[:, None]).sum(axis=0) / np.sqrt((c**2).sum(axis=0) * (q**2).sum())
    return np.argsort(np.argsort(-np.abs(r)))
