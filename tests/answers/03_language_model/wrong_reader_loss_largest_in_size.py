# wrong: one subtracts the logit that is largest in size, max |z|
# loses: q2-loss-test
# says: first subtract the largest logit of each position

# %% q2-loss
def cross_entropy(logits, targets, mask):
    logits, targets, mask = np.asarray(logits), np.asarray(targets), np.asarray(mask)
    largest = np.abs(logits).max(axis=-1, keepdims=True)
    log_sum = np.log(np.exp(logits - largest).sum(axis=-1)) + largest[..., 0]
    chosen = np.take_along_axis(logits, targets[..., None], axis=-1)[..., 0]
    return np.mean((log_sum - chosen)[mask])
