# wrong: each placement is asked for by its own name, and 'both' is neither
# loses: q7-placement-test
# says: not joined at all
# %% q7-placement
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    inputs = static
    if where == "input":
        inputs = ops.concatenate([static, elmo_vectors], axis=-1)
    states = rnn(inputs, mask)
    if where == "output":
        states = ops.concatenate([states, elmo_vectors], axis=-1)
    return to_logits(states)
