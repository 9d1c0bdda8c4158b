# right: the loop reads each chosen symbol, the last one too; logarithms and powers by other ways; tuples instead of lists

# %% q2-loss
def cross_entropy(logits, targets, mask):
    logits = np.asarray(logits, "float64")
    rows, columns = np.nonzero(np.asarray(mask))
    real = logits[rows, columns]
    words = np.asarray(targets)[rows, columns]
    return (np.logaddexp.reduce(real, axis=-1) - real[np.arange(len(real)), words]).mean()

# %% q3-perplexity
def perplexity(log_probabilities, mask):
    return 2 ** np.average(-np.asarray(log_probabilities, "float64") / np.log(2), weights=np.asarray(mask))

# %% q6-bits
def bits_per_character(log_probabilities, mask):
    return -np.mean(np.asarray(log_probabilities, "float64"), where=np.asarray(mask)) * np.log2(np.e)

# %% q9-top-k
def top_k(probabilities, k):
    probabilities = np.asarray(probabilities)
    places = np.argsort(np.argsort(-probabilities, axis=-1), axis=-1)
    kept = probabilities * (places < k)
    return kept / kept.sum(axis=-1, keepdims=True)

# %% q11-generate
def generate(step, state, prompt, length, choose):
    for previous in np.asarray(prompt).T:
        logits, state = step(previous, state)
    written = []
    while len(written) < length:
        chosen = choose(logits)
        logits, state = step(chosen, state)
        written.append(np.asarray(chosen))
    return np.transpose(written)

# %% q13-cells
def ranked_cells(states, inside):
    table = np.column_stack([inside, states]).astype("float64")
    squares = np.corrcoef(table.T)[0, 1:] ** 2
    return np.argsort(squares)[::-1]

# %% q14-agreement
def agreement_by_attractors(right, wrong, attractors):
    better = np.greater(right, wrong)
    return tuple(np.bincount(attractors, weights=better, minlength=4) / np.bincount(attractors, minlength=4))

# %% q15-last
def last_word_probability(log_probabilities, mask):
    ends = np.argmin(np.pad(np.asarray(mask), ((0, 0), (0, 1))), axis=1) - 1
    return float(np.exp([row[end] for row, end in zip(np.asarray(log_probabilities), ends)]).mean())
