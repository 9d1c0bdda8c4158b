# wrong: the vocabulary goes up to the largest target
# loses: q2-loss-test
# says: up to the largest target of the batch

# %% q2-loss
def cross_entropy(logits, targets, mask):
    logits, targets = np.asarray(logits), np.asarray(targets)
    one_hot = np.eye(targets.max() + 1)[targets]
    logits = logits[..., : one_hot.shape[-1]]
    largest = logits.max(axis=-1, keepdims=True)
    log_sum = np.log(np.exp(logits - largest).sum(axis=-1)) + largest[..., 0]
    return np.mean((log_sum - (one_hot * logits).sum(axis=-1))[np.asarray(mask)])
