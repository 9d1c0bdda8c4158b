# wrong: the character encoder is left to train
# loses: q8-freeze-test
# says: is only a part of it frozen?
# %% q8-freeze
def freeze_bilm(model):
    model.bilm.forward_stack.trainable = False
    model.bilm.backward_stack.trainable = False
