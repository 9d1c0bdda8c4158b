# wrong: the two directions are added up
# loses: q2-keras-test q2-padding-test
# says: The two directions are added up
# %% q2-bidirectional
def bidirectional(inputs, mask, forward, backward):
    time = mask.shape[1]
    total = np.zeros((*mask.shape, len(forward["b"])))
    for weights, order in ((forward, range(time)), (backward, range(time - 1, -1, -1))):
        h = np.zeros((len(mask), len(weights["b"])))
        for t in order:
            h = np.where(mask[:, [t]], rnn_step(inputs[:, t], h, weights), h)
            total[:, t] += h
    return total
