# wrong: each layer reads the inputs again
# loses: q3-stacked-test
# says: Each layer reads the inputs
# %% q3-stacked
def stacked(inputs, mask, weights):
    return [both_directions(inputs, mask, w["forward"], w["backward"]) for w in weights]
