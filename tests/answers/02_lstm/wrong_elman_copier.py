# wrong: a simple net, which has no forget gate
# loses: q14-copier-test
# says: copier: accuracy
# %% q14-copier
copier = train_copier(layers.ElmanCell(64))
