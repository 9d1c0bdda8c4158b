# wrong: counts two biases for the simple net, as another library has them (breaks "Elman is keras.layers.SimpleRNN, h' = tanh(x W + h U + b)": one bias)
# loses: q10-count-test
# says: The simple net of Keras has one row of biases

# %% q10-count
def weights_count(kind, features, units):
    """kind: "Elman", "LSTM" or "GRU"; features: size of an input; units: size of a state;
    returns how many numbers the layer learns"""
    blocks = {"Elman": 1, "LSTM": 4, "GRU": 3}[kind]
    biases = 1 if kind == "LSTM" else 2
    return blocks * (features * units + units * units + biases * units)
