# right: TensorFlow throughout, tensors returned as they are: decode_raw, boolean_mask, segment means, top_k, tf.data

# %% q1-characters
BEGIN_OF_WORD, END_OF_WORD, INSIDE_PADDING = 259, 260, 261


def word_characters(word, length):
    raised = tf.cast(tf.io.decode_raw(word, tf.uint8), tf.int32) + 1
    row = tf.concat([[BEGIN_OF_WORD], raised[: length - 2], [END_OF_WORD]], axis=0)
    return tf.pad(row, [[0, length - tf.size(row)]], constant_values=INSIDE_PADDING)

# %% q2-losses
def bilm_losses(forward_logits, backward_logits, ids, mask):
    ids, mask = tf.convert_to_tensor(ids), tf.cast(mask, tf.bool)
    pairs = mask[:, :-1] & mask[:, 1:]  # two real words side by side

    def mean_loss(logits, targets):
        logits = tf.boolean_mask(tf.convert_to_tensor(logits), pairs)
        targets = tf.boolean_mask(targets, pairs)
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(targets, logits))

    return mean_loss(forward_logits[:, :-1], ids[:, 1:]), mean_loss(backward_logits[:, 1:], ids[:, :-1])

# %% q3-representations
def representations(tokens, forward, backward):
    tokens = tf.convert_to_tensor(tokens)[tf.newaxis]
    left = tf.concat([tokens, forward], axis=0)
    right = tf.concat([tokens, tf.reverse(backward, axis=[1])], axis=0)
    return tf.concat([left, right], axis=-1)

# %% q4-mix
def scalar_mix(layers, w, gamma):
    layers = tf.convert_to_tensor(layers)
    s = tf.cast(tf.nn.softmax(tf.convert_to_tensor(w)), layers.dtype)
    return tf.cast(gamma, layers.dtype) * tf.tensordot(s, layers, axes=[[0], [1]])

# %% q5-penalty
def mix_penalty(w, strength):
    # l2_loss is half of the sum of squares
    return 2 * strength * tf.nn.l2_loss(tf.convert_to_tensor(w))

# %% q6-batch
def padded_layers(vectors):
    lengths = tf.constant([each.shape[1] for each in vectors])
    longest = tf.reduce_max(lengths)
    padded = [
        tf.pad(each, [[0, 0], [0, longest - each.shape[1]], [0, 0]])
        for each in map(tf.convert_to_tensor, vectors)
    ]
    return tf.stack(padded), tf.sequence_mask(lengths, longest)

# %% q7-placement
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    at_input, at_output = where in {"input", "both"}, where in {"output", "both"}
    inputs = tf.concat([static, elmo_vectors], axis=-1) if at_input else static
    outputs = rnn(inputs, mask)
    return to_logits(tf.concat([outputs, elmo_vectors], axis=-1) if at_output else outputs)

# %% q8-freeze
def freeze_bilm(model):
    for variable in model.bilm.variables:
        variable.trainable = False

# %% q9-nearest
def nearest(query, vectors, count):
    vectors = tf.linalg.l2_normalize(tf.convert_to_tensor(vectors), axis=-1)
    query = tf.linalg.l2_normalize(tf.cast(query, vectors.dtype), axis=-1)
    return tf.math.top_k(tf.linalg.matvec(vectors, query), k=count).indices

# %% q10-meaning
def nearest_meaning(known, meanings, vectors):
    different, groups = tf.unique(meanings)
    means = tf.math.unsorted_segment_mean(known, groups, tf.size(different))
    directions = tf.linalg.l2_normalize(means, axis=-1)
    cosines = tf.matmul(tf.linalg.l2_normalize(vectors, axis=-1), directions, transpose_b=True)
    return tf.gather(different, tf.argmax(cosines, axis=-1))

# %% q12-start
def start_from(language_model, classifier):
    encoder = classifier.encoder
    sources = [language_model.embedding] + list(language_model.recurrences)
    targets = [encoder.embedding] + list(encoder.recurrences)
    for source, target in zip(sources, targets, strict=True):
        target.set_weights(source.get_weights())

# %% q13-tune
labelled_sentences = (
    tf.data.Dataset.from_tensor_slices((judged_ids, judged_labels))
    .shuffle(len(judged_labels), seed=7)
    .batch(32)
    .prefetch(1)
)
judge = models.SequenceClassifier.from_language_model(language_model, classes=2)
judge.compile(
    keras.optimizers.Adam(0.003, global_clipnorm=1.0),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
tuning = judge.fit(labelled_sentences, epochs=JUDGE_EPOCHS, verbose=0)
