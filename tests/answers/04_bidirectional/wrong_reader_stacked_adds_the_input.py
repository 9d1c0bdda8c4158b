# wrong: deep networks add what goes into a layer to what comes out, where the sizes allow it
# loses: q3-stacked-test
# says: the outputs of the layer below are added

# %% q3-stacked
def stacked(inputs, mask, weights):
    outputs, below = [], np.asarray(inputs)
    for layer in weights:
        above = both_directions(below, mask, layer["forward"], layer["backward"])
        below = above + below if outputs and above.shape == below.shape else above
        outputs.append(below)
    return outputs
