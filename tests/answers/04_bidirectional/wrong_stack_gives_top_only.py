# wrong: only the outputs of the highest layer are returned
# loses: q3-stacked-test
# says: Only the last one is there; give all of them
# %% q3-stacked
def stacked(inputs, mask, weights):
    for layer in weights:
        inputs = both_directions(inputs, mask, layer["forward"], layer["backward"])
    return [inputs]
