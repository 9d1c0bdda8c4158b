# wrong: the largest absolute value is subtracted; scores of 1,000 are safe, but a row of scores around -1,000 goes down to -2,000, all exponentials are 0 and 0 / 0 is nan; it breaks "scores can be far from 0 (1,000 and more, or -1,000 and less)" and "the weights of the real positions must sum to 1"
# loses: q5-softmax-test
# says: The largest size of a score

# %% q5-softmax
def masked_softmax(scores, mask):
    real = ops.where(mask, scores, ops.zeros_like(scores))
    scores = scores - ops.max(ops.abs(real), axis=-1, keepdims=True)
    exponentials = ops.where(mask, ops.exp(scores), ops.zeros_like(scores))
    return exponentials / ops.sum(exponentials, axis=-1, keepdims=True)
