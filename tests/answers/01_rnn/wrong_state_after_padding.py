# wrong: the last column is taken, padding or not
# loses: q5-uses-test
# says: a state after padding
# %% q5-uses
def encoder(states, mask):
    return states[:, -1]


def acceptor(states, mask, V, c):
    return states[:, -1] @ V + c


def transducer(states, V, c):
    return states @ V + c
