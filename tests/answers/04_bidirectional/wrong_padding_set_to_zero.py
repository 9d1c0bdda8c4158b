# wrong: inputs on the padding are set to 0, but the steps are made, and the bias moves the state
# loses: q2-padding-test
# says: makes its steps there
# %% q2-bidirectional
def bidirectional(inputs, mask, forward, backward):
    inputs = inputs * mask[:, :, None]

    def run(x, weights):
        h = np.zeros((len(x), len(weights["b"])))
        states = []
        for t in range(x.shape[1]):
            h = rnn_step(x[:, t], h, weights)
            states.append(h)
        return np.stack(states, axis=1)

    return np.concatenate([run(inputs, forward), run(inputs[:, ::-1], backward)[:, ::-1]], axis=-1)
