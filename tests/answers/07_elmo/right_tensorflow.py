# right: TensorFlow operations; tensors come back; a mask as integers inside; a smaller learning rate
# %% q1-characters
def word_characters(word, length):
    inner = tf.cast(tf.io.decode_raw(word, tf.uint8), tf.int32)[: length - 2] + 1
    marked = tf.concat([[259], inner, [260]], axis=0)
    return tf.pad(marked, [[0, length - len(marked)]], constant_values=261)


# %% q2-losses
def bilm_losses(forward_logits, backward_logits, ids, mask):
    both = tf.stack([forward_logits[:, :-1], backward_logits[:, 1:]])
    targets = tf.stack([ids[:, 1:], ids[:, :-1]])
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=both)
    real = tf.cast(mask[:, 1:], losses.dtype)
    return tf.unstack(tf.reduce_sum(losses * real, axis=[1, 2]) / tf.reduce_sum(real))


# %% q3-representations
def representations(tokens, forward, backward):
    backward = tf.reverse(backward, axis=[1])
    pairs = [tf.concat([tokens, tokens], -1)]
    for ahead, back in zip(tf.unstack(tf.convert_to_tensor(forward)), tf.unstack(backward)):
        pairs.append(tf.concat([ahead, back], -1))
    return tf.stack(pairs)


# %% q4-mix
def scalar_mix(layers, w, gamma):
    s = tf.nn.softmax(w)
    return tf.tensordot(layers, s, axes=[[1], [0]]) * gamma


# %% q5-penalty
def mix_penalty(w, strength):
    return strength * tf.reduce_sum(tf.square(w))


# %% q6-batch
def padded_layers(vectors):
    rows = tf.ragged.stack([tf.transpose(each, [1, 0, 2]) for each in vectors])
    lengths = [each.shape[1] for each in vectors]
    full = rows.to_tensor()[:, : max(lengths)]
    return tf.transpose(full, [0, 2, 1, 3]), tf.sequence_mask(lengths, max(lengths))


# %% q7-placement
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    below = tf.concat([static, elmo_vectors], -1) if where in "input both".split() else static
    states = rnn(below, mask)
    if where.startswith(("out", "both")):
        states = tf.concat([states, elmo_vectors], -1)
    return to_logits(states)


# %% q8-freeze
def freeze_bilm(model):
    setattr(model.bilm, "trainable", False)


# %% q9-nearest
def nearest(query, vectors, count):
    scores = tf.linalg.matvec(tf.math.l2_normalize(vectors, axis=-1), tf.math.l2_normalize(query, axis=-1))
    return tf.math.top_k(scores, k=count).indices


# %% q10-meaning
def nearest_meaning(known, meanings, vectors):
    names, places = tf.unique(meanings)
    sums = tf.math.unsorted_segment_sum(known, places, tf.size(names))
    means = tf.math.l2_normalize(sums, axis=-1)
    scores = tf.matmul(tf.math.l2_normalize(vectors, axis=-1), means, transpose_b=True)
    return tf.gather(names, tf.argmax(scores, axis=-1))


# %% q12-start
def start_from(language_model, classifier):
    old = language_model.embedding.weights + sum((r.weights for r in language_model.recurrences), [])
    for new, trained in zip(classifier.encoder.weights, old):
        new.assign(trained)


# %% q13-tune
judge = models.SequenceClassifier.from_language_model(language_model, classes=2)
judge.compile(
    optimizer=keras.optimizers.Adam(0.001),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
history = judge.fit(judged_ids, judged_labels, batch_size=32, epochs=JUDGE_EPOCHS, verbose=0)
print(history.history["accuracy"][-1])
