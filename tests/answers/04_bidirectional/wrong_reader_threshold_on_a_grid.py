# wrong: thresholds in steps of 0.01 from -1 to 1 are fine enough
# loses: q10-threshold-test
# says: Another threshold gives

# %% q10-threshold
def best_threshold(similarities, labels):
    similarities, labels = np.asarray(similarities), np.asarray(labels) == 1
    grid = np.linspace(-1, 1, 201)
    return grid[np.argmax([np.sum((similarities >= each) == labels) for each in grid])]
