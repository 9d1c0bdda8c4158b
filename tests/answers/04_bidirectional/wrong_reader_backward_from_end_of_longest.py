# wrong: a position is padding when all rows are padding there
# loses: q2-padding-test
# says: The backward direction begins on the padding

# %% q2-bidirectional
def bidirectional(inputs, mask, forward, backward):
    inputs, mask = np.asarray(inputs), np.asarray(mask)
    halves = []
    for weights, turn in ((forward, 1), (backward, -1)):
        state = np.zeros((len(inputs), weights["U"].shape[0]))
        states = [None] * inputs.shape[1]
        for t in range(inputs.shape[1])[::turn]:
            if mask[:, t].any():
                state = rnn_step(inputs[:, t], state, weights)
            states[t] = state
        halves.append(np.stack(states, axis=1))
    return np.concatenate(halves, axis=-1)
