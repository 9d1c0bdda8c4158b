# right: vectorised keras.ops and NumPy: matmul with a transposed axis, a three-operand einsum, one joined matrix for the additive score, log-sum-exp for the softmax, one-hot look-ups

# %% q1-shift
def shift_targets(targets, mask):
    """What the decoder sees, and what it should predict."""
    targets = ops.cast(targets, "int32")
    lengths = ops.sum(ops.cast(mask, "int32"), axis=1, keepdims=True)
    previous = ops.pad(targets, [[0, 0], [1, 0]], constant_values=BOS_ID)
    padded = ops.pad(targets, [[0, 0], [0, 1]], constant_values=PAD_ID)
    columns = ops.arange(padded.shape[1], dtype="int32")[None, :]
    following = ops.where(columns == lengths, EOS_ID, padded)
    return previous, following

# %% q2-dot
def dot_product_score(query, keys):
    """A matrix times a column for each sentence."""
    query, keys = ops.convert_to_tensor(query), ops.convert_to_tensor(keys)
    return ops.squeeze(ops.matmul(keys, query[:, :, None]), axis=-1)

# %% q3-multiplicative
def multiplicative_score(query, keys, W):
    """All three in one einsum."""
    return ops.einsum("jk,nik,nj->ni", W, keys, query)

# %% q4-additive
def additive_score(query, keys, W, U, v):
    """W q + U h is one matrix product with [q; h] and [W; U] joined."""
    source = ops.shape(keys)[1]
    repeated = ops.repeat(ops.expand_dims(query, 1), source, axis=1)
    both = ops.concatenate([repeated, keys], axis=-1)
    joined = ops.concatenate([W, U], axis=0)
    hidden = ops.tanh(ops.tensordot(both, joined, axes=1))
    return ops.sum(hidden * v, axis=-1)

# %% q5-softmax
def masked_softmax(scores, mask):
    """exp(e - log sum exp e), with minus infinity on the padding."""
    scores = ops.where(mask, scores, -float("inf"))
    return ops.exp(scores - ops.logsumexp(scores, axis=-1, keepdims=True))

# %% q6-context
def context_vector(weights, keys):
    """A row times a matrix for each sentence."""
    weights, keys = ops.convert_to_tensor(weights), ops.convert_to_tensor(keys)
    return ops.matmul(ops.transpose(keys, (0, 2, 1)), weights[..., None])[..., 0]

# %% q7-step
def decoder_step(previous, state, keys, mask, params):
    """The output matrix is cut in two, and the embedding is looked up with a one-hot product."""
    vocabulary, units = params["embedding"].shape[0], state.shape[-1]
    embedded = ops.one_hot(previous, vocabulary) @ params["embedding"]
    context, weights = attend(state, keys, mask, params)
    new_state = gru(ops.concatenate((embedded, context), axis=1), state, params)
    from_state, from_context = params["output"][:units], params["output"][units:]
    logits = new_state @ from_state + context @ from_context + params["output_bias"]
    return logits, new_state, weights

# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    """Fill a table of PAD_ID column by column, and cut it where all have ended."""
    written = np.full((batch, max_length), PAD_ID, dtype="int64")
    running = np.ones(batch, dtype="int64")
    previous = np.full(batch, BOS_ID)
    for column in range(max_length):
        scores, state = step(previous, state)
        previous = np.argmax(ops.convert_to_numpy(scores), axis=1) * running
        written[:, column] = previous
        running = running * (previous != EOS_ID)
        if not running.any():
            return written[:, : column + 1]
    return written

# %% q9-train
DATE_EPOCHS = 4 if FAST else 5

keras.utils.set_random_seed(1)
sizes = {"source_size": len(source_vocabulary), "target_size": len(target_vocabulary)}
date_model = models.EncoderDecoder(
    units=64, embedding=32, attention=layers.AdditiveAttention(units=64), **sizes
)
date_model.compile(
    keras.optimizers.Adam(learning_rate=0.005, global_clipnorm=1.0), loss=models.masked_cross_entropy
)
date_inputs = dict(source=date_source, previous=date_previous)
history = date_model.fit(
    x=date_inputs,
    y=date_following,
    epochs=DATE_EPOCHS,
    batch_size=64,
    verbose=0,
    callbacks=[plots.TrainingCurve("Dates")],
)

# %% q10-aer
def alignment_error_rate(predicted, sure, possible):
    """The gold links that were found, counted with a product."""
    A, S, P = (np.asarray(links).astype(int).ravel() for links in (predicted, sure, possible))
    return 1.0 - (A @ (S + P)) / (A.sum() + S.sum())

# %% q12-length
def accuracy_by_length(predictions, targets, edges):
    """One histogram of all targets, one of the right ones."""
    lengths = np.array([len(target) for target in targets])
    right = np.array(predictions) == np.array(targets)
    band = np.digitize(lengths, edges) - 1
    inside = (band >= 0) & (band < len(edges) - 1)
    total = np.bincount(band[inside], minlength=len(edges) - 1)
    good = np.bincount(band[inside], weights=right[inside], minlength=len(edges) - 1)
    return (good / total).tolist()

# %% q14-path
path_length = lambda j, i, n, attention: 4 if attention else (n - j) + (i - 1) + 3  # noqa: E731

# %% q15-gradient
def gradient_norms(name, position):
    """The square root of a sum of squares, as an einsum."""
    vectors = tf.Variable(probe_vectors(name))  # a variable is watched by itself
    with tf.GradientTape() as tape:
        loss = probe_loss(name, vectors, position)
    gradient = tape.gradient(loss, vectors)
    return tf.sqrt(tf.einsum("bju,bju->bj", gradient, gradient))[0]
