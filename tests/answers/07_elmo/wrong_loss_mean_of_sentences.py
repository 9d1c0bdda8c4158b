# wrong: a mean for each sentence, and the mean of these
# loses: q2-losses-test
# says: means of the means
# %% q2-losses
def bilm_losses(forward_logits, backward_logits, ids, mask):
    def mean(logits, targets, real):
        logs = np.asarray(ops.log_softmax(logits, axis=-1))
        losses = -np.take_along_axis(logs, targets[..., None], axis=-1)[..., 0]
        return np.mean((losses * real).sum(axis=1) / real.sum(axis=1))

    real = mask[:, 1:]
    forward = mean(forward_logits[:, :-1], ids[:, 1:], real)
    return forward, mean(backward_logits[:, 1:], ids[:, :-1], real)
