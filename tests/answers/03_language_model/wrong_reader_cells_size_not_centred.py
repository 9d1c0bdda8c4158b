# wrong: the mean is taken off in the numerator only
# loses: q13-cells-test
# says: The mean is missing below the line

# %% q13-cells
def ranked_cells(states, inside):
    states, inside = np.asarray(states, "float64"), np.asarray(inside).astype("float64")
    centred = inside - inside.mean()
    products = (states - states.mean(axis=0)).T @ centred
    r = products / (np.linalg.norm(states, axis=0) * np.linalg.norm(centred))
    return np.argsort(-np.abs(r))
