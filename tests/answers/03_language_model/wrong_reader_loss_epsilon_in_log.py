# wrong: a small number inside the logarithm keeps it from -inf
# loses: q2-loss-test
# says: A small number inside the logarithm

# %% q2-loss
def cross_entropy(logits, targets, mask):
    probabilities = ops.convert_to_numpy(ops.softmax(logits, axis=-1))
    chosen = np.take_along_axis(probabilities, np.asarray(targets)[..., None], axis=-1)[..., 0]
    return -np.log(chosen + 1e-9)[np.asarray(mask)].mean()
