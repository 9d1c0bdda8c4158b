# wrong: the mask is cut as the logits are, so the forward model must also predict padding after the last word
# loses: q2-losses-test
# says: forward loss counts one step too many

# %% q2-losses
def bilm_losses(forward_logits, backward_logits, ids, mask):
    def mean_loss(logits, targets, real):
        logs = np.asarray(ops.log_softmax(logits, axis=-1))
        chosen = np.take_along_axis(logs, targets[..., None], axis=-1)[..., 0]
        return -(chosen * real).sum() / real.sum()

    forward = mean_loss(forward_logits[:, :-1], ids[:, 1:], mask[:, :-1])
    backward = mean_loss(backward_logits[:, 1:], ids[:, :-1], mask[:, 1:])
    return forward, backward
