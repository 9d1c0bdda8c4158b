# wrong: the property is always yes or no, so the distance of the two means, over the spread of the cell, gives the same order as |r|
# loses: q13-cells-test
# says: The property is taken for yes or no

# %% q13-cells
def ranked_cells(states, inside):
    states, inside = np.asarray(states, "float64"), np.asarray(inside).astype(bool)
    distance = states[inside].mean(axis=0) - states[~inside].mean(axis=0)
    return np.argsort(-np.abs(distance) / states.std(axis=0))
