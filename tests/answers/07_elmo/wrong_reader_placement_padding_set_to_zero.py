# wrong: the logits of padding must be 0, so they are multiplied by the mask (breaks 'returns what to_logits returns')
# loses: q7-placement-test
# says: The logits of the padding are set to 0

# %% q7-placement
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    inputs = static
    if where == "input" or where == "both":
        inputs = ops.concatenate([static, elmo_vectors], axis=-1)
    h = rnn(inputs, mask)
    if where == "output" or where == "both":
        h = ops.concatenate([h, elmo_vectors], axis=-1)
    logits = to_logits(h)
    return logits * ops.cast(ops.expand_dims(mask, -1), logits.dtype)
