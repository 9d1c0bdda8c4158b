# wrong: freezes all layers but the last one, as in many tutorials: the mixture is frozen too
# loses: q8-freeze-test
# says: Their shapes: (3,), ()

# %% q8-freeze
def freeze_bilm(model):
    for layer in model.layers[:-1]:
        layer.trainable = False
