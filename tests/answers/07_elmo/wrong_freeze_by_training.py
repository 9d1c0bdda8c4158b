# wrong: training=False switches dropout off, and freezes nothing
# loses: q8-freeze-test
# says: moved by up to
# %% q8-freeze
def freeze_bilm(model):
    model.bilm.training = False
