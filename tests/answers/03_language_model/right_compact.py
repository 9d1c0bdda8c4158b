# right: short NumPy code in float64, other forms of results; a GRU in the training question
# %% q1-windows
def windows(ids, batch, length):
    cut = lambda part: np.array(part).reshape(batch, -1, length).swapaxes(0, 1)
    return list(zip(cut(ids[:-1]), cut(ids[1:])))


# %% q2-loss
def cross_entropy(logits, targets, mask):
    z = np.asarray(logits, "float64")[mask]  # (real symbols, vocabulary)
    return np.mean(np.logaddexp.reduce(z, axis=-1) - z[np.arange(len(z)), targets[mask]])


# %% q3-perplexity
def perplexity(log_probabilities, mask):
    return np.prod(np.exp(-np.asarray(log_probabilities, "float64") / mask.sum()), where=mask)


# %% q4-train
CHAR_UNITS, CHAR_EPOCHS = (64, 2) if FAST else (160, 4)

char_model = models.LanguageModel(len(characters), CHAR_UNITS, 64, cell="gru")
trainer = models.TruncatedBPTT(char_model, STREAMS)
trainer.compile(keras.optimizers.Adam(0.003, clipnorm=1.0), loss=models.masked_cross_entropy)
history = trainer.fit_windows(learned_windows, epochs=CHAR_EPOCHS, verbose=0)
print(history.history["loss"])


# %% q5-read
def read_text(run, first_state, window_list):
    found = ()
    for inputs, targets in window_list:
        z, first_state = run(inputs, first_state)
        z = np.asarray(z, "float64")
        rows, columns = np.indices(targets.shape)
        found += (z[rows, columns, targets] - np.logaddexp.reduce(z, axis=-1),)
    return np.hstack(found)


# %% q6-bits
def bits_per_character(log_probabilities, mask):
    return [np.log2(np.exp(-np.asarray(log_probabilities, "float64")))[mask].mean()]


# %% q8-temperature
def with_temperature(logits, temperature):
    z = np.asarray(logits, "float64") / temperature
    return np.exp(z - np.logaddexp.reduce(z, axis=-1, keepdims=True))


# %% q9-top-k
def top_k(probabilities, k):
    ranks = (-probabilities).argsort(1).argsort(1)
    kept = probabilities.astype("float64") * (ranks < k)
    return kept / kept.sum(1, keepdims=True)


# %% q10-top-p
def top_p(probabilities, mass):
    p = probabilities.astype("float64")
    larger = p[:, None, :] > p[:, :, None]  # is symbol u more probable than symbol v?
    kept = np.where((larger * p[:, None, :]).sum(-1) < mass, p, 0)
    return kept / kept.sum(1, keepdims=True)


# %% q11-generate
def generate(step, state, prompt, length, choose):
    ids = list(prompt.T)
    for position in range(prompt.shape[1] + length - 1):
        logits, state = step(ids[position], state)
        if position + 1 == len(ids):
            ids.append(choose(logits))
    return np.array(ids[prompt.shape[1] :]).T


# %% q13-cells
def ranked_cells(states, inside):
    table = np.corrcoef(states.T.astype("float64"), inside.astype("float64"))
    return np.abs(table[-1, :-1]).argsort()[::-1]


# %% q14-agreement
def agreement_by_attractors(right, wrong, attractors):
    counts = np.bincount(attractors, minlength=4)
    return np.bincount(attractors, weights=np.greater(right, wrong), minlength=4) / counts


# %% q15-last
def last_word_probability(log_probabilities, mask):
    ends = mask & ~np.pad(mask[:, 1:], ((0, 0), (0, 1)))
    return np.exp(log_probabilities[ends]).mean()
