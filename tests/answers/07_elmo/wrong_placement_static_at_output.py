# wrong: at the output the static vectors are joined once more
# loses: q7-placement-test
# says: it should be the ELMo vectors
# %% q7-placement
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    inputs = static
    if where in ("input", "both"):
        inputs = ops.concatenate([static, elmo_vectors], axis=-1)
    states = rnn(inputs, mask)
    if where in ("output", "both"):
        states = ops.concatenate([states, static], axis=-1)
    return to_logits(states)
