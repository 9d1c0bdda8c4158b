# wrong: concatenate without an axis joins along the first axis, the sentences
# loses: q7-placement-test
# says: as concatenate does without an axis

# %% q7-placement
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    inputs = static
    if where in ("input", "both"):
        inputs = ops.concatenate([static, elmo_vectors])
    outputs = rnn(inputs, mask)
    if where in ("output", "both"):
        outputs = ops.concatenate([outputs, elmo_vectors])
    return to_logits(outputs)
