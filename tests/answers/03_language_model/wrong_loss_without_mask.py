# wrong: the mask is not used
# loses: q2-loss-test
# says: Padding counts too
# %% q2-loss
def cross_entropy(logits, targets, mask):
    logs = ops.log_softmax(logits, axis=-1)
    return -ops.mean(ops.take_along_axis(logs, targets[..., None], axis=-1))
