# wrong: the LSTM is counted with two biases for each block, as PyTorch has them
# loses: q10-count-test
# says: The LSTM of Keras has one row of biases

# %% q10-count
def weights_count(kind, features, units):
    if kind == "Elman":
        return units * (features + units + 1)
    blocks = 4 if kind == "LSTM" else 3
    return blocks * units * (features + units + 2)
