# wrong: the encoder looks at the mask, the acceptor takes the last column
# loses: q5-uses-test
# says: The state in the last column is taken

# %% q5-uses
def encoder(states, mask):
    lengths = np.sum(mask, axis=1)
    return states[np.arange(len(states)), lengths - 1]


def acceptor(states, mask, V, c):
    return states[:, -1] @ V + c


def transducer(states, V, c):
    return states @ V + c
