# wrong: the mask belongs to the ELMo vectors, so the network needs it only where it reads them (breaks 'The recurrent network ... are functions that you call: `rnn(inputs, mask)`', for "none" and "output")
# loses: q7-placement-test
# says: mask only where it reads the ELMo vectors

# %% q7-placement
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    if where in ("input", "both"):
        h = rnn(ops.concatenate([static, elmo_vectors], axis=-1), mask)
    else:
        h = rnn(static, None)
    if where in ("output", "both"):
        h = ops.concatenate([h, elmo_vectors], axis=-1)
    return to_logits(h)
