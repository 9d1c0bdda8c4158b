# wrong: takes the backward logits as if they stood in the order in which the model reads
# loses: q2-losses-test
# says: backward logits were turned round

# %% q2-losses
def bilm_losses(forward_logits, backward_logits, ids, mask):
    def mean_loss(logits, targets, real):
        logs = np.asarray(ops.log_softmax(logits, axis=-1))
        chosen = np.take_along_axis(logs, targets[..., None], axis=-1)[..., 0]
        return -chosen[real].mean()

    forward = mean_loss(forward_logits[:, :-1], ids[:, 1:], mask[:, 1:])
    backward_logits = backward_logits[:, ::-1]
    return forward, mean_loss(backward_logits[:, 1:], ids[:, :-1], mask[:, 1:])
