# wrong: the acceptor returns probabilities
# loses: q5-uses-test
# says: acceptor
# says: return the logits, before the softmax
# %% q5-uses
def encoder(states, mask):
    return states[np.arange(len(states)), mask.sum(axis=1) - 1]


def acceptor(states, mask, V, c):
    return ops.softmax(encoder(states, mask) @ V + c)


def transducer(states, V, c):
    return states @ V + c
