# right: TensorFlow ops only; objects (subclassed keras layers, tf.Module) bound to the asked names; multiplicative attention and other sizes in the training question

# %% q1-shift
class ShiftTargets(keras.layers.Layer):
    def call(self, targets, mask):
        targets = tf.cast(targets, tf.int32)
        batch = tf.shape(targets)[0]
        previous = tf.concat([tf.fill([batch, 1], BOS_ID), targets], axis=1)
        lengths = tf.math.count_nonzero(mask, axis=1, dtype=tf.int32)
        following = tf.pad(targets, [[0, 0], [0, 1]], constant_values=PAD_ID)
        places = tf.stack([tf.range(batch), lengths], axis=1)
        ends = tf.fill([batch], EOS_ID)
        return previous, tf.tensor_scatter_nd_update(following, places, ends)


shift_targets = ShiftTargets()

# %% q2-dot
class DotProductScore(keras.layers.Layer):
    def call(self, query, keys):
        return tf.linalg.matvec(keys, query)


dot_product_score = DotProductScore()

# %% q3-multiplicative
class MultiplicativeScore(keras.layers.Layer):
    def call(self, query, keys, W):
        return tf.reduce_sum(tf.matmul(query, W)[:, tf.newaxis] * keys, axis=2)


multiplicative_score = MultiplicativeScore()

# %% q4-additive
class AdditiveScore(keras.layers.Layer):
    def call(self, query, keys, W, U, v):
        from_query = tf.expand_dims(tf.matmul(query, W), axis=1)
        from_keys = tf.tensordot(keys, U, axes=[[2], [0]])
        hidden = tf.math.tanh(tf.add(from_query, from_keys))
        return tf.squeeze(tf.tensordot(hidden, v[:, tf.newaxis], axes=1), axis=[2])


additive_score = AdditiveScore()

# %% q5-softmax
class MaskedSoftmax(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True

    def call(self, scores, mask):
        mask = tf.cast(mask, tf.bool)
        lowest = tf.fill(tf.shape(scores), scores.dtype.min)
        return tf.nn.softmax(tf.where(mask, scores, lowest), axis=-1)


masked_softmax = MaskedSoftmax()

# %% q6-context
class ContextVector(keras.layers.Layer):
    def call(self, weights, keys):
        return tf.linalg.matvec(keys, weights, transpose_a=True)


context_vector = ContextVector()

# %% q7-step
class DecoderStep(keras.layers.Layer):
    def call(self, previous, state, keys, mask, params):
        y = tf.nn.embedding_lookup(params["embedding"], previous)
        c, alpha = attend(state, keys, mask, params)
        s = gru(tf.concat([y, c], axis=-1), state, params)
        logits = tf.nn.bias_add(tf.matmul(tf.concat([s, c], -1), params["output"]), params["output_bias"])
        return logits, s, alpha


decoder_step = DecoderStep()

# %% q8-greedy
class GreedyDecoder(tf.Module):
    def __call__(self, step, state, batch, max_length):
        previous = tf.fill([batch], BOS_ID)
        ended = tf.zeros([batch], dtype=tf.bool)
        columns = []
        for _ in range(max_length):
            scores, state = step(previous, state)
            best = tf.argmax(scores, axis=-1, output_type=tf.int32)
            previous = tf.where(ended, PAD_ID, best)
            columns.append(previous)
            ended = tf.logical_or(ended, tf.equal(previous, EOS_ID))
            if tf.reduce_all(ended):
                break
        return tf.stack(columns, axis=1)


greedy_decode = GreedyDecoder()

# %% q9-train
DATE_EPOCHS = 4 if FAST else 5

keras.utils.set_random_seed(11)
date_model = models.EncoderDecoder(
    len(source_vocabulary),
    len(target_vocabulary),
    units=96,
    embedding=48,
    attention=layers.MultiplicativeAttention(),
)
date_model.compile(
    optimizer=keras.optimizers.Adam(0.005, global_clipnorm=1.0), loss=models.masked_cross_entropy
)
date_dataset = (
    tf.data.Dataset.from_tensor_slices(
        ({"source": date_source, "previous": date_previous}, date_following)
    )
    .shuffle(len(date_source), seed=11)
    .batch(64)
)
date_model.fit(
    date_dataset, epochs=DATE_EPOCHS, verbose=0, callbacks=[plots.TrainingCurve("Dates")]
)

# %% q10-aer
class AlignmentErrorRate(keras.layers.Layer):
    def call(self, predicted, sure, possible):
        predicted, sure, possible = (tf.cast(x, tf.bool) for x in (predicted, sure, possible))
        count = lambda links: tf.math.count_nonzero(links, dtype=tf.float32)  # noqa: E731
        found = count(predicted & sure) + count(predicted & possible)
        return 1.0 - found / (count(predicted) + count(sure))


alignment_error_rate = AlignmentErrorRate()

# %% q12-length
class AccuracyByLength(tf.Module):
    def __call__(self, predictions, targets, edges):
        predictions, targets = tf.constant(predictions), tf.constant(targets)
        lengths = tf.strings.length(targets, unit="UTF8_CHAR")
        right = tf.cast(predictions == targets, tf.float32)
        return [
            tf.reduce_mean(tf.boolean_mask(right, (lengths >= low) & (lengths < high)))
            for low, high in zip(edges, edges[1:])
        ]


accuracy_by_length = AccuracyByLength()

# %% q14-path
class PathLength(tf.Module):
    def __call__(self, j, i, n, attention):
        return tf.where(attention, 4, n - j + i + 2)


path_length = PathLength()

# %% q15-gradient
class GradientNorms(tf.Module):
    def __call__(self, name, position):
        vectors = probe_vectors(name)
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(vectors)
            loss = probe_loss(name, vectors, position)
        return tf.norm(tape.gradient(loss, vectors), axis=-1)[0]


gradient_norms = GradientNorms()
