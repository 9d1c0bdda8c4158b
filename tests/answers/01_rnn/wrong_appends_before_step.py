# wrong: the list holds the states before each step
# loses: q3-unroll-test q4-keras-test
# says: unroll(step, inputs, first): states: not right. These are the states before each step
# says: simple_rnn(inputs, weights): not right. These are the states before each step
# %% q3-unroll
def unroll(step, inputs, first):
    h, states = first, []
    for t in range(inputs.shape[1]):
        states.append(h)
        h = step(inputs[:, t], h)
    return np.stack(states, axis=1), h
