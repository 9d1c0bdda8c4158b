# wrong: looks for the edge from True to False; a sentence without padding has none, argmax says 0 and the first state comes out (breaks "the last state of a sentence is the one after its last real word")
# loses: q5-uses-test
# says: Of a sentence without padding, the first state is taken

# %% q5-uses
def encoder(states, mask):
    """states (batch, time, units), mask (batch, time); returns (batch, units)"""
    edge = mask[:, :-1] & ~mask[:, 1:]
    return states[np.arange(len(states)), edge.argmax(axis=1)]


def acceptor(states, mask, V, c):
    """states (batch, time, units), mask (batch, time), V (units, labels), c (labels,);
    returns logits (batch, labels)"""
    return encoder(states, mask) @ V + c


def transducer(states, V, c):
    """states (batch, time, units), V (units, labels), c (labels,);
    returns logits (batch, time, labels)"""
    return states @ V + c
