# wrong: the list begins with the inputs (layer 0 of the formula)
# loses: q3-stacked-test
# says: The first one is too many; the others are right

# %% q3-stacked
def stacked(inputs, mask, weights):
    outputs = [inputs]
    for layer in weights:
        outputs.append(both_directions(outputs[-1], mask, layer["forward"], layer["backward"]))
    return outputs
