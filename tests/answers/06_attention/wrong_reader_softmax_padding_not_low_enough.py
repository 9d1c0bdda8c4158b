# wrong: padding gets the score -1,000, which is not lower than real scores can be
# loses: q5-softmax-test
# says: A score that gives weight 0 must be very small

# %% q5-softmax
def masked_softmax(scores, mask):
    return ops.softmax(ops.where(mask, scores, -1000.0), axis=-1)
