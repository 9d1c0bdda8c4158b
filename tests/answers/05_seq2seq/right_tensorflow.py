# right: TensorFlow, a tf.function, a Keras layer of one's own, TensorArray
# %% q3-shift
def shift_targets(targets, mask):
    targets = tf.cast(targets, tf.int32)
    lengths = tf.reduce_sum(tf.cast(mask, tf.int32), axis=1)
    previous = tf.pad(targets, [[0, 0], [1, 0]], constant_values=BOS_ID)
    ends = EOS_ID * tf.one_hot(lengths, tf.shape(targets)[1] + 1, dtype=tf.int32)
    return previous, tf.pad(targets, [[0, 0], [0, 1]]) + ends


# %% q4-encoder
@tf.function
def encoder_context(inputs, mask, W, U, b):
    inputs = tf.cast(inputs, tf.float32)
    state = tf.zeros((tf.shape(inputs)[0], tf.shape(U)[0]))
    for j in tf.range(tf.shape(inputs)[1]):
        new = tf.tanh(inputs[:, j] @ W + state @ U + b)
        state = tf.where(mask[:, j][:, None], new, state)
    return state


# %% q5-first-state
class Decoder(keras.layers.Layer):
    """A decoder that begins with the context."""

    def __init__(self, W, U, b):
        super().__init__()
        self.step_weights = [tf.convert_to_tensor(each) for each in (W, U, b)]

    def call(self, inputs, context):
        W, U, b = self.step_weights
        state, states = context, []
        for vector in tf.unstack(inputs, axis=1):
            state = tf.math.tanh(tf.linalg.matmul(vector, W) + tf.linalg.matmul(state, U) + b)
            states.append(state)
        return tf.stack(states, axis=1)


def decode_from_context(inputs, context, W, U, b):
    return Decoder(W, U, b)(tf.constant(inputs), tf.constant(context))


# %% q6-every-step
def decode_with_context(inputs, context, W, U, b):
    time = inputs.shape[1]
    tiled = tf.tile(context[:, None], [1, time, 1])
    vectors = tf.transpose(tf.concat([inputs, tiled], axis=-1), [1, 0, 2])
    states = tf.scan(
        lambda state, x: tf.tanh(x @ W + state @ U + b), vectors, initializer=tf.zeros_like(context)
    )
    return tf.transpose(states, [1, 0, 2]).numpy()


# %% q7-mix
def scheduled_mix(true, predicted, probability, draws):
    return tf.where(tf.less(draws, tf.cast(probability, draws.dtype)), true, predicted)


# %% q8-separator
def join(source, target, sep_id, eos_id):
    whole = tf.concat([source, [sep_id], target, [eos_id]], axis=0)
    mask = tf.sequence_mask(len(source), len(whole) - 1)
    return whole[:-1], whole[1:], tf.logical_not(mask)


# %% q9-greedy
def greedy_decode(step, state, batch, max_length):
    previous = tf.fill([batch], BOS_ID)
    going = tf.ones([batch], tf.int32)
    written = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
    count = 0
    while count < max_length and bool(tf.reduce_any(going > 0)):
        scores, state = step(previous.numpy(), state)
        previous = tf.argmax(scores, axis=-1, output_type=tf.int32) * going  # PAD_ID is 0
        written = written.write(count, previous)
        going *= tf.cast(previous != EOS_ID, tf.int32)
        count += 1
    return tf.transpose(written.stack())
