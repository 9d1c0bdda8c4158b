# wrong: the bias of the list is not used, as if it were still the zeros with which Keras begins
# loses: q4-keras-test
# says: The biases are left out

# %% q4-keras
def simple_rnn(inputs, weights):
    W, U = weights[0], weights[1]
    h = np.zeros((inputs.shape[0], U.shape[0]))
    states = []
    for t in range(inputs.shape[1]):
        h = np.tanh(inputs[:, t] @ W + h @ U)
        states.append(h)
    return np.stack(states, axis=1)
