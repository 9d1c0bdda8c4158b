# wrong: the largest score is taken over padding too, so that a large score on the padding makes all real exponentials 0, and the weights 0 / 0
# loses: q5-softmax-test
# says: A large score on the padding gives NaN

# %% q5-softmax
def masked_softmax(scores, mask):
    """scores (batch, source), mask (batch, source) with True for a real position;
    returns weights (batch, source)"""
    scores = ops.convert_to_tensor(scores)
    largest = ops.max(scores, axis=-1, keepdims=True)
    exponentials = ops.exp(scores - largest) * ops.cast(mask, scores.dtype)
    return exponentials / ops.sum(exponentials, axis=-1, keepdims=True)
