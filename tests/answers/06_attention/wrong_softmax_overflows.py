# wrong: exp is taken of large scores, so they overflow
# loses: q5-softmax-test
# says: subtract the largest real score of the row first
# %% q5-softmax
def masked_softmax(scores, mask):
    exponentials = ops.exp(scores) * ops.cast(mask, "float32")
    return exponentials / ops.sum(exponentials, axis=-1, keepdims=True)
