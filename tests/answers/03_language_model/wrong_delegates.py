# wrong: the ready-made functions do the work
# loses: q1-windows-test q2-loss-test q3-perplexity-test q5-read-test q6-bits-test q8-temperature-test q9-top-k-test q10-top-p-test q11-generate-test q13-cells-test
# says: ready-made
# says: write it yourself
# %% q1-windows
windows = models.windows


# %% q2-loss
def cross_entropy(logits, targets, mask):
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    return loss(targets[mask], logits[mask])


# %% q3-perplexity
perplexity = metrics.perplexity


# %% q5-read
def read_text(run, first_state, window_list):
    state, found = first_state, []
    for inputs, targets in window_list:
        logits, state = run(inputs, state)
        found.append(-keras.losses.sparse_categorical_crossentropy(targets, logits, from_logits=True))
    return np.concatenate(found, axis=1)


# %% q6-bits
bits_per_character = metrics.bits_per_character


# %% q8-temperature
from rnnkit import decoding


def with_temperature(logits, temperature):
    return decoding.next_probabilities(logits, temperature)


# %% q9-top-k
from rnnkit import decoding


def top_k(probabilities, k):
    return decoding.next_probabilities(np.log(probabilities), top_k=k)


# %% q10-top-p
from rnnkit import decoding


def top_p(probabilities, mass):
    return decoding.next_probabilities(np.log(probabilities), top_p=mass)


# %% q11-generate
from rnnkit import decoding


def generate(step, state, prompt, length, choose):
    previous, state = decoding.read_prompt(step, state, prompt)
    written = []
    for _ in range(length):
        logits, state = step(previous, state)
        previous = choose(logits)
        written.append(previous)
    return np.stack(written, axis=1)


# %% q13-cells
def ranked_cells(states, inside):
    return [score.cell for score in metrics.rank_cells(states, inside)]
