# right: tensors of Keras and TensorFlow come back, and the threshold may be minus or plus infinity

# %% q1-reverse
def reverse_real(inputs, mask):
    lengths = tf.reduce_sum(tf.cast(mask, tf.int32), axis=1)
    return tf.reverse_sequence(tf.convert_to_tensor(inputs), lengths, seq_axis=1, batch_axis=0)

# %% q3-stacked
def stacked(inputs, mask, weights):
    outputs = []
    for layer in weights:
        inputs = ops.convert_to_tensor(both_directions(inputs, mask, layer["forward"], layer["backward"]))
        outputs += [inputs]
    return outputs

# %% q6-final
def final_states(outputs, mask):
    outputs = tf.convert_to_tensor(outputs)
    forward, backward = tf.split(outputs, 2, axis=-1)
    last = tf.reduce_sum(tf.cast(mask, tf.int32), axis=1) - 1
    return tf.concat([tf.gather(forward, last, axis=1, batch_dims=1), backward[:, 0]], axis=-1)

# %% q9-cosine
def cosine_similarity(first, second):
    first, second = tf.convert_to_tensor(first), tf.convert_to_tensor(second)
    products = tf.einsum("bu,bu->b", first, second)
    return tf.math.divide_no_nan(products, tf.norm(first, axis=-1) * tf.norm(second, axis=-1))

# %% q10-threshold
def best_threshold(similarities, labels):
    similarities, labels = np.asarray(similarities), np.asarray(labels).astype(bool)
    candidates = [-np.inf, *similarities, np.inf]
    return max(candidates, key=lambda each: np.mean((similarities >= each) == labels))

# %% q12-accuracy
def tag_accuracy(predicted, gold, mask):
    return ops.mean(ops.cast(np.equal(predicted, gold)[np.asarray(mask)], "float32"))
