# wrong: the backward state stands before the forward one
# loses: q2-keras-test q2-padding-test
# says: The backward direction stands first

# %% q2-bidirectional
def bidirectional(inputs, mask, forward, backward):
    batch, time = mask.shape
    h = np.zeros((batch, len(forward["b"])))
    g = np.zeros((batch, len(backward["b"])))
    left, right = [], []
    for t in range(time):
        h = np.where(mask[:, t, None], rnn_step(inputs[:, t], h, forward), h)
        left.append(h)
    for t in reversed(range(time)):
        g = np.where(mask[:, t, None], rnn_step(inputs[:, t], g, backward), g)
        right.append(g)
    return np.concatenate([np.stack(right[::-1], axis=1), np.stack(left, axis=1)], axis=-1)
