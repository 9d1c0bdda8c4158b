# wrong: the padding counts in the mean
# loses: q2-losses-test
# says: padding counts
# %% q2-losses
def bilm_losses(forward_logits, backward_logits, ids, mask):
    def mean(logits, targets, real):
        logs = np.asarray(ops.log_softmax(logits, axis=-1))
        losses = -np.take_along_axis(logs, targets[..., None], axis=-1)[..., 0]
        return losses.mean()

    forward = mean(forward_logits[:, :-1], ids[:, 1:], mask)
    return forward, mean(backward_logits[:, 1:], ids[:, :-1], mask)
