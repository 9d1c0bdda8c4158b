# wrong: an ordinary softmax; the mask is not used
# loses: q5-softmax-test
# says: mask is left out

# %% q5-softmax
def masked_softmax(scores, mask):
    """scores (batch, source), mask (batch, source) with True for a real position;
    returns weights (batch, source)"""
    scores = scores - ops.max(scores, axis=-1, keepdims=True)
    exponentials = ops.exp(scores)
    return exponentials / ops.sum(exponentials, axis=-1, keepdims=True)
