# right: operations of TensorFlow, which are free to use: its cross entropy of logits, exp(w - logsumexp(w)) for the softmax, 2 * lambda * tf.nn.l2_loss (which is half the sum of squares), tf.math.top_k; results are tensors

# %% q2-losses
def bilm_losses(forward_logits, backward_logits, ids, mask):
    ids = tf.cast(ids, tf.int64)
    real = tf.cast(mask, tf.bool)[:, 1:]

    def mean_loss(logits, targets):
        logits, targets = tf.boolean_mask(logits, real), tf.boolean_mask(targets, real)
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(targets, logits))

    forward_logits = tf.convert_to_tensor(forward_logits)
    backward_logits = tf.convert_to_tensor(backward_logits)
    forward = mean_loss(forward_logits[:, :-1], ids[:, 1:])
    return forward, mean_loss(backward_logits[:, 1:], ids[:, :-1])

# %% q4-mix
def scalar_mix(layers, w, gamma):
    layers = tf.convert_to_tensor(layers)
    w = tf.cast(tf.convert_to_tensor(w), layers.dtype)
    s = tf.exp(w - tf.reduce_logsumexp(w))
    return tf.tensordot(layers, tf.cast(gamma, layers.dtype) * s, axes=[[1], [0]])

# %% q5-penalty
def mix_penalty(w, strength):
    w = tf.convert_to_tensor(w)
    return 2 * tf.cast(strength, w.dtype) * tf.nn.l2_loss(w)

# %% q7-placement
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    at_input, at_output = {
        "none": (False, False), "input": (True, False), "output": (False, True), "both": (True, True)
    }[where]
    h = rnn(tf.concat([static] + at_input * [elmo_vectors], -1), mask)
    return to_logits(tf.concat([h] + at_output * [elmo_vectors], -1))

# %% q9-nearest
def nearest(query, vectors, count):
    query, vectors = tf.cast(query, tf.float64), tf.cast(vectors, tf.float64)
    cosines = tf.linalg.matvec(vectors, query) / (tf.norm(vectors, axis=-1) * tf.norm(query))
    return tf.math.top_k(cosines, k=count).indices
