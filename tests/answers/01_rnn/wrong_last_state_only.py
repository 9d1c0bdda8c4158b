# wrong: gives the last state alone, as SimpleRNN does without return_sequences
# loses: q4-keras-test
# says: The last step's output is there alone
# %% q4-keras
def simple_rnn(inputs, weights):
    W, U, b = weights
    h = np.zeros((len(inputs), len(b)), "float32")
    for t in range(inputs.shape[1]):
        h = np.tanh(inputs[:, t] @ W + h @ U + b)
    return h
