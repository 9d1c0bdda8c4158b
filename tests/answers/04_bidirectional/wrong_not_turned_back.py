# wrong: the backward states stay in the order in which they were computed
# loses: q2-keras-test q2-padding-test
# says: The backward outputs are not turned back: at each step
# says: The backward outputs are not turned back: at each position
# %% q2-bidirectional
def bidirectional(inputs, mask, forward, backward):
    def run(order, weights):
        h = np.zeros((len(inputs), len(weights["b"])))
        states = []
        for t in order:
            h = np.where(mask[:, t, None], rnn_step(inputs[:, t], h, weights), h)
            states.append(h)
        return np.stack(states, axis=1)

    steps = range(inputs.shape[1])
    return np.concatenate([run(steps, forward), run(reversed(steps), backward)], axis=2)
