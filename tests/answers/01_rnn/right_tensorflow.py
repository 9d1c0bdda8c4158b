# right: TensorFlow operations; tensors are returned
# %% q1-step
@tf.function
def elman_step(x, h, W, U, b):
    return tf.math.tanh(tf.linalg.matmul(x, W) + tf.linalg.matmul(h, U) + b)


# %% q2-joined
def joined_weights(W, U):
    return tf.transpose(tf.concat([W, U], axis=0))


# %% q3-unroll
def unroll(step, inputs, first):
    h = tf.convert_to_tensor(first)
    states = []
    for x in tf.unstack(tf.convert_to_tensor(inputs), axis=1):
        h = tf.convert_to_tensor(step(x, h))
        states.append(h)
    return tf.stack(states, axis=1), h


# %% q4-keras
def simple_rnn(inputs, weights):
    W, U, b = [tf.constant(w, dtype=tf.float32) for w in weights]

    def step(h, x):
        return tf.tanh(x @ W + h @ U + b)

    zeros = tf.zeros((tf.shape(inputs)[0], tf.shape(U)[0]))
    states = tf.scan(step, tf.transpose(tf.constant(inputs), (1, 0, 2)), initializer=zeros)
    return tf.transpose(states, (1, 0, 2))


# %% q5-uses
def encoder(states, mask):
    places = tf.reduce_sum(tf.cast(mask, tf.int32), axis=1) - 1
    return tf.gather(states, places, batch_dims=1)


def acceptor(states, mask, V, c):
    return encoder(states, mask) @ V + c


def transducer(states, V, c):
    return tf.tensordot(states, V, axes=1) + c


# %% q6-influence
def influence(network, inputs):
    x = tf.constant(inputs, tf.float32)
    time = x.shape[1]
    before = tf.convert_to_tensor(network(x.numpy()))
    rows = []
    for j in range(time):
        nudge = tf.one_hot(j, time)[None, :, None]
        after = tf.convert_to_tensor(network((x + nudge).numpy()))
        rows.append(tf.reduce_any(after != before, axis=[0, 2]))
    return tf.stack(rows)


# %% q7-bptt
def bptt(inputs, labels, params, first):
    loss, states, d_logits = forward(inputs, labels, params, first)
    states = tf.convert_to_tensor(states)
    d_o = tf.convert_to_tensor(d_logits)
    V = tf.convert_to_tensor(params["V"])
    U = tf.convert_to_tensor(params["U"])
    own = tf.unstack(tf.matmul(d_o, V, transpose_b=True), axis=1)
    slope = tf.unstack(1.0 - tf.square(states), axis=1)
    later = tf.zeros_like(own[0])
    d_a = []
    for t in range(len(own) - 1, -1, -1):
        d_a.insert(0, (own[t] + later) * slope[t])
        later = tf.matmul(d_a[0], U, transpose_b=True)
    d_a = tf.stack(d_a, axis=1)
    before = tf.concat([tf.convert_to_tensor(first)[:, None], states[:, :-1]], axis=1)
    return {
        "W": tf.einsum("btf,btu->fu", tf.convert_to_tensor(inputs), d_a),
        "U": tf.einsum("btv,btu->vu", before, d_a),
        "b": tf.reduce_sum(d_a, axis=[0, 1]),
        "V": tf.einsum("btu,btl->ul", states, d_o),
        "c": tf.reduce_sum(d_o, axis=[0, 1]),
    }


# %% q8-windows
def windows(ids, batch, length):
    def cut(part):
        streams = tf.reshape(part, (batch, -1, length))
        return tf.unstack(streams, axis=1)

    return list(zip(cut(ids[:-1]), cut(ids[1:])))


# %% q9-truncated
def truncated_bptt(inputs, labels, params, length):
    number = inputs.shape[1] // length
    state = tf.zeros((inputs.shape[0], params["b"].shape[0]), inputs.dtype)
    found = []
    for x, y in zip(tf.split(inputs, number, axis=1), tf.split(labels, number, axis=1)):
        gradients, state = autodiff(x, y, params, state)
        found.append(gradients)
    return {name: tf.reduce_mean(tf.stack([g[name] for g in found]), axis=0) for name in params}


# %% q10-jacobians
def gradients_through_time(states, U, last):
    g = tf.convert_to_tensor(last)
    rows = [g]
    for h in tf.unstack(tf.convert_to_tensor(states))[:0:-1]:
        g = tf.linalg.matvec(tf.convert_to_tensor(U), g * (1 - h * h))
        rows.append(g)
    return tf.reverse(tf.stack(rows), axis=[0])


# %% q12-clip
def clip_by_global_norm(gradients, limit):
    norm = tf.linalg.global_norm([tf.convert_to_tensor(g) for g in gradients])
    scale = tf.where(norm > limit, limit / tf.maximum(norm, 1e-12), 1.0)
    return [g * scale for g in gradients]


# %% q13-chain
longest_chain = lambda time, layers, recurrent: layers + (time - 1) * int(recurrent)
