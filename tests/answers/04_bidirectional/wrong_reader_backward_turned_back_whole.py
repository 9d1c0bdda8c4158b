# wrong: only the inputs need the careful turn, the states can be turned back as whole rows
# loses: q2-padding-test
# says: turned back as whole rows

# %% q2-bidirectional
def bidirectional(inputs, mask, forward, backward):
    inputs = np.asarray(inputs)
    lengths = np.asarray(mask).sum(axis=1)
    turned = inputs.copy()
    for row, length in enumerate(lengths):
        turned[row, :length] = inputs[row, :length][::-1]

    def run(sequence, weights):
        state, states = np.zeros((len(sequence), weights["U"].shape[0])), []
        for t in range(sequence.shape[1]):
            state = rnn_step(sequence[:, t], state, weights)
            states.append(state)
        return np.stack(states, axis=1)

    return np.concatenate([run(inputs, forward), run(turned, backward)[:, ::-1]], axis=-1)
