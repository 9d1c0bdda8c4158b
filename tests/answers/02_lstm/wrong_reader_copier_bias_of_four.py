# wrong: takes a forget bias of 4, which half a memory survives for 38 steps only (breaks "Choose the forget bias ... such that at least half of a memory is left after the wait")
# loses: q14-copier-test
# says: with a forget bias of 4, half of a memory is left after 38.2 steps

# %% q14-copier
copier = train_copier(layers.LSTMCell(64, forget_bias=4.0))
