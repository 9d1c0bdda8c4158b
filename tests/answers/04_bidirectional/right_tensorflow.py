# right: TensorFlow: reverse_sequence, scan, gather_nd, boolean_mask; a functional Keras model as the tagger; a judge that is trained on a tf.data.Dataset
# %% q1-reverse
def reverse_real(inputs, mask):
    lengths = tf.reduce_sum(tf.cast(mask, tf.int32), axis=1)
    return tf.reverse_sequence(inputs, lengths, seq_axis=1, batch_axis=0)

# %% q2-bidirectional
def bidirectional(inputs, mask, forward, backward):
    inputs = tf.cast(inputs, tf.float32)
    lengths = tf.reduce_sum(tf.cast(mask, tf.int32), axis=1)

    def scan(inputs, weights):
        W, U, b = (tf.cast(weights[name], tf.float32) for name in ("W", "U", "b"))
        by_time = tf.transpose(inputs, [1, 0, 2])
        first = tf.zeros((tf.shape(inputs)[0], tf.shape(b)[0]))
        states = tf.scan(lambda h, x: tf.tanh(x @ W + h @ U + b), by_time, first)
        return tf.transpose(states, [1, 0, 2])

    ahead = scan(inputs, forward)
    back = scan(tf.reverse_sequence(inputs, lengths, seq_axis=1), backward)
    return tf.concat([ahead, tf.reverse_sequence(back, lengths, seq_axis=1)], -1)

# %% q3-stacked
def stacked(inputs, mask, weights):
    if not weights:
        return []
    first, *others = weights
    outputs = tf.constant(both_directions(inputs, mask, first["forward"], first["backward"]))
    return [outputs] + stacked(outputs, mask, others)

# %% q4-train
words = keras.Input((None,), dtype="int32")
vectors = keras.layers.Embedding(len(bank_vocabulary), 32)(words)
states = keras.layers.Bidirectional(keras.layers.GRU(32, return_sequences=True))(
    vectors, mask=ops.not_equal(words, 0)
)
bank_tagger = keras.Model(words, keras.layers.Dense(4)(states))
bank_tagger.compile(
    keras.optimizers.Adam(0.01), loss=models.masked_cross_entropy, jit_compile=False
)
bank_tagger.fit(bank_ids, bank_labels, batch_size=32, epochs=BANK_EPOCHS, verbose=0)

# %% q6-final
def final_states(outputs, mask):
    outputs = tf.convert_to_tensor(outputs)
    ahead, back = tf.split(outputs, 2, axis=-1)
    last = tf.reduce_sum(tf.cast(mask, tf.int32), axis=1) - 1
    rows = tf.range(tf.shape(outputs)[0])
    return tf.concat([tf.gather_nd(ahead, tf.stack([rows, last], axis=1)), back[:, 0, :]], axis=-1)

# %% q7-mcc
def matthews(predictions, labels):
    p, t = tf.cast(predictions, tf.float64), tf.cast(labels, tf.float64)
    p, t = p - tf.reduce_mean(p), t - tf.reduce_mean(t)
    below = tf.sqrt(tf.reduce_sum(p * p) * tf.reduce_sum(t * t))
    return tf.math.divide_no_nan(tf.reduce_sum(p * t), below)

# %% q8-train
dataset = tf.data.Dataset.from_tensor_slices((judged_ids, judged_labels))
dataset = dataset.shuffle(len(judged_ids), seed=1).batch(32)
judge = models.SequenceClassifier(
    len(judged_vocabulary), classes=2, units=48, embedding=32, cell="gru", directions="both"
)
judge.compile(optimizer=keras.optimizers.Adam(0.005))
judge.fit(dataset, epochs=JUDGE_EPOCHS, verbose=0)

# %% q9-cosine
def cosine_similarity(first, second):
    first, second = tf.math.l2_normalize(first, axis=1), tf.math.l2_normalize(second, axis=1)
    return tf.linalg.diag_part(tf.matmul(first, second, transpose_b=True))

# %% q10-threshold
def best_threshold(similarities, labels):
    candidates = tf.concat([similarities, [2.0]], axis=0)
    decisions = similarities[None, :] >= candidates[:, None]
    right = tf.reduce_sum(tf.cast(decisions == (labels[None] == 1), tf.int32), axis=1)
    return tf.gather(candidates, tf.argmax(right))

# %% q12-accuracy
def tag_accuracy(predicted, gold, mask):
    same = tf.cast(tf.equal(predicted, gold), tf.float32)
    return tf.reduce_mean(tf.boolean_mask(same, mask))

# %% q13-spans
import re


def entity_spans(tags):
    """The tags as one text, in which a pattern finds the names."""
    text_of_tags = "".join(f"{place}:{tag} " for place, tag in enumerate(tags))
    pattern = r"(\d+):[BI]-(\w+) ((?:\d+:I-\2 )*)"
    return [
        (kind, int(start), int(start) + 1 + others.count(" "))
        for start, kind, others in re.findall(pattern, text_of_tags)
    ]

# %% q14-f1
from collections import Counter


def entity_f1(predicted, gold):
    ours = Counter((n, s) for n, tags in enumerate(predicted) for s in spans_of(tags))
    theirs = Counter((n, s) for n, tags in enumerate(gold) for s in spans_of(tags))
    right, total = (ours & theirs).total(), (ours + theirs).total()
    return tf.math.divide_no_nan(2.0 * right, float(total))
