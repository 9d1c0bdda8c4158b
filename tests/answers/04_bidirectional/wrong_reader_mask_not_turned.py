# wrong: the whole row of inputs is turned for the backward direction, the mask is not turned with it
# loses: q2-padding-test
# says: the mask is not; it must be turned too

# %% q2-bidirectional
def bidirectional(inputs, mask, forward, backward):
    def run(inputs, weights):
        h = np.zeros((len(inputs), len(weights["b"])))
        states = []
        for t in range(inputs.shape[1]):
            h = np.where(mask[:, t, None], rnn_step(inputs[:, t], h, weights), h)
            states.append(h)
        return np.stack(states, axis=1)

    turned = run(inputs[:, ::-1], backward)
    return np.concatenate([run(inputs, forward), turned[:, ::-1]], axis=-1)
