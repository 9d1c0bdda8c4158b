# wrong: the loop runs over the first axis, which is the batch
# loses: q3-unroll-test q4-keras-test
# says: the loop runs over the batch
# %% q3-unroll
def unroll(step, inputs, first):
    h, states = first, []
    for x in inputs:
        h = step(x, h)
        states.append(h)
    return np.stack(states, axis=1), h
