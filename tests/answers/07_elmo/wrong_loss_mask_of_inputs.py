# wrong: the mask of the words that were read, not of those predicted: one step too many
# loses: q2-losses-test
# says: The pair of each last word and the padding behind it
# %% q2-losses
def bilm_losses(forward_logits, backward_logits, ids, mask):
    def mean(logits, targets, real):
        logs = np.asarray(ops.log_softmax(logits, axis=-1))
        losses = -np.take_along_axis(logs, targets[..., None], axis=-1)[..., 0]
        return losses[real].mean()

    real = mask[:, :-1]
    forward = mean(forward_logits[:, :-1], ids[:, 1:], real)
    return forward, mean(backward_logits[:, 1:], ids[:, :-1], real)
