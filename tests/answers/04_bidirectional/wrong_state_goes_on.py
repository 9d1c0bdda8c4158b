# wrong: the backward direction begins with the last state of the forward one, not with zeros
# loses: q2-keras-test q2-padding-test
# says: with_keras_weights(inputs, weights): not right. The backward direction begins with the last state
# says: bidirectional(inputs, mask, forward, backward): not right. The backward direction begins with the last state
# %% q2-bidirectional
def bidirectional(inputs, mask, forward, backward):
    batch, time = mask.shape
    h = np.zeros((batch, len(forward["b"])))
    result = np.zeros((batch, time, 2 * h.shape[1]))
    units = h.shape[1]
    for t in range(time):
        h = np.where(mask[:, t, None], rnn_step(inputs[:, t], h, forward), h)
        result[:, t, :units] = h
    for t in reversed(range(time)):
        h = np.where(mask[:, t, None], rnn_step(inputs[:, t], h, backward), h)
        result[:, t, units:] = h
    return result
