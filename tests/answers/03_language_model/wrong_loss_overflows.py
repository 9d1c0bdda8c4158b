# wrong: exp is taken of large logits
# loses: q2-loss-test
# says: An exp() becomes infinity or 0 there
# %% q2-loss
def cross_entropy(logits, targets, mask):
    exponentials = np.exp(logits)
    probabilities = exponentials / exponentials.sum(axis=-1, keepdims=True)
    of_targets = np.take_along_axis(probabilities, targets[..., None], axis=-1)[..., 0]
    return -np.log(of_targets[mask]).mean()
