# wrong: a simple net, which has no forget gate
# loses: q14-copier-test
# says: A change of the first symbol moves its scores by at most
# %% q14-copier
copier = train_copier(layers.ElmanCell(64))
