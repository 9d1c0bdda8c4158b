# wrong: both directions run over the whole row; the mask is not used
# loses: q2-padding-test
# says: The backward direction begins on the padding
# %% q2-bidirectional
def bidirectional(inputs, mask, forward, backward):
    batch, time, _ = inputs.shape
    ahead, back = [], []
    h = np.zeros((batch, len(forward["b"])))
    for t in range(time):
        h = rnn_step(inputs[:, t], h, forward)
        ahead.append(h)
    h = np.zeros((batch, len(backward["b"])))
    for t in range(time - 1, -1, -1):
        h = rnn_step(inputs[:, t], h, backward)
        back.insert(0, h)
    return np.concatenate([np.stack(ahead, 1), np.stack(back, 1)], axis=-1)
