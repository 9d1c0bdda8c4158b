# wrong: the layers get a mask that is True everywhere
# loses: q3-stacked-test
# says: The backward direction begins on the padding
# says: in each layer
# %% q3-stacked
def stacked(inputs, mask, weights):
    outputs = []
    for layer in weights:
        every = np.ones_like(mask)
        inputs = both_directions(inputs, every, layer["forward"], layer["backward"])
        outputs.append(inputs)
    return outputs
