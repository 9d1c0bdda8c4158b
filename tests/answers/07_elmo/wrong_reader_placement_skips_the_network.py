# wrong: at the output, ELMo is joined to the static vector, and the network's output is lost
# loses: q7-placement-test
# says: take the place of the states, so that

# %% q7-placement
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    joined = ops.concatenate([static, elmo_vectors], axis=-1)
    inputs = joined if where in ("input", "both") else static
    outputs = rnn(inputs, mask)
    if where in ("output", "both"):
        outputs = joined
    return to_logits(outputs)
