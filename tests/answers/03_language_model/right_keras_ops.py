# right: keras.ops and generators, keyword arguments, a model of two layers with dropout in the training question

# %% q1-windows
def windows(ids, batch, length):
    """A stream is a slice of the text; a window is a slice of each stream."""
    size = (len(ids) - 1) // batch
    streams = [ids[row * size : (row + 1) * size + 1] for row in range(batch)]

    def window(begin):
        inputs = ops.stack([stream[begin : begin + length] for stream in streams])
        targets = ops.stack([stream[begin + 1 : begin + length + 1] for stream in streams])
        return [inputs, targets]

    return [window(begin) for begin in range(0, size, length)]

# %% q2-loss
def cross_entropy(logits, targets, mask):
    of_target = ops.one_hot(targets, logits.shape[-1])
    log_probabilities = ops.sum(ops.log_softmax(logits, axis=-1) * of_target, axis=-1)
    real = ops.cast(mask, log_probabilities.dtype)
    return -ops.sum(ops.where(mask, log_probabilities, 0.0)) / ops.sum(real)

# %% q3-perplexity
def perplexity(log_probabilities, mask):
    weights = ops.cast(mask, "float32") / ops.sum(ops.cast(mask, "float32"))
    return 1 / ops.exp(ops.sum(weights * log_probabilities))

# %% q4-train
CHAR_UNITS, CHAR_EPOCHS = (64, 2) if FAST else (160, 4)

char_model = models.LanguageModel(
    len(characters), units=96 if FAST else 128, embedding=48, cell="lstm", layers=2, dropout=0.05
)
trainer = models.TruncatedBPTT(char_model, batch=STREAMS)
trainer.compile(
    optimizer=keras.optimizers.Adam(0.005, global_clipnorm=1.0),
    loss=models.masked_cross_entropy,
)
trainer.fit_windows(learned_windows, epochs=CHAR_EPOCHS + 1, verbose=0)

# %% q5-read
def read_text(run, first_state, window_list):
    def all_windows(state):
        for inputs, targets in window_list:
            logits, state = run(inputs, state)
            yield -ops.sparse_categorical_crossentropy(targets, logits, from_logits=True)

    return ops.concatenate(list(all_windows(first_state)), axis=-1)

# %% q6-bits
def bits_per_character(log_probabilities, mask):
    return ops.sum(ops.where(mask, -log_probabilities, 0.0)) / (np.log(2.0) * mask.sum())

# %% q8-temperature
def with_temperature(logits, temperature):
    scores = ops.divide(logits, temperature)
    return ops.exp(scores - ops.logsumexp(scores, axis=1, keepdims=True))

# %% q9-top-k
def top_k(probabilities, k):
    best, places = ops.top_k(probabilities, k)
    shares = best / ops.sum(best, axis=-1, keepdims=True)
    return ops.sum(ops.one_hot(places, probabilities.shape[-1]) * shares[..., None], axis=1)

# %% q10-top-p
def top_p(probabilities, mass):
    ordered = ops.flip(ops.sort(probabilities, axis=-1), axis=-1)
    before = ops.cumsum(ordered, axis=-1) - ordered
    size = ops.sum(ops.cast(before < mass, "int32"), axis=-1, keepdims=True)
    least = ops.take_along_axis(ordered, size - 1, axis=-1)  # the last that stays
    kept = ops.where(probabilities >= least, probabilities, 0.0)
    return kept / ops.sum(kept, axis=-1, keepdims=True)

# %% q11-generate
def generate(step, state, prompt, length, choose):
    *before, previous = [prompt[:, column] for column in range(prompt.shape[1])]
    for symbol in before:
        state = step(symbol, state)[1]

    def rest(previous, state, left):
        if left == 0:
            return []
        logits, state = step(previous, state)
        chosen = choose(logits)
        return [chosen, *rest(chosen, state, left - 1)]

    return ops.stack(rest(previous, state, length), axis=1)

# %% q13-cells
def ranked_cells(states, inside):
    values = np.asarray(inside, dtype=float)
    scores = {
        number: abs(np.corrcoef(column, values)[0, 1]) for number, column in enumerate(states.T)
    }
    return sorted(scores, key=scores.get, reverse=True)

# %% q14-agreement
def agreement_by_attractors(right, wrong, attractors):
    better = [[] for _ in range(4)]
    for number, difference in zip(attractors, np.subtract(right, wrong)):
        better[number].append(difference > 0)
    return tuple(sum(each) / len(each) for each in better)

# %% q15-last
def last_word_probability(log_probabilities, mask):
    lasts = [row[real][-1] for row, real in zip(log_probabilities, mask)]
    return ops.mean(ops.exp(ops.convert_to_tensor(lasts)))
