# wrong: the states are stacked along the first axis
# loses: q3-unroll-test q4-keras-test
# says: the batch should come first
# %% q3-unroll
def unroll(step, inputs, first):
    h, states = first, []
    for t in range(inputs.shape[1]):
        h = step(inputs[:, t], h)
        states.append(h)
    return np.array(states), h
