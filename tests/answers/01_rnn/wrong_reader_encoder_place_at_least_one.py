# wrong: reads "Each sentence has at least one" as "the place is at least 1", so a sentence of one word gives the state after the padding (breaks "the last state of a sentence is the one after its last real word")
# loses: q5-uses-test
# says: Of a sentence of one word, the state after the padding is taken

# %% q5-uses
def encoder(states, mask):
    """states (batch, time, units), mask (batch, time); returns (batch, units)"""
    places = np.maximum(mask.sum(axis=1) - 1, 1)
    places = np.minimum(places, states.shape[1] - 1)
    return states[np.arange(len(states)), places]


def acceptor(states, mask, V, c):
    """states (batch, time, units), mask (batch, time), V (units, labels), c (labels,);
    returns logits (batch, labels)"""
    return encoder(states, mask) @ V + c


def transducer(states, V, c):
    """states (batch, time, units), V (units, labels), c (labels,);
    returns logits (batch, time, labels)"""
    return states @ V + c
