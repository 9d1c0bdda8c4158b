# wrong: the mask is turned round in the softmax: the real positions get -1e9, the padding keeps its scores
# loses: q5-softmax-test
# says: the mask is inverted

# %% q5-softmax
def masked_softmax(scores, mask):
    """scores (batch, source), mask (batch, source) with True for a real position;
    returns weights (batch, source)"""
    scores = ops.where(mask, -1e9, scores)
    scores = scores - ops.max(scores, axis=-1, keepdims=True)
    exponentials = ops.exp(scores)
    return exponentials / ops.sum(exponentials, axis=-1, keepdims=True)
