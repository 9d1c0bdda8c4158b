# wrong: any number may be subtracted, so the mean of the real scores is; a row with 1,000 beside -1,000 still overflows to nan; it breaks "take care that exp does not overflow"
# loses: q5-softmax-test
# says: The mean of the scores is subtracted

# %% q5-softmax
def masked_softmax(scores, mask):
    real = ops.cast(mask, "float32")
    scores = ops.cast(scores, "float32")
    mean = ops.sum(scores * real, axis=-1, keepdims=True) / ops.sum(real, axis=-1, keepdims=True)
    exponentials = ops.where(mask, ops.exp(scores - mean), 0.0)
    return exponentials / ops.sum(exponentials, axis=-1, keepdims=True)
