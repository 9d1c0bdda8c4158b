# wrong: `where == "input" or "both"` is true for each value of where
# loses: q7-placement-test
# says: whatever `where` says

# %% q7-placement
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    inputs = static
    if where == "input" or "both":
        inputs = ops.concatenate([static, elmo_vectors], axis=-1)
    outputs = rnn(inputs, mask)
    if where == "output" or "both":
        outputs = ops.concatenate([outputs, elmo_vectors], axis=-1)
    return to_logits(outputs)
