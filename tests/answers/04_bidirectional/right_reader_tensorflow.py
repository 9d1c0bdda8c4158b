# right: TensorFlow operations alone, such as tf.reverse_sequence and tf.scan; answers are tensors; other cells and sizes in the training questions

# %% q1-reverse
def reverse_real(inputs, mask):
    return tf.reverse_sequence(inputs, tf.math.count_nonzero(mask, axis=1), seq_axis=1)

# %% q2-bidirectional
def run_over_time(inputs, mask, weights, reverse):
    def keep_or_step(h, now):
        x, real = now
        return tf.where(real[:, tf.newaxis], tf.tanh(x @ W + h @ U + b), h)

    W, U, b = (tf.cast(weights[name], inputs.dtype) for name in ("W", "U", "b"))
    zeros = tf.zeros([inputs.shape[0], U.shape[0]], inputs.dtype)
    steps = tf.transpose(inputs, [1, 0, 2]), tf.transpose(mask)
    return tf.transpose(tf.scan(keep_or_step, steps, zeros, reverse=reverse), [1, 0, 2])


def bidirectional(inputs, mask, forward, backward):
    inputs, mask = tf.convert_to_tensor(inputs), tf.convert_to_tensor(mask)
    both = [run_over_time(inputs, mask, forward, False), run_over_time(inputs, mask, backward, True)]
    return tf.concat(both, axis=-1)

# %% q3-stacked
def stacked(inputs, mask, weights):
    outputs = [tf.convert_to_tensor(inputs)]
    for layer in weights:
        outputs += [tf.constant(both_directions(outputs[-1], mask, **layer))]
    return outputs[1:]

# %% q4-train
keras.utils.set_random_seed(7)
bank_tagger = models.TokenTagger(
    len(bank_vocabulary), tags=4, units=24, embedding=32, cell="gru", directions="both"
)
bank_tagger.compile(keras.optimizers.Adam(0.005, global_clipnorm=1.0))
bank_tagger.fit(bank_ids, bank_labels, batch_size=32, epochs=BANK_EPOCHS, verbose=0)

# %% q6-final
def final_states(outputs, mask):
    forward, backward = tf.split(outputs, 2, axis=-1)
    last = tf.math.count_nonzero(mask, axis=1) - 1
    return tf.concat([tf.gather(forward, last, axis=1, batch_dims=1), backward[:, 0]], axis=-1)

# %% q7-mcc
def matthews(predictions, labels):
    table = tf.cast(tf.math.confusion_matrix(labels, predictions, num_classes=2), tf.float64)
    (tn, fp), (fn, tp) = tf.unstack(tf.map_fn(tf.identity, table))
    below = tf.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return tf.math.divide_no_nan(tp * tn - fp * fn, below)

# %% q8-train
keras.utils.set_random_seed(7)
judge = models.SequenceClassifier(
    len(judged_vocabulary), classes=2, units=40, embedding=48, cell="lstm", directions="both"
)
judge.compile(keras.optimizers.Adam(0.005, global_clipnorm=1.0))
judge.fit(judged_ids, judged_labels, batch_size=32, epochs=JUDGE_EPOCHS, verbose=0)

# %% q9-cosine
def cosine_similarity(first, second):
    dot = tf.reduce_sum(tf.multiply(first, second), axis=1)
    return tf.math.divide_no_nan(dot, tf.norm(first, axis=1) * tf.norm(second, axis=1))

# %% q10-threshold
def best_threshold(similarities, labels):
    candidates = tf.concat([similarities, [tf.reduce_max(similarities) + 1]], axis=0)
    says = tf.less_equal(candidates[:, tf.newaxis], similarities)
    right = tf.math.count_nonzero(says == tf.cast(labels, tf.bool), axis=1)
    return candidates[tf.argmax(right)]

# %% q12-accuracy
def tag_accuracy(predicted, gold, mask):
    right = tf.cast(tf.equal(predicted, gold), tf.float32)
    return tf.reduce_mean(tf.boolean_mask(right, mask))

# %% q13-spans
import re


def entity_spans(tags):
    """The tags as one string with a letter for each beginning and each going on."""
    found, start = [], None
    for place, (before, tag, after) in enumerate(zip(["O", *tags], tags, [*tags[1:], "O"])):
        kind = re.sub("^[BI]-", "", tag)
        begins = tag != "O" and (tag[0] == "B" or before[1:] != tag[1:])
        if begins:
            start = place
        if tag != "O" and after != "I-" + kind:
            found.append((kind, start, place + 1))
    return found

# %% q14-f1
def entity_f1(predicted, gold):
    counts = tf.reduce_sum(
        [
            [len(p & g), len(p) + len(g)]
            for p, g in ((spans_of(p), spans_of(g)) for p, g in zip(predicted, gold))
        ],
        axis=0,
    )
    right, both = tf.unstack(tf.cast(counts, tf.float64))
    return tf.math.divide_no_nan(2 * right, both)
