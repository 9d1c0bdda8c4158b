# wrong: 1e-9 inside the logarithm keeps it from infinity and changes nothing; but no loss can be over 20.7 (breaks the formula -1/N sum log p: a word that the model holds for nearly impossible can cost 100 nats)
# loses: q2-losses-test
# says: A small number is added inside the logarithm

# %% q2-losses
def bilm_losses(forward_logits, backward_logits, ids, mask):
    def mean_loss(logits, targets, counted):
        p = np.asarray(ops.softmax(logits, axis=-1))
        p = np.take_along_axis(p, targets[..., None], axis=-1)[..., 0]
        return -np.sum(np.log(p + 1e-9) * counted) / np.sum(counted)

    ids, mask = np.asarray(ids), np.asarray(mask)
    forward = mean_loss(forward_logits[:, :-1], ids[:, 1:], mask[:, 1:])
    backward = mean_loss(backward_logits[:, 1:], ids[:, :-1], mask[:, 1:])
    return float(forward), float(backward)
