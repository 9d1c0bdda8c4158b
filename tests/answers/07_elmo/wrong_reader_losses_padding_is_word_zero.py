# wrong: padding is where the id is 0, so the mask is not needed (breaks 'mask: True for a real word, False for padding': the id 0 can be a real word, and padding can hold other ids)
# loses: q2-losses-test
# says: Where the id is 0 is taken for padding

# %% q2-losses
def bilm_losses(forward_logits, backward_logits, ids, mask):
    ids = np.asarray(ids)
    real = ids[:, 1:] != 0

    def mean_loss(logits, targets):
        logs = np.asarray(ops.log_softmax(logits, axis=-1))
        return -np.take_along_axis(logs, targets[..., None], axis=-1)[..., 0][real].mean()

    return mean_loss(forward_logits[:, :-1], ids[:, 1:]), mean_loss(backward_logits[:, 1:], ids[:, :-1])
