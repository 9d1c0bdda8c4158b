# wrong: minus the mean probability, without the logarithm
# loses: q2-loss-test
# says: logarithm is missing
# %% q2-loss
def cross_entropy(logits, targets, mask):
    probabilities = np.asarray(ops.softmax(logits, axis=-1))
    of_targets = np.take_along_axis(probabilities, targets[..., None], axis=-1)[..., 0]
    return -of_targets[mask].mean()
