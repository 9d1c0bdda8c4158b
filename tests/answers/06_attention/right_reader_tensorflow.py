# right: TensorFlow operations alone, such as tf.linalg.matvec and tf.nn.softmax; answers are tensors; the greedy loop goes on to max_length; the training data is a tf.data.Dataset

# %% q1-shift
def shift_targets(targets, mask):
    targets = tf.convert_to_tensor(targets)
    lengths = tf.math.count_nonzero(mask, axis=1)
    previous = tf.pad(targets, [[0, 0], [1, 0]], constant_values=BOS_ID)
    end = tf.one_hot(lengths, targets.shape[1] + 1, on_value=EOS_ID, off_value=0, dtype=targets.dtype)
    following = tf.pad(targets, [[0, 0], [0, 1]], constant_values=PAD_ID) + end
    return previous, following

# %% q2-dot
def dot_product_score(query, keys):
    return tf.linalg.matvec(keys, query)

# %% q3-multiplicative
def multiplicative_score(query, keys, W):
    return tf.linalg.matvec(keys, tf.matmul(query, W))

# %% q4-additive
def additive_score(query, keys, W, U, v):
    Wq = tf.matmul(query, W)
    Uh = tf.tensordot(keys, U, axes=1)
    return tf.tensordot(tf.tanh(tf.expand_dims(Wq, 1) + Uh), v, axes=1)

# %% q5-softmax
def masked_softmax(scores, mask):
    scores = tf.convert_to_tensor(scores)
    return tf.nn.softmax(tf.where(mask, scores, scores.dtype.min), axis=-1)

# %% q6-context
def context_vector(weights, keys):
    return tf.linalg.matvec(keys, weights, transpose_a=True)

# %% q7-step
def decoder_step(previous, state, keys, mask, params):
    context, weights = attend(state, keys, mask, params)
    embedded = tf.nn.embedding_lookup(params["embedding"], previous)
    new_state = gru(tf.concat([embedded, context], axis=-1), state, params)
    logits = tf.matmul(tf.concat([new_state, context], axis=-1), params["output"])
    return tf.nn.bias_add(logits, params["output_bias"]), new_state, weights

# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    previous = tf.fill([batch], BOS_ID)
    alive = tf.ones([batch], dtype=tf.bool)
    symbols = []
    for _ in range(max_length):
        scores, state = step(previous, state)
        best = tf.argmax(scores, axis=-1, output_type=tf.int32)
        previous = tf.where(alive, best, PAD_ID)
        alive = alive & (previous != EOS_ID)
        symbols.append(previous)
    return tf.stack(symbols, axis=1)

# %% q9-train
DATE_EPOCHS = 4 if FAST else 5

dates_for_training = tf.data.Dataset.from_tensor_slices(
    ({"source": date_source, "previous": date_previous}, date_following)
)
dates_for_training = dates_for_training.shuffle(len(date_source), seed=6).batch(64)
date_model = models.EncoderDecoder(
    source_size=len(source_vocabulary),
    target_size=len(target_vocabulary),
    units=64,
    embedding=48,
    attention=layers.AdditiveAttention(48),
)
date_model.compile(keras.optimizers.Adam(0.005, global_clipnorm=1.0), models.masked_cross_entropy)
date_model.fit(
    dates_for_training, epochs=DATE_EPOCHS, verbose=0, callbacks=[plots.TrainingCurve("Dates")]
)

# %% q10-aer
def alignment_error_rate(predicted, sure, possible):
    count = tf.math.count_nonzero
    both = count(tf.logical_and(predicted, sure)) + count(tf.logical_and(predicted, possible))
    return 1 - both / (count(predicted) + count(sure))

# %% q12-length
def accuracy_by_length(predictions, targets, edges):
    exact = tf.cast(tf.equal(predictions, targets), tf.float32)
    lengths = tf.strings.length(targets, unit="UTF8_CHAR")
    return [
        tf.reduce_mean(tf.boolean_mask(exact, (lengths >= low) & (lengths < high)))
        for low, high in zip(edges[:-1], edges[1:])
    ]

# %% q14-path
def path_length(j, i, n, attention):
    return tf.cond(tf.constant(attention), lambda: 4, lambda: (n - j) + (i - 1) + 3)

# %% q15-gradient
def gradient_norms(name, position):
    x = probe_vectors(name)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(x)
        loss = probe_loss(name, x, position)
    return tf.norm(tape.gradient(loss, x), axis=-1)[0]
