# right: short functions and generators, keras.ops, np.corrcoef, np.logaddexp, itertools

# %% q1-windows
def windows(ids, batch, length):
    places = np.arange(len(ids) - 1).reshape(batch, -1)
    return [
        (ids[here], ids[here + 1])
        for here in (places[:, start : start + length] for start in range(0, places.shape[1], length))
    ]

# %% q2-loss
def log_softmax_at(logits, targets):
    """The log probability of each target."""
    logits = np.asarray(logits, dtype="float64")
    chosen = np.take_along_axis(logits, np.asarray(targets)[..., None], axis=-1)[..., 0]
    return chosen - np.logaddexp.reduce(logits, axis=-1)


def cross_entropy(logits, targets, mask):
    return -np.average(log_softmax_at(logits, targets), weights=mask)

# %% q3-perplexity
perplexity = lambda log_probabilities, mask: np.exp(-np.asarray(log_probabilities)[np.asarray(mask)].mean())

# %% q5-read
def read_text(run, first_state, window_list):
    def each_window(state):
        for inputs, targets in window_list:
            logits, state = run(inputs, state)
            here = ops.one_hot(targets, ops.shape(logits)[-1])
            yield ops.sum(ops.log_softmax(logits) * here, axis=-1)

    return np.hstack(list(each_window(first_state)))

# %% q6-bits
def bits_per_character(log_probabilities, mask):
    return np.log2(perplexity(log_probabilities, mask))

# %% q8-temperature
def with_temperature(logits, temperature):
    return ops.softmax(ops.convert_to_tensor(logits) / temperature, axis=-1)

# %% q9-top-k
def divided_by_sum(kept):
    return kept / kept.sum(axis=-1, keepdims=True)


def top_k(probabilities, k):
    kept = np.array(probabilities)
    losers = np.argsort(kept, axis=-1)[:, : max(0, kept.shape[1] - k)]
    np.put_along_axis(kept, losers, 0, axis=-1)
    return divided_by_sum(kept)

# %% q10-top-p
def top_p(probabilities, mass):
    """A symbol stays if those that are more probable have less than mass together."""
    probabilities = np.asarray(probabilities)
    more = probabilities[:, None, :] > probabilities[:, :, None]
    before = np.sum(probabilities[:, None, :] * more, axis=-1)
    return divided_by_sum(probabilities * (before < mass))

# %% q11-generate
from itertools import islice


def generate(step, state, prompt, length, choose):
    def read(symbols, state):
        for symbol in symbols:
            logits, state = step(symbol, state)
        return logits, state

    def write(logits, state):
        while True:
            symbol = choose(logits)
            yield symbol
            logits, state = step(symbol, state)

    return np.column_stack(list(islice(write(*read(np.transpose(prompt), state)), length)))

# %% q13-cells
def ranked_cells(states, inside):
    r = np.corrcoef(np.asarray(states, "float64"), np.asarray(inside, "float64"), rowvar=False)
    return np.argsort(np.abs(r[-1, :-1]))[::-1]

# %% q14-agreement
def agreement_by_attractors(right, wrong, attractors):
    better = np.asarray(right) > np.asarray(wrong)
    return np.bincount(attractors, weights=better, minlength=4) / np.bincount(attractors, minlength=4)

# %% q15-last
def last_word_probability(log_probabilities, mask):
    mask = np.asarray(mask)
    is_last = mask & ~np.pad(mask, ((0, 0), (0, 1)))[:, 1:]
    return np.exp(np.asarray(log_probabilities)[is_last]).mean()
