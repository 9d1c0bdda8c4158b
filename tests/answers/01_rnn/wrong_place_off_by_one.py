# wrong: the length of a sentence is taken as the place of its last state
# loses: q5-uses-test
# says: It is one place too far
# %% q5-uses
def encoder(states, mask):
    return states[np.arange(len(states)), mask.sum(axis=1)]


def acceptor(states, mask, V, c):
    return states[np.arange(len(states)), mask.sum(axis=1)] @ V + c


def transducer(states, V, c):
    return states @ V + c
