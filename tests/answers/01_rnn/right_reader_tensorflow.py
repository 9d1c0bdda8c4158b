# right: TensorFlow operations alone, also tf.linalg.global_norm and tf.scan; answers are tensors

# %% q1-step
def elman_step(x, h, W, U, b):
    joined = tf.concat([x, h], axis=-1) @ tf.concat([W, U], axis=0)
    return tf.tanh(tf.nn.bias_add(joined, b))

# %% q2-joined
def joined_weights(W, U):
    return tf.transpose(tf.concat([W, U], 0))

# %% q3-unroll
def unroll(step, inputs, first):
    states = [first]
    for x in tf.unstack(inputs, axis=1):
        states.append(step(x, states[-1]))
    return tf.stack(states[1:], axis=1), states[-1]

# %% q4-keras
def simple_rnn(inputs, weights):
    W, U, b = [tf.convert_to_tensor(w) for w in weights]
    time_first = tf.transpose(inputs, [1, 0, 2])
    start = tf.zeros([tf.shape(inputs)[0], U.shape[0]], dtype=U.dtype)
    states = tf.scan(lambda h, x: tf.tanh(x @ W + h @ U + b), time_first, initializer=start)
    return tf.transpose(states, [1, 0, 2])

# %% q5-uses
def encoder(states, mask):
    # the last True of each row is the first one of the row turned round
    from_the_end = tf.argmax(tf.cast(tf.reverse(mask, axis=[1]), tf.int32), axis=1)
    places = tf.cast(tf.shape(mask)[1], tf.int64) - 1 - from_the_end
    return tf.gather(states, places, axis=1, batch_dims=1)


def acceptor(states, mask, V, c):
    return tf.linalg.matmul(encoder(states, mask), V) + c


def transducer(states, V, c):
    return tf.einsum("btu,ul->btl", states, V) + c

# %% q6-influence
def influence(network, inputs):
    before = tf.convert_to_tensor(network(inputs))
    time = inputs.shape[1]
    rows = []
    for j in range(time):
        bump = tf.one_hot(j, time, dtype=inputs.dtype)[tf.newaxis, :, tf.newaxis]
        after = tf.convert_to_tensor(network((inputs + bump).numpy()))
        rows.append(tf.reduce_any(tf.not_equal(after, before), axis=[0, 2]))
    return tf.stack(rows)

# %% q7-bptt
def bptt(inputs, labels, params, first):
    _, states, d_logits = forward(inputs, labels, params, first)
    states, d_logits = tf.convert_to_tensor(states), tf.convert_to_tensor(d_logits)
    kind = states.dtype
    inputs, first = tf.cast(inputs, kind), tf.cast(first, kind)
    U, V = tf.cast(params["U"], kind), tf.cast(params["V"], kind)
    d_logits = tf.cast(d_logits, kind)
    before = tf.concat([first[:, None], states[:, :-1]], axis=1)

    d_states = tf.tensordot(d_logits, V, axes=[[2], [1]])
    d_a = []
    back = tf.zeros_like(first)
    for t in range(states.shape[1] - 1, -1, -1):
        here = (d_states[:, t] + back) * (1 - tf.square(states[:, t]))
        d_a.insert(0, here)
        back = tf.matmul(here, U, transpose_b=True)
    d_a = tf.stack(d_a, axis=1)
    return {
        "W": tf.tensordot(inputs, d_a, axes=[[0, 1], [0, 1]]),
        "U": tf.tensordot(before, d_a, axes=[[0, 1], [0, 1]]),
        "b": tf.reduce_sum(d_a, axis=[0, 1]),
        "V": tf.tensordot(states, d_logits, axes=[[0, 1], [0, 1]]),
        "c": tf.reduce_sum(d_logits, axis=[0, 1]),
    }

# %% q8-windows
def windows(ids, batch, length):
    inputs = tf.reshape(ids[:-1], [batch, -1, length])
    targets = tf.reshape(ids[1:], [batch, -1, length])
    return list(zip(tf.unstack(inputs, axis=1), tf.unstack(targets, axis=1)))

# %% q9-truncated
def truncated_bptt(inputs, labels, params, length):
    state = tf.zeros([inputs.shape[0], params["U"].shape[0]])
    found = []
    for k in range(inputs.shape[1] // length):
        part = slice(k * length, (k + 1) * length)
        gradients, state = autodiff(inputs[:, part], labels[:, part], params, state)
        found.append(gradients)
    return tf.nest.map_structure(lambda *each: tf.reduce_mean(tf.stack(each), axis=0), *found)

# %% q10-jacobians
def gradients_through_time(states, U, last):
    slopes = 1 - tf.square(states[1:])
    step = lambda g, slope: tf.linalg.matvec(U, g * slope)
    earlier = tf.scan(step, slopes, initializer=tf.convert_to_tensor(last), reverse=True)
    return tf.concat([earlier, [last]], axis=0)

# %% q12-clip
def clip_by_global_norm(gradients, limit):
    norm = tf.linalg.global_norm(gradients)
    return [g * (limit / tf.maximum(norm, limit)) for g in gradients]

# %% q13-chain
def longest_chain(time, layers, recurrent):
    return tf.where(recurrent, time + layers - 1, layers)
