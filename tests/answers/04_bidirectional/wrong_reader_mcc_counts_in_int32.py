# wrong: whole numbers of 32 bits are large enough for counts
# loses: q7-mcc-test
# says: too large for whole numbers of 32 bits

# %% q7-mcc
def matthews(predictions, labels):
    predictions, labels = tf.cast(predictions, tf.int32), tf.cast(labels, tf.int32)
    tp = tf.reduce_sum(predictions * labels)
    tn = tf.reduce_sum((1 - predictions) * (1 - labels))
    fp = tf.reduce_sum(predictions * (1 - labels))
    fn = tf.reduce_sum((1 - predictions) * labels)
    product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    if int(product) == 0:
        return 0.0
    return float(tp * tn - fp * fn) / np.sqrt(float(product))
