# wrong: the whole model is frozen, so that nothing is learned
# loses: q8-freeze-test
# says: Is the whole model frozen?
# %% q8-freeze
def freeze_bilm(model):
    model.trainable = False
