# wrong: padding gets the score -1,000, which is not lower than real scores can be
# loses: q5-softmax-test
# says: its score is not low enough

# %% q5-softmax
def masked_softmax(scores, mask):
    return ops.softmax(ops.where(mask, scores, -1000.0), axis=-1)
