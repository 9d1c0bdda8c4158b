# right: [q; h] times [W; U], a softmax in logarithms and float64, a one-hot vector for the embedding, V cut in two, a Variable in the tape

# %% q3-multiplicative
def multiplicative_score(query, keys, W):
    return np.asarray(np.einsum("bsq,bq->bs", np.asarray(keys, "float64") @ np.asarray(W, "float64").T, np.asarray(query, "float64")))

# %% q4-additive
def additive_score(query, keys, W, U, v):
    source = np.shape(keys)[1]
    queries = ops.repeat(ops.expand_dims(query, 1), source, axis=1)
    joined = ops.concatenate([queries, keys], axis=-1)
    hidden = ops.tanh(ops.matmul(joined, ops.concatenate([W, U], axis=0)))
    return ops.matmul(hidden, ops.expand_dims(v, -1))[:, :, 0]

# %% q5-softmax
def masked_softmax(scores, mask):
    scores = np.where(np.asarray(mask), np.asarray(scores, dtype="float64"), -np.inf)
    return np.exp(scores - np.logaddexp.reduce(scores, axis=1, keepdims=True))

# %% q7-step
def decoder_step(previous, state, keys, mask, params):
    context, weights = attend(state, keys, mask, params)
    symbol = ops.matmul(ops.one_hot(previous, np.shape(params["embedding"])[0]), params["embedding"])
    new_state = gru(ops.concatenate([symbol, context], axis=1), state, params)
    units = np.shape(new_state)[1]
    logits = ops.matmul(new_state, params["output"][:units])
    logits = logits + ops.matmul(context, params["output"][units:]) + params["output_bias"]
    return [logits, new_state, weights]

# %% q15-gradient
def gradient_norms(name, position):
    vectors = tf.Variable(probe_vectors(name))
    with tf.GradientTape() as tape:
        loss = probe_loss(name, vectors, position)
    gradients = tape.gradient(loss, vectors).numpy()[0]
    return [float(np.sqrt(np.dot(row, row))) for row in gradients]
