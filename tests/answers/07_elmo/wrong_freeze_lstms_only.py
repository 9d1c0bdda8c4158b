# wrong: the character encoder is left to train
# loses: q8-freeze-test
# says: moved by up to
# %% q8-freeze
def freeze_bilm(model):
    model.bilm.forward_stack.trainable = False
    model.bilm.backward_stack.trainable = False
