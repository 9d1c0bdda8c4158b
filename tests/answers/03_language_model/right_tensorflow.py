# right: TensorFlow operations; objects bound to the asked names; a plain Keras model without a carried state in the training question

# %% q1-windows
class Windows:
    """A list of pairs of tensors."""

    def __call__(self, ids, batch, length):
        pairs = tf.stack([ids[:-1], ids[1:]])
        pairs = tf.reshape(pairs, [2, batch, -1, length])
        pairs = tf.transpose(pairs, [2, 0, 1, 3])
        return [(pair[0], pair[1]) for pair in pairs]


windows = Windows()

# %% q2-loss
class CrossEntropy(tf.Module):
    def __call__(self, logits, targets, mask):
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)
        return tf.reduce_mean(tf.boolean_mask(losses, mask))


cross_entropy = CrossEntropy()

# %% q3-perplexity
@tf.function
def perplexity(log_probabilities, mask):
    return tf.exp(-tf.reduce_mean(tf.boolean_mask(log_probabilities, mask)))

# %% q4-train
CHAR_UNITS, CHAR_EPOCHS = (64, 2) if FAST else (160, 4)

keras.utils.set_random_seed(33)
inputs = np.concatenate([pair[0] for pair in learned_windows])
targets = np.concatenate([pair[1] for pair in learned_windows])
char_model = keras.Sequential(
    [
        keras.layers.Embedding(len(characters), 64),
        keras.layers.LSTM(CHAR_UNITS, return_sequences=True),
        keras.layers.Dense(len(characters)),
    ]
)
char_model.compile(
    optimizer=keras.optimizers.Adam(0.004, global_clipnorm=1.0),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
char_model.fit(inputs, targets, batch_size=STREAMS, epochs=CHAR_EPOCHS, verbose=0)

# %% q5-read
class ReadText:
    def __call__(self, run, first_state, window_list):
        state, found = first_state, []
        for inputs, targets in window_list:
            logits, state = run(inputs, state)
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)
            found.append(-losses)
        return tf.concat(found, axis=1)


read_text = ReadText()

# %% q6-bits
def bits_per_character(log_probabilities, mask):
    real = tf.cast(mask, log_probabilities.dtype)
    return -tf.reduce_sum(log_probabilities * real) / tf.reduce_sum(real) / tf.math.log(2.0)

# %% q8-temperature
def with_temperature(logits, temperature):
    return tf.nn.softmax(tf.math.divide(logits, temperature))

# %% q9-top-k
def top_k(probabilities, k):
    values, places = tf.math.top_k(probabilities, k)
    kept = tf.reduce_sum(tf.one_hot(places, probabilities.shape[-1]), axis=1) * probabilities
    return kept / tf.reduce_sum(values, axis=-1, keepdims=True)

# %% q10-top-p
def top_p(probabilities, mass):
    order = tf.argsort(probabilities, direction="DESCENDING")
    ordered = tf.gather(probabilities, order, batch_dims=1)
    before = tf.cumsum(ordered, axis=-1, exclusive=True)
    kept = tf.where(before < mass, ordered, tf.zeros_like(ordered))
    kept = tf.gather(kept, tf.argsort(order), batch_dims=1)  # back to the places
    return kept / tf.reduce_sum(kept, axis=-1, keepdims=True)

# %% q11-generate
def generate(step, state, prompt, length, choose):
    for column in tf.unstack(prompt, axis=1):
        logits, state = step(column, state)
    ids = [choose(logits)]
    while len(ids) < length:
        logits, state = step(ids[-1], state)
        ids.append(choose(logits))
    return tf.stack(ids, axis=1)

# %% q13-cells
def ranked_cells(states, inside):
    cells = tf.cast(states, tf.float64)
    q = tf.cast(inside, tf.float64)
    cells = (cells - tf.reduce_mean(cells, axis=0)) / tf.math.reduce_std(cells, axis=0)
    correlations = tf.linalg.matvec(cells, q - tf.reduce_mean(q), transpose_a=True)
    return tf.argsort(tf.abs(correlations), direction="DESCENDING")

# %% q14-agreement
def agreement_by_attractors(right, wrong, attractors):
    wins = tf.cast(tf.greater(right, wrong), tf.float32)
    return tf.math.unsorted_segment_mean(wins, attractors, num_segments=4)

# %% q15-last
def last_word_probability(log_probabilities, mask):
    last = tf.math.count_nonzero(mask, axis=1) - 1
    return tf.reduce_mean(tf.exp(tf.gather(log_probabilities, last, batch_dims=1)))
