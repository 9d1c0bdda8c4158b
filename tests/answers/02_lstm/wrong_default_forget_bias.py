# wrong: the LSTM begins with Keras's own forget bias, 1
# loses: q14-copier-test
# says: A change of the first symbol moves its scores by at most
# %% q14-copier
copier = train_copier(layers.LSTMCell(64))
