# right: einsum, float64, joined and split matrices, a score of its own as a subclass of layers.Attention, a tf.Variable under the tape, and other short ways

# %% q1-shift
def shift_targets(targets, mask):
    previous = np.insert(targets, 0, BOS_ID, axis=1)
    following = np.pad(targets, ((0, 0), (0, 1)), constant_values=PAD_ID)
    np.put_along_axis(following, np.sum(mask, axis=1, keepdims=True), EOS_ID, axis=1)
    return previous, following

# %% q2-dot
def dot_product_score(query, keys):
    return np.squeeze(np.asarray(keys, "float64") @ np.asarray(query, "float64")[:, :, None], -1)

# %% q3-multiplicative
def multiplicative_score(query, keys, W):
    return ops.einsum("bq,qk,bsk->bs", query, W, keys)

# %% q4-additive
def additive_score(query, keys, W, U, v):
    # W q + U h is one product: [q; h] times W above U
    pairs = ops.concatenate([ops.repeat(query[:, None], keys.shape[1], axis=1), keys], axis=-1)
    return ops.matmul(ops.tanh(ops.matmul(pairs, ops.concatenate([W, U], axis=0))), v)

# %% q5-softmax
def masked_softmax(scores, mask):
    scores = np.where(mask, np.asarray(scores, dtype="float64"), -np.inf)
    return np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))

# %% q6-context
context_vector = lambda weights, keys: np.einsum("bs,bsk->bk", weights, keys)

# %% q7-step
def decoder_step(previous, state, keys, mask, params):
    """The lookup is a product with one-hot rows; W_o is split into its rows for s and for c."""
    embedding, W_o = params["embedding"], params["output"]
    units = state.shape[-1]
    context, weights = attend(query=state, keys=keys, mask=mask, params=params)
    vector = ops.matmul(ops.one_hot(previous, embedding.shape[0]), embedding)
    state = gru(inputs=ops.concatenate([vector, context], -1), state=state, params=params)
    logits = ops.matmul(state, W_o[:units]) + ops.matmul(context, W_o[units:])
    return logits + params["output_bias"], state, weights

# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    written = np.full((batch, max_length), PAD_ID)
    best = np.full(batch, BOS_ID)
    running = np.ones(batch, dtype=bool)
    length = 0
    while running.any() and length < max_length:
        scores, state = step(previous=best, state=state)
        best = np.argmax(scores, axis=1)  # of sentences that ended too: nobody reads it
        written[running, length] = best[running]
        running &= best != EOS_ID
        length += 1
    return written[:, :length]

# %% q9-train
DATE_EPOCHS = 4 if FAST else 5


class ScaledDotProduct(layers.Attention):
    """The score of Transformers."""

    def score(self, query, projected_keys):
        return ops.einsum("bu,bsu->bs", query, projected_keys) / query.shape[-1] ** 0.5


date_model = models.EncoderDecoder(
    len(source_vocabulary), len(target_vocabulary), 96, 48, attention=ScaledDotProduct()
)
date_model.compile(
    loss=models.masked_cross_entropy,
    optimizer=keras.optimizers.AdamW(0.005, weight_decay=1e-4, global_clipnorm=1.0),
)
_ = date_model.fit(
    x=dict(source=date_source, previous=date_previous),
    y=date_following,
    batch_size=64,
    epochs=DATE_EPOCHS,
    verbose=0,
)

# %% q10-aer
def alignment_error_rate(predicted, sure, possible):
    """Counts with dot products of the flat arrays."""
    a, s, p = (np.ravel(each).astype("float64") for each in (predicted, sure, possible))
    return 1.0 - a @ (s + p) / (a + s).sum()

# %% q12-length
def accuracy_by_length(predictions, targets, edges):
    bands = np.digitize([len(target) for target in targets], edges)
    exact = np.equal(np.array(predictions, object), np.array(targets, object)).astype(float)
    right, all_of_them = (
        np.bincount(bands, weights, minlength=len(edges) + 1)[1:-1] for weights in (exact, None)
    )
    return (right / all_of_them).tolist()

# %% q14-path
path_length = lambda j, i, n, attention: len("hcsy" if attention else "h" * (n + 1 - j) + "s" * i + "y")

# %% q15-gradient
def gradient_norms(name, position):
    vectors = tf.Variable(probe_vectors(name))  # a variable is watched by itself
    with tf.GradientTape() as tape:
        loss = probe_loss(name, vectors, position)
    (gradient,) = tape.gradient(loss, [vectors])
    return np.sqrt(np.einsum("su,su->s", gradient[0], gradient[0]))
