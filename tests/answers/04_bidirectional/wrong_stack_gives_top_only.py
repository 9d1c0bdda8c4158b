# wrong: only the outputs of the highest layer are returned
# loses: q3-stacked-test
# says: should return 3 things
# %% q3-stacked
def stacked(inputs, mask, weights):
    for layer in weights:
        inputs = both_directions(inputs, mask, layer["forward"], layer["backward"])
    return [inputs]
