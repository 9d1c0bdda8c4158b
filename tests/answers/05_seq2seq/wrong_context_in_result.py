# wrong: the list of states begins with the context
# loses: q5-first-state-test
# says: in front of the states
# %% q5-first-state
def decode_from_context(inputs, context, W, U, b):
    states = [context]
    for i in range(inputs.shape[1]):
        states.append(rnn_step(inputs[:, i], states[-1], W, U, b))
    return np.stack(states, axis=1)
