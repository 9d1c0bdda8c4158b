# wrong: taking the layers out of the list one after the other is harmless
# loses: q3-stacked-test
# says: Was the list of the weights changed

# %% q3-stacked
def stacked(inputs, mask, weights):
    outputs = []
    while weights:
        layer = weights.pop(0)
        inputs = both_directions(inputs, mask, layer["forward"], layer["backward"])
        outputs.append(inputs)
    return outputs
