# wrong: the GRU is counted with one row of biases, as many pages on the web do
# loses: q10-count-test
# says: The GRU of Keras has two rows of biases
# %% q10-count
def weights_count(kind, features, units):
    blocks = {"Elman": 1, "LSTM": 4, "GRU": 3}[kind]
    return blocks * (units * (units + features) + units)
