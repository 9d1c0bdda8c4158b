# wrong: a gradient tape does the work
# loses: q7-output-test q7-time-test
# says: ready-made GradientTape of TensorFlow
# %% q7-bptt
def bptt(inputs, labels, params, first):
    p = {name: tf.Variable(value) for name, value in params.items()}
    with tf.GradientTape() as tape:
        h, losses = tf.constant(first), []
        for t in range(inputs.shape[1]):
            h = tf.tanh(inputs[:, t] @ p["W"] + h @ p["U"] + p["b"])
            logits = h @ p["V"] + p["c"]
            losses.append(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels[:, t], logits=logits)
            )
        loss = tf.reduce_mean(tf.stack(losses))
    names = list(p)
    return dict(zip(names, tape.gradient(loss, [p[name] for name in names])))
