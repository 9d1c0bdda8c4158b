# wrong: both directions use the forward weights (one cell object for both)
# loses: q2-keras-test q2-padding-test
# says: Both directions have the forward weights
# %% q2-bidirectional
def bidirectional(inputs, mask, forward, backward):
    def run(order):
        h = np.zeros((len(inputs), len(forward["b"])))
        states = {}
        for t in order:
            h = np.where(mask[:, t, None], rnn_step(inputs[:, t], h, forward), h)
            states[t] = h
        return np.stack([states[t] for t in sorted(states)], axis=1)

    time = inputs.shape[1]
    return np.concatenate([run(range(time)), run(range(time - 1, -1, -1))], axis=-1)
