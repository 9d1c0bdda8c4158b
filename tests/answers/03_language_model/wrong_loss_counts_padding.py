# wrong: the loss on padding is set to 0, but the mean runs over all positions
# loses: q2-loss-test
# says: still counted
# %% q2-loss
def cross_entropy(logits, targets, mask):
    losses = ops.sparse_categorical_crossentropy(targets, logits, from_logits=True)
    return ops.mean(losses * ops.cast(mask, "float32"))
