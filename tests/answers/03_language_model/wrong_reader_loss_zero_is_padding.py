# wrong: after the product with the mask, what is not 0 are the real symbols, so they can be counted there
# loses: q2-loss-test
# says: A symbol with the loss 0 is not counted

# %% q2-loss
def cross_entropy(logits, targets, mask):
    logits, targets = np.asarray(logits), np.asarray(targets)
    largest = logits.max(axis=-1, keepdims=True)
    log_sum = np.log(np.exp(logits - largest).sum(axis=-1)) + largest[..., 0]
    chosen = np.take_along_axis(logits, targets[..., None], axis=-1)[..., 0]
    losses = (log_sum - chosen) * np.asarray(mask)
    return losses.sum() / max(np.count_nonzero(losses), 1)
