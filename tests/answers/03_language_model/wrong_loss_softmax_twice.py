# wrong: a softmax goes into a function that takes logits
# loses: q2-loss-test
# says: softmax is taken twice
# %% q2-loss
def cross_entropy(logits, targets, mask):
    probabilities = tf.nn.softmax(logits)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=probabilities)
    return tf.reduce_mean(losses[mask])
