# wrong: at the input the ELMo vectors take the place of the static ones
# loses: q7-placement-test
# says: take the place of the static ones
# %% q7-placement
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    inputs = static
    if where in ("input", "both"):
        inputs = elmo_vectors
    states = rnn(inputs, mask)
    if where in ("output", "both"):
        states = ops.concatenate([states, elmo_vectors], axis=-1)
    return to_logits(states)
