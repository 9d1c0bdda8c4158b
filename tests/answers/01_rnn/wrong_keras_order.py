# wrong: Keras's list is taken to be U, W, b
# loses: q4-keras-test
# says: W and U have changed places
# %% q4-keras
def simple_rnn(inputs, weights):
    U, W, b = weights
    h = np.zeros((len(inputs), len(b)), "float32")
    states = []
    for t in range(inputs.shape[1]):
        h = np.tanh(inputs[:, t] @ W + h @ U + b)
        states.append(h)
    return np.stack(states, axis=1)
