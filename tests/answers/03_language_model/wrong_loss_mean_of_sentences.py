# wrong: the mean over each sentence first, then over the sentences
# loses: q2-loss-test
# says: mean of the sentences' means
# %% q2-loss
def cross_entropy(logits, targets, mask):
    losses = np.asarray(ops.sparse_categorical_crossentropy(targets, logits, from_logits=True))
    return np.mean([row[real].mean() for row, real in zip(losses, mask)])
