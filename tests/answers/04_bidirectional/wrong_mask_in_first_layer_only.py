# wrong: the mask goes to the first layer, the layers above get one that is True everywhere
# loses: q3-stacked-test
# says: The mask reaches the first layer only
# %% q3-stacked
def stacked(inputs, mask, weights):
    outputs = []
    for layer in weights:
        inputs = both_directions(inputs, mask, layer["forward"], layer["backward"])
        mask = np.ones(inputs.shape[:2], dtype=bool)
        outputs.append(inputs)
    return outputs
