# right: TensorFlow operations alone, also its own cross-entropy; answers are tensors; the model is plain Keras layers, trained by fit on windows without a carried state

# %% q1-windows
def windows(ids, batch, length):
    cut = lambda part: tf.unstack(tf.reshape(part, [batch, -1, length]), axis=1)
    return list(zip(cut(ids[:-1]), cut(ids[1:])))

# %% q2-loss
def cross_entropy(logits, targets, mask):
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)
    return tf.reduce_mean(tf.boolean_mask(loss, mask))

# %% q3-perplexity
def perplexity(log_probabilities, mask):
    return tf.exp(-tf.reduce_mean(tf.boolean_mask(log_probabilities, mask)))

# %% q4-train
CHAR_UNITS, CHAR_EPOCHS = (64, 2) if FAST else (160, 4)

char_model = keras.Sequential(
    [
        keras.Input((None,), dtype="int32"),
        keras.layers.Embedding(len(characters), 64),
        keras.layers.LSTM(CHAR_UNITS, return_sequences=True),
        keras.layers.Dense(len(characters)),
    ]
)
char_model.compile(
    keras.optimizers.Adam(0.01, global_clipnorm=1.0),
    keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
char_inputs, char_targets = (np.concatenate(part) for part in zip(*learned_windows))
char_model.fit(char_inputs, char_targets, batch_size=16, epochs=2 * CHAR_EPOCHS, verbose=0)

# %% q5-read
def read_text(run, first_state, window_list):
    state, found = first_state, []
    for inputs, targets in window_list:
        logits, state = run(inputs, state)
        found.append(-tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits))
    return tf.concat(found, axis=1)

# %% q6-bits
def bits_per_character(log_probabilities, mask):
    log_probabilities = tf.cast(log_probabilities, tf.float64)
    return -tf.reduce_mean(log_probabilities[mask]) / tf.math.log(tf.constant(2.0, tf.float64))

# %% q8-temperature
def with_temperature(logits, temperature):
    return tf.nn.softmax(tf.divide(logits, temperature))

# %% q9-top-k
def top_k(probabilities, k):
    best, _ = tf.math.top_k(probabilities, k)
    kept = tf.where(probabilities >= best[:, -1:], probabilities, 0.0)
    return kept / tf.reduce_sum(kept, axis=-1, keepdims=True)

# %% q10-top-p
def top_p(probabilities, mass):
    order = tf.argsort(probabilities, direction="DESCENDING")
    ranked = tf.gather(probabilities, order, batch_dims=1)
    before = tf.cumsum(ranked, axis=-1, exclusive=True)
    kept = tf.where(before < mass, ranked, tf.zeros_like(ranked))
    kept = tf.gather(kept, tf.argsort(order), batch_dims=1)
    return kept / tf.reduce_sum(kept, axis=-1, keepdims=True)

# %% q11-generate
def generate(step, state, prompt, length, choose):
    for symbol in tf.unstack(prompt, axis=1):
        logits, state = step(symbol, state)
    written = tf.TensorArray(tf.int64, size=length)
    for t in range(length):
        symbol = choose(logits)
        written = written.write(t, tf.cast(symbol, tf.int64))
        logits, state = step(symbol, state)
    return tf.transpose(written.stack())

# %% q13-cells
def ranked_cells(states, inside):
    states, inside = tf.cast(states, tf.float64), tf.cast(inside, tf.float64)
    c = tf.math.l2_normalize(states - tf.reduce_mean(states, axis=0), axis=0, epsilon=0)
    q = tf.math.l2_normalize(inside - tf.reduce_mean(inside), epsilon=0)
    return tf.argsort(tf.abs(tf.linalg.matvec(c, q, transpose_a=True)), direction="DESCENDING")

# %% q14-agreement
def agreement_by_attractors(right, wrong, attractors):
    better = tf.cast(tf.greater(right, wrong), tf.float32)
    return tf.math.unsorted_segment_mean(better, attractors, num_segments=4)

# %% q15-last
def last_word_probability(log_probabilities, mask):
    lengths = tf.math.count_nonzero(mask, axis=1)
    last = tf.gather(log_probabilities, lengths - 1, axis=1, batch_dims=1)
    return tf.reduce_mean(tf.exp(last))
