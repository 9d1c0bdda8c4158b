# right: short NumPy code, sums by @ and transposition, results in float64
# %% q1-shift
def shift_targets(targets, mask):
    targets = np.asarray(targets)
    wide = np.pad(targets, ((0, 0), (0, 1)))
    previous = np.roll(wide, 1, axis=1)
    previous[:, 0] = BOS_ID
    ends = np.pad(mask, ((0, 0), (1, 0)), constant_values=True).sum(axis=1) - 1
    return previous, np.where(np.arange(wide.shape[1]) == ends[:, None], EOS_ID, wide)


# %% q2-dot
def dot_product_score(query, keys):
    return (np.asarray(keys, "float64") @ np.asarray(query, "float64")[:, :, None])[:, :, 0]


# %% q3-multiplicative
def multiplicative_score(query, keys, W):
    return dot_product_score(np.asarray(query, "float64") @ W, keys)


# %% q4-additive
def additive_score(query, keys, W, U, v):
    return np.tanh((np.asarray(query, "float64") @ W)[:, None] + np.asarray(keys) @ U) @ v


# %% q5-softmax
def masked_softmax(scores, mask):
    scores = np.where(mask, np.asarray(scores, "float64"), -np.inf)
    weights = np.exp(scores - scores.max(1, keepdims=True))
    return weights / weights.sum(1, keepdims=True)


# %% q6-context
def context_vector(weights, keys):
    return (np.asarray(weights)[:, None] @ np.asarray(keys))[:, 0]


# %% q7-step
def decoder_step(previous, state, keys, mask, params):
    context, weights = attend(state, keys, mask, params)
    new_state = gru(np.hstack([params["embedding"][previous], context]), state, params)
    logits = np.hstack([new_state, context]) @ params["output"] + params["output_bias"]
    return logits, new_state, weights


# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    written = np.zeros((batch, max_length), int)  # always max_length columns
    alive = np.ones(batch, bool)
    symbol = np.full(batch, BOS_ID)
    for column in range(max_length):
        if not alive.any():
            break
        scores, state = step(symbol, state)
        symbol = np.asarray(scores).argmax(-1) * alive
        written[:, column] = symbol
        alive &= symbol != EOS_ID
    return written


# %% q10-aer
def alignment_error_rate(predicted, sure, possible):
    a, s, p = (np.asarray(links).astype(int) for links in (predicted, sure, possible))
    return 1.0 - np.sum(a * (s + p)) / np.sum(a + s)


# %% q12-length
def accuracy_by_length(predictions, targets, edges):
    bands = np.digitize([len(target) for target in targets], edges)
    right = np.array(predictions) == np.array(targets)
    return [right[bands == band].mean() for band in range(1, len(edges))]


# %% q14-path
def path_length(j, i, n, attention):
    return 4 if attention else n - j + i + 2


# %% q15-gradient
def gradient_norms(name, position):
    vectors = tf.Variable(probe_vectors(name))
    with tf.GradientTape() as tape:
        loss = probe_loss(name, vectors, position)
    return tf.norm(tape.gradient(loss, vectors)[0], axis=1)
