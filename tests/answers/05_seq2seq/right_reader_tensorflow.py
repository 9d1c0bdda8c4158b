# right: TensorFlow throughout: ragged tensors, tf.scan, tf.while_loop, top_k, segment sums, tf.data, the context as first state

# %% q1-vocabulary
def build_vocabulary(texts):
    characters = tf.strings.unicode_split(tf.constant(list(texts)), "UTF-8").flat_values
    unique = [each.decode("utf-8") for each in tf.unique(characters).y.numpy()]
    return dict(zip(sorted(unique), range(EOS_ID + 1, EOS_ID + 1 + len(unique))))

# %% q2-encode
def encode_texts(texts, ids):
    rows = tf.ragged.constant([[ids.get(each, UNK_ID) for each in text] for text in texts], tf.int32)
    mask = tf.sequence_mask(rows.row_lengths())
    return rows.to_tensor(default_value=PAD_ID), mask

# %% q3-shift
def shift_targets(targets, mask):
    targets = tf.where(mask, targets, PAD_ID)
    lengths = tf.reduce_sum(tf.cast(mask, tf.int32), axis=1)
    previous = tf.pad(targets, [[0, 0], [1, 0]], constant_values=BOS_ID)
    end = tf.one_hot(lengths, tf.shape(targets)[1] + 1, on_value=EOS_ID, off_value=0, dtype=targets.dtype)
    return previous, tf.pad(targets, [[0, 0], [0, 1]]) + end

# %% q4-encoder
def tf_step(x, h, W, U, b):
    return tf.tanh(tf.matmul(x, W) + tf.matmul(h, U) + b)


def float32(*arrays):
    return [tf.cast(each, tf.float32) for each in arrays]


def encoder_context(inputs, mask, W, U, b):
    inputs, W, U, b = float32(inputs, W, U, b)
    by_time = tf.transpose(inputs, [1, 0, 2]), tf.transpose(mask)[..., None]
    start = tf.zeros([tf.shape(inputs)[0], tf.shape(U)[0]])
    states = tf.scan(
        lambda h, here: tf.where(here[1], tf_step(here[0], h, W, U, b), h), by_time, start
    )
    return states[-1]

# %% q5-first-state
def decode_from_context(inputs, context, W, U, b):
    inputs, context, W, U, b = float32(inputs, context, W, U, b)
    states = tf.scan(lambda s, y: tf_step(y, s, W, U, b), tf.transpose(inputs, [1, 0, 2]), context)
    return tf.transpose(states, [1, 0, 2])

# %% q6-every-step
@tf.function(reduce_retracing=True)
def unrolled_decoder(inputs, context, W, U, b):
    time = tf.shape(inputs)[1]
    states = tf.TensorArray(tf.float32, size=time)
    s = tf.zeros_like(context)
    for i in tf.range(time):
        x = tf.concat([inputs[:, i], context], axis=1)
        s = tf.tanh(tf.matmul(x, W) + tf.matmul(s, U) + b)
        states = states.write(i, s)
    return tf.transpose(states.stack(), [1, 0, 2])


def decode_with_context(inputs, context, W, U, b):
    return unrolled_decoder(*(tf.cast(each, tf.float32) for each in (inputs, context, W, U, b)))

# %% q7-mix
def scheduled_mix(true, predicted, probability, draws):
    return tf.where(tf.less(draws, tf.cast(probability, tf.as_dtype(draws.dtype))), true, predicted)

# %% q8-separator
def join(source, target, sep_id, eos_id):
    source, target = tf.cast(source, tf.int64), tf.cast(target, tf.int64)
    whole = tf.concat([source, [sep_id], target, [eos_id]], axis=0)
    mask = tf.logical_not(tf.sequence_mask(tf.size(source), tf.size(whole) - 1))
    return whole[:-1], whole[1:], mask

# %% q9-greedy
def greedy_decode(step, state, batch, max_length):
    """All steps to max_length, then PAD_ID wherever an end token stands before."""
    previous = tf.fill([batch], BOS_ID)
    columns = []
    while len(columns) < max_length:
        scores, state = step(previous, state)
        previous = tf.argmax(scores, axis=-1, output_type=tf.int32)
        columns.append(previous)
    written = tf.stack(columns, axis=1)
    ends = tf.cast(written == EOS_ID, tf.int32)
    return tf.where(tf.cumsum(ends, axis=1, exclusive=True) > 0, PAD_ID, written)

# %% q10-beam
def beam_search(step, state, width, max_length, power):
    def score(hypothesis):
        symbols, total, _ = hypothesis
        return float(total) / len(symbols) ** power

    beam, complete = [([], tf.constant(0.0, tf.float64), state)], []
    for _ in range(max_length):
        if not beam:
            break
        rows, states = [], []
        for symbols, total, own in beam:
            scores, own = step(tf.constant(symbols[-1] if symbols else BOS_ID), own)
            rows.append(total + tf.nn.log_softmax(tf.cast(scores, tf.float64)))
            states.append(own)
        totals = tf.stack(rows)
        vocabulary = totals.shape[-1]
        best = tf.math.top_k(tf.reshape(totals, [-1]), k=min(width, tf.size(totals).numpy()))
        longer = [
            (beam[place // vocabulary][0] + [place % vocabulary], total, states[place // vocabulary])
            for total, place in zip(best.values, best.indices.numpy().tolist())
        ]
        complete += [each for each in longer if each[0][-1] == EOS_ID]
        beam = [each for each in longer if each[0][-1] != EOS_ID]
    winner = max(complete + beam, key=score)
    return winner[0], score(winner)

# %% q11-train
def train_model(task, epochs):
    """The context as the first state alone; a pipeline instead of arrays."""
    model = models.EncoderDecoder(task["source_size"], task["target_size"], units=96, embedding=32)
    model.compile(optimizer=make_optimizer(task, epochs), loss=models.masked_cross_entropy)
    pairs = tf.data.Dataset.from_tensor_slices(
        ({key: task[key] for key in ("source", "previous")}, task["following"])
    )
    pairs = pairs.shuffle(len(task["source"])).batch(32).prefetch(tf.data.AUTOTUNE)
    model.fit(pairs, epochs=epochs, verbose=0)
    return model

# %% q12-groups
def accuracy_by_group(predictions, targets, groups):
    unique, places = tf.unique(tf.constant(list(groups)))
    right = tf.cast(tf.equal(tf.constant(list(predictions)), tf.constant(list(targets))), tf.float32)
    shares = tf.math.unsorted_segment_mean(right, places, tf.size(unique))
    return dict(zip(unique.numpy().tolist(), shares.numpy().tolist()))
