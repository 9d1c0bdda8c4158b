# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     notebook_metadata_filter: rnnkit
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
#   rnnkit:
#     points: 20
# ---

# %% [markdown]
# # Exercise 3: language models
#
# A language model says how probable each next symbol of a text is. In this exercise you train one on the source code of Python's own library, measure it, and compare it with a model that only counts. Then you let it write, look into its memory, and ask what it knows about words that stand far apart.
#
# **You write** the batches, the loss, the perplexity, the loop that carries the state, four ways to choose the next symbol, the loop that writes, and three measurements. **You are given** the layers, the n-gram model, the data and the figures, from the package `rnnkit`. Each question stands alone: if you get stuck in one, go on with the next.
#
# **How it works.** Write your code where it says `YOUR CODE HERE`, and delete the line `raise NotImplementedError()`. The cell below your answer tests it. When a test fails, its last lines say what came out, what was expected, and often which slip gives exactly this. There are also hidden tests; they use other shapes and other numbers. Where you are asked to write a thing, do not call the ready-made one from Keras or `rnnkit`: the tests notice it. Operations of `keras.ops`, NumPy and TensorFlow are free to use.
#
# 20 points; about 100 minutes. The lecture is [lectures/03_language_model](../../lectures/03_language_model.ipynb).
#
# | symbol | in the code | shape | what it is |
# | --- | --- | --- | --- |
# | $w_t$ | `ids`, `targets` | (batch, time) | the symbols of a text, as whole numbers |
# | | `logits` | (batch, time, vocabulary) | the model's scores of the next symbol, before the softmax |
# | $p(w_t \mid w_{<t})$ | | | the probability of a symbol after all those before it |
# | $\log p$ | `log_probabilities` | (batch, time) | its natural logarithm, for the symbol that really came; on padding, any finite number |
# | $\lvert V \rvert$ | `len(characters)` | | how many symbols the vocabulary has |
# | | `mask` | (batch, time) | boolean: True for a real symbol, False for padding, which stands at the end |

# %% nbgrader={"grade": false, "grade_id": "setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import os

# First, because it tells TensorFlow and Keras how to start.
from rnnkit import checks, data, metrics, models, plots, text

import keras
import numpy as np
import tensorflow as tf
from keras import ops

# Our own quick tests of this notebook set RNNKIT_FAST=1. Your class is graded in full.
FAST = os.environ.get("RNNKIT_FAST") == "1"
keras.utils.set_random_seed(3)
print("GPUs:", len(tf.config.list_physical_devices("GPU")))
print("Keras", keras.__version__, "- training in the", "short" if FAST else "full", "setting")

# %% [markdown]
# ## Part 1. Batches and the loss
#
# ## Question 1. Contiguous batches (2 points)
#
# A language model learns from one long text. Two things are wanted at once: several parts of the text in a batch, so that the computer is busy, and a state that goes on from one batch to the next, so that the model sees more than one short piece. For this, the text is cut into `batch` *streams* that are read side by side, and each stream is cut into *windows* of `length` symbols. Row $r$ of a window goes on where row $r$ of the window before it ended. The target of each symbol is the symbol after it.
#
# For the text `1 2 3 … 13` with `batch=2` and `length=3`:
#
# | | window 1, inputs | window 1, targets | window 2, inputs | window 2, targets |
# | --- | --- | --- | --- | --- |
# | row 0 | 1 2 3 | 2 3 4 | 4 5 6 | 5 6 7 |
# | row 1 | 7 8 9 | 8 9 10 | 10 11 12 | 11 12 13 |
#
# Write `windows`. You may rely on it that `len(ids) - 1` is a multiple of `batch * length`. About 4 lines. Explained in [section s8](../../lectures/03_language_model.ipynb#s8), and in [section s4](../../lectures/01_rnn.ipynb#s4) of lecture 1.
#
# *Hint:* `ids[:-1]` are all inputs, `ids[1:]` all targets. Make an array with one row for each stream first, then cut it along time.

# %% nbgrader={"grade": false, "grade_id": "q1-windows", "locked": false, "schema_version": 3, "solution": true, "task": false}
def windows(ids, batch, length):
    """Cut one long text into streams, and the streams into windows.

    ids: integers (n,), where n - 1 is a multiple of batch * length
    returns: a list of windows in the order of reading; each is a pair
        inputs, targets, both integers (batch, length)
    """
    ### BEGIN SOLUTION
    inputs = ids[:-1].reshape(batch, -1)  # one stream in each row
    targets = ids[1:].reshape(batch, -1)
    starts = range(0, inputs.shape[1], length)
    return [(inputs[:, i : i + length], targets[:, i : i + length]) for i in starts]
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q1-windows-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.truncated_windows(windows, integers=True)
### BEGIN HIDDEN TESTS
checks.truncated_windows(windows, seed=10, integers=True)
checks.truncated_windows(windows, seed=21, integers=True)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 2. Cross-entropy (2 points)
#
# The loss is the mean of $-\log p$ over all real symbols of a batch. With $m_{bt}$ = 1 for a real symbol and 0 for padding, and $z_{bt}$ the logits at one position:
#
# $$J = -\frac{1}{\sum_{b,t} m_{bt}} \sum_{b,t} m_{bt} \log \hat y_{bt}
# \qquad\text{with}\qquad
# \log \hat y_{bt} = z_{bt}[w_{bt}] - \log \sum_{v \in V} \exp z_{bt}[v]$$
#
# Here $w_{bt}$ is the target at that position. Every real symbol counts the same, in a long sentence and in a short one. The logarithm is the natural one. Logits can be far from 0 (1,000 and more, or -1,000 and less), so take care that `exp` does not overflow. About 5 lines. Explained in [section s8](../../lectures/03_language_model.ipynb#s8).
#
# *Hint:* $\log\sum\exp z$ does not overflow when the largest $z$ is subtracted before and added after. `ops.take_along_axis(values, indices, axis=-1)` picks one value from each row of the last axis; `indices` needs as many axes as `values`.

# %% nbgrader={"grade": false, "grade_id": "q2-loss", "locked": false, "schema_version": 3, "solution": true, "task": false}
def cross_entropy(logits, targets, mask):
    """logits (batch, time, vocabulary), targets: integers (batch, time),
    mask (batch, time) with True for a real symbol; returns one number"""
    ### BEGIN SOLUTION
    shifted = logits - ops.max(logits, axis=-1, keepdims=True)
    logs = shifted - ops.log(ops.sum(ops.exp(shifted), axis=-1, keepdims=True))
    of_targets = ops.take_along_axis(logs, ops.expand_dims(targets, -1), axis=-1)[..., 0]
    real = ops.cast(mask, "float32")
    return -ops.sum(of_targets * real) / ops.sum(real)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q2-loss-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.cross_entropy(cross_entropy)
### BEGIN HIDDEN TESTS
checks.cross_entropy(cross_entropy, seed=10)
checks.cross_entropy(cross_entropy, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 3. Perplexity (1 point)
#
# A loss in nats is hard to read. The perplexity turns it into a number of symbols: as many equally probable symbols would surprise the model as much as the text did.
#
# $$\mathrm{PP} = \exp\Bigl(-\frac{1}{N} \sum_{b,t} m_{bt} \log p(w_{bt})\Bigr), \qquad N = \sum_{b,t} m_{bt}$$
#
# A model that is always sure and right has the perplexity 1. A model that takes all symbols for equally probable has $\exp(\log \lvert V \rvert) = \lvert V \rvert$. A text can have many thousand symbols, and the product of their probabilities is too small for a number; so work with the logarithms. About 1 line. Explained in [section s8](../../lectures/03_language_model.ipynb#s8).

# %% nbgrader={"grade": false, "grade_id": "q3-perplexity", "locked": false, "schema_version": 3, "solution": true, "task": false}
def perplexity(log_probabilities, mask):
    """log_probabilities (batch, time): natural logarithms of the probabilities of what came;
    mask (batch, time) with True for a real symbol; returns one number"""
    ### BEGIN SOLUTION
    return np.exp(-np.mean(log_probabilities[mask]))
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q3-perplexity-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.perplexity(perplexity)
### BEGIN HIDDEN TESTS
checks.perplexity(perplexity, seed=10)
checks.perplexity(perplexity, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 2. A language model of program text
#
# The text is Python's standard library, the modules one after the other; a symbol is a character. The model learns from some modules and is measured on others, which it has never seen.

# %% nbgrader={"grade": false, "grade_id": "char-data", "locked": true, "schema_version": 3, "solution": false, "task": false}
LEARNED = 100_000 if FAST else 400_000  # characters
STREAMS, WINDOW = (16, 32) if FAST else (32, 64)  # rows of a batch; characters of each at once

learned_text = data.program_text("train", LEARNED).text
whole = data.program_text("test")  # the model never sees these modules
# Without their beginning, which is one long comment. The text, and a property of each character:
BEGIN, END = 24_000, 36_000 if FAST else 56_000
new_program = data.ProgramText(*(part[BEGIN:END] for part in whole[:-1]), whole.modules)
characters = text.Vocabulary.from_texts([learned_text])
learned_ids, new_ids = (
    characters.encode([each])[0][0] for each in (learned_text, new_program.text)
)
learned_windows = models.windows(learned_ids, STREAMS, WINDOW)  # made as in question 1
new_rows = new_ids[:6_000].reshape(-1, 200)  # for the test: rows of 200 characters

print(learned_text[:600])
print("…", len(learned_ids), "characters,", len(characters), "ids,", len(learned_windows), "windows")

# %% [markdown]
# ## Question 4. Train the model (1 point)
#
# Make a `models.LanguageModel`, train it on `learned_windows` and call it `char_model`.
#
# - The model takes the size of the vocabulary, `units`, `embedding` and `cell`. Use `CHAR_UNITS` units, an embedding of 64 and the cell `"lstm"`.
# - To train it with a state that is carried from window to window, wrap it: `trainer = models.TruncatedBPTT(char_model, batch=STREAMS)`. Compile the trainer, then call `trainer.fit_windows(learned_windows, epochs=CHAR_EPOCHS, verbose=0)`. The gradient stops at the beginning of each window (truncated back-propagation through time); the state does not.
# - The loss is `models.masked_cross_entropy`. A good optimizer is `keras.optimizers.Adam(rate, global_clipnorm=1.0)`, where `rate` falls from 0.01 to 0 along a cosine: `keras.optimizers.schedules.CosineDecay(0.01, CHAR_EPOCHS * len(learned_windows))`.
# - Pass `callbacks=[plots.TrainingCurve("Program text", perplexity=True, every=40)]` to watch the perplexity fall.
#
# The test asks the model about new modules, in rows of 200 characters. The perplexity must be at most 9 (13 in the short setting, which trains less); a model of pairs of characters (a bigram) has about 11, and one that knows only how frequent each character is has 22. With the numbers above the model gets there in about a minute. (The test takes any model from ids (batch, time) to logits (batch, time, vocabulary); the cells further down need a `LanguageModel` with LSTM cells.) About 8 lines. Explained in [section s8](../../lectures/03_language_model.ipynb#s8).

# %% nbgrader={"grade": false, "grade_id": "q4-train", "locked": false, "schema_version": 3, "solution": true, "task": false}
CHAR_UNITS, CHAR_EPOCHS = (64, 2) if FAST else (160, 4)

### BEGIN SOLUTION
char_model = models.LanguageModel(len(characters), units=CHAR_UNITS, embedding=64, cell="lstm")
trainer = models.TruncatedBPTT(char_model, batch=STREAMS)
rate = keras.optimizers.schedules.CosineDecay(0.01, CHAR_EPOCHS * len(learned_windows))
trainer.compile(
    optimizer=keras.optimizers.Adam(rate, global_clipnorm=1.0),
    loss=models.masked_cross_entropy,
)
trainer.fit_windows(
    learned_windows,
    epochs=CHAR_EPOCHS,
    verbose=0,
    callbacks=[plots.TrainingCurve("Program text", perplexity=True, every=40)],
);
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q4-train-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.nothing_later_leaks(char_model, new_rows[:2, :8], symbols=len(characters))
checks.predicts_text(char_model, new_rows, len(characters), at_most=13 if FAST else 9)
### BEGIN HIDDEN TESTS
hidden_text = data.program_text("valid").text[3_000:9_000]  # the same in all versions of Python
hidden_rows = characters.encode([hidden_text])[0].reshape(-1, 200)
checks.predicts_text(char_model, hidden_rows, len(characters), at_most=13 if FAST else 9)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 5. Read with a carried state (2 points)
#
# To measure the model on a long text, read window after window and carry the state: the state after one window is the state before the next. Write `read_text`.
#
# The function `run(inputs, state)` is passed to you. It reads the symbols `inputs` (batch, length) from a state and returns two things: logits (batch, length, vocabulary) and the state after the last symbol. You do not need to know what the state is; pass on what you got.
#
# About 7 lines. Explained in [section s8](../../lectures/03_language_model.ipynb#s8).
#
# *Hint:* `ops.log_softmax` turns logits into log probabilities. Collect one array (batch, length) for each window, and join them along time.

# %% nbgrader={"grade": false, "grade_id": "q5-read", "locked": false, "schema_version": 3, "solution": true, "task": false}
def read_text(run, first_state, window_list):
    """Read window after window, and say how probable each target was.

    run: a function: logits, new_state = run(inputs, state)
    first_state: the state before the first window
    window_list: a list of pairs inputs, targets, both integers (batch, length)
    returns: the log probability of each target, in the order of the text:
        (batch, number of windows * length)
    """
    ### BEGIN SOLUTION
    state, found = first_state, []
    for inputs, targets in window_list:
        logits, state = run(inputs, state)
        logs = ops.log_softmax(logits, axis=-1)
        of_targets = ops.take_along_axis(logs, ops.expand_dims(targets, -1), axis=-1)[..., 0]
        found.append(ops.convert_to_numpy(of_targets))
    return np.concatenate(found, axis=1)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q5-read-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.read_text(read_text)
### BEGIN HIDDEN TESTS
checks.read_text(read_text, seed=1)
checks.read_text(read_text, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# ### What the carried state is worth
#
# The next cell reads new text with *your* functions of questions 1, 3 and 5: once with the state carried, once with an empty state at the beginning of each window. It gives no points. If one of the functions is not ready, the cell says so and goes on.

# %% nbgrader={"grade": false, "grade_id": "carried-figure", "locked": true, "schema_version": 3, "solution": false, "task": false}
READ_STREAMS = 16
READ_WINDOWS = len(new_ids[:-1]) // (READ_STREAMS * WINDOW)
read_ids = new_ids[: READ_STREAMS * READ_WINDOWS * WINDOW + 1]


def read_new_text(carry):
    """The log probabilities of the new text, (streams, time), with the state carried or not."""
    window_list = windows(read_ids, READ_STREAMS, WINDOW)
    first = char_model.first_state(READ_STREAMS)
    if carry:
        return np.asarray(read_text(char_model.run, first, window_list))
    each_alone = [read_text(char_model.run, first, [each]) for each in window_list]
    return np.concatenate([np.asarray(logs) for logs in each_alone], axis=1)


def by_position(logs):
    """Mean bits for each character, by its position in the window: 1, 2, 3 to 4, 5 to 8, ..."""
    bits = -logs.reshape(-1, WINDOW) / np.log(2)
    edges = [0] + [2**power for power in range(int(np.log2(WINDOW)) + 1)]
    return [(high, float(bits[:, low:high].mean())) for low, high in zip(edges[:-1], edges[1:])]


def show_carried():
    """Print perplexities, and draw bits against the position in the window."""
    read = {
        "state carried": read_new_text(carry=True),
        "empty state at each window": read_new_text(carry=False),
    }
    for name, logs in read.items():
        print(f"{name:>26}: perplexity {float(perplexity(logs, np.ones(logs.shape, bool))):.2f}")
    return plots.curves(
        {name: by_position(logs) for name, logs in read.items()},
        x_label="position in the window, up to (characters)",
        y_label="bits for each character",
        log_x=True,
        title="New program text, read in windows",
    )


try:
    display(show_carried())
except Exception as problem:
    print("Not yet. It needs char_model (question 4, a LanguageModel) and your functions of")
    print("questions 1, 3 and 5. What is missing:", type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## Part 3. Learning against counting
#
# ## Question 6. Bits per character (1 point)
#
# Models of characters are compared in bits: how many bits a perfect code, made from the model's probabilities, takes for a character on average. It is the cross-entropy with the logarithm to the base 2, and $\log_2 p = \log p / \log 2$:
#
# $$\mathrm{bpc} = -\frac{1}{N} \sum_{b,t} m_{bt} \log_2 p(w_{bt})$$
#
# About 1 line. Explained in [section s10](../../lectures/03_language_model.ipynb#s10).

# %% nbgrader={"grade": false, "grade_id": "q6-bits", "locked": false, "schema_version": 3, "solution": true, "task": false}
def bits_per_character(log_probabilities, mask):
    """log_probabilities (batch, time): natural logarithms of the probabilities of what came;
    mask (batch, time) with True for a real character; returns one number, in bits"""
    ### BEGIN SOLUTION
    return -np.mean(log_probabilities[mask]) / np.log(2)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q6-bits-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.bits_per_character(bits_per_character)
### BEGIN HIDDEN TESTS
checks.bits_per_character(bits_per_character, seed=10)
checks.bits_per_character(bits_per_character, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# ### An n-gram model of the same text
#
# An n-gram model counts. It looks back $n - 1$ characters and knows how often each character followed them. Where these $n - 1$ characters never came, it looks back less far; Kneser-Ney smoothing is a good way to mix what was seen after long and after short contexts. `models.KneserNey(order)` is given.
#
# The next cell counts n-grams of the same characters from which your model learned.

# %% nbgrader={"grade": false, "grade_id": "ngrams", "locked": true, "schema_version": 3, "solution": false, "task": false}
ORDERS = [1, 2, 3, 4, 5, 6, 8, 10]
ngrams = {order: models.KneserNey(order).fit([learned_ids], len(characters)) for order in ORDERS}


def ngram_log_probabilities(order, ids):
    """The log probability of each character but the first, (1, time - 1)."""
    return ngrams[order].log_probabilities([ids])


for order in (1, 2, 3, 6):
    mean = -ngram_log_probabilities(order, new_ids).mean()
    print(f"{order}-gram: perplexity {np.exp(mean):6.2f} on new text")

# %% [markdown]
# The next cell compares the two kinds of models with your `bits_per_character`, on the same new characters. It also shows how well the n-grams do on the text from which they were counted.

# %% nbgrader={"grade": false, "grade_id": "ngram-figure", "locked": true, "schema_version": 3, "solution": false, "task": false}
def bits(logs):
    """Your bits per character, where no position is padding."""
    return float(bits_per_character(logs, np.ones(logs.shape, bool)))


def show_against_ngrams():
    """Bits per character against the order of the n-grams, with the LSTM beside."""
    curves = {
        "n-grams, new text": [
            (order, bits(ngram_log_probabilities(order, read_ids))) for order in ORDERS
        ],
        "n-grams, the text they counted": [
            (order, bits(ngram_log_probabilities(order, learned_ids[: len(read_ids)])))
            for order in ORDERS
        ],
    }
    try:
        lstm = bits(read_new_text(carry=True))
        curves["your LSTM, new text"] = [(order, lstm) for order in ORDERS]
        print(f"your LSTM: {lstm:.2f} bits per character, {char_model.count_params():,} weights")
    except Exception as problem:
        print("Without the LSTM; it needs questions 1, 4 and 5:", type(problem).__name__)
    for order, value in curves["n-grams, new text"]:
        grams = {learned_text[i : i + order] for i in range(len(learned_text) - order + 1)}
        print(f"{order:>2}-gram: {value:.2f} bits per character, {len(grams):,} different n-grams")
    return plots.curves(
        curves,
        x_label="order of the n-grams (characters)",
        y_label="bits per character",
        title="Learning against counting",
    )


try:
    display(show_against_ngrams())
except Exception as problem:
    print("Not yet. It needs your bits_per_character:", type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## Question 7. What the comparison shows (1 point)
#
# Answer in three to five sentences, with numbers from your own output: **(a)** Which order of n-grams comes closest to the LSTM on new text? What does the LSTM have that the n-gram of this order cannot have, however much it counts? **(b)** From order 6 to order 10 the n-grams get much better on the text they counted, but hardly on new text. Why? What does this tell you about measuring a language model?

# %% [markdown] nbgrader={"grade": true, "grade_id": "q7-ngrams", "locked": false, "points": 1, "schema_version": 3, "solution": true, "task": false}
# ### BEGIN SOLUTION
# **(a)** In our run the LSTM has 2.33 bits per character, like the 5-gram (2.34). The 5-gram sees four characters and nothing before them; the LSTM's state can carry something from all earlier characters, such as an open quotation mark or the depth of the indentation, and its weights are shared between contexts that are alike. (Longer n-grams are a little better here, 2.26 bits at order 10: counting takes a second and remembers whole names, the small LSTM was trained for a minute. It is right to say so.) **(b)** From order 6 to order 10 they go from 0.98 to 0.58 bits on their own text, and from 2.31 to 2.26 on new text. Most strings of 10 characters of a new text never came in the learned text, so the model falls back to shorter ones; on its own text it finds every string again and has nearly learned it by heart. So a model must be measured on text from which it has not learned, and two models on the same new text.
#
# *Marking guide.* Half a point for (a): an order that fits the student's own figure, and a context that is longer than n - 1 characters (or weights shared between similar contexts). Half a point for (b): long strings of new text were not seen before, or were learned by heart in the old text, and the conclusion that only unseen text counts.
# ### END SOLUTION

# %% [markdown]
# ## Part 4. Writing
#
# A language model writes one symbol at a time: it gives a probability to each next symbol, one is chosen, and the model reads it. What matters is how the symbol is chosen.
#
# ## Question 8. Temperature (1 point)
#
# With a temperature $T$ the logits are divided by $T$ before the softmax:
#
# $$p_v = \frac{\exp(z_v / T)}{\sum_u \exp(z_u / T)}$$
#
# Below 1, probable symbols become more probable; above 1, all become more alike. Logits can be large, so `exp` must not overflow. About 1 line. Explained in [section s9](../../lectures/03_language_model.ipynb#s9).

# %% nbgrader={"grade": false, "grade_id": "q8-temperature", "locked": false, "schema_version": 3, "solution": true, "task": false}
def with_temperature(logits, temperature):
    """logits (batch, vocabulary), temperature: a number above 0;
    returns probabilities (batch, vocabulary)"""
    ### BEGIN SOLUTION
    return ops.softmax(logits / temperature, axis=-1)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q8-temperature-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.temperature(with_temperature)
### BEGIN HIDDEN TESTS
checks.temperature(with_temperature, seed=10)
checks.temperature(with_temperature, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 9. Top-k (1 point)
#
# Only the $k$ most probable symbols of each row may be chosen. Set the probabilities of all others to 0, and divide what is left by its sum, so that each row sums to 1 again. Each symbol stays in its place. Two symbols of a row are never equally probable here. About 4 lines. Explained in [section s9](../../lectures/03_language_model.ipynb#s9).
#
# *Hint:* the $k$-th largest number of each row is `np.sort(probabilities, axis=-1)[:, -k]`.

# %% nbgrader={"grade": false, "grade_id": "q9-top-k", "locked": false, "schema_version": 3, "solution": true, "task": false}
def top_k(probabilities, k):
    """probabilities (batch, vocabulary), k: a whole number from 1 on;
    returns probabilities (batch, vocabulary)"""
    ### BEGIN SOLUTION
    least = np.sort(probabilities, axis=-1)[:, -k, None]  # (batch, 1)
    kept = np.where(probabilities >= least, probabilities, 0.0)
    return kept / kept.sum(axis=-1, keepdims=True)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q9-top-k-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.top_k(top_k)
### BEGIN HIDDEN TESTS
checks.top_k(top_k, seed=10)
checks.top_k(top_k, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 10. Top-p (2 points)
#
# A fixed $k$ is too large where the model is sure, and too small where it is not. Top-p (nucleus sampling) lets the number change from row to row: take the most probable symbols, one after the other, until their sum is at least `mass`. The symbol with which the sum reaches `mass` belongs to the set. All others get 0, and what is left is divided by its sum. Each symbol stays in its place.
#
# For the probabilities `[0.1, 0.5, 0.15, 0.25]` and `mass` = 0.6: the symbols 1 and 3 have 0.5 + 0.25 = 0.75, so they stay: `[0, 0.667, 0, 0.333]`. About 6 lines. Explained in [section s9](../../lectures/03_language_model.ipynb#s9).
#
# *Hint:* `np.argsort(-probabilities, axis=-1)` sorts each row, `np.cumsum` adds up. A symbol stays if the sum of those *before* it is below `mass`. `np.put_along_axis(array, order, values, axis=-1)` writes sorted values back to their places.

# %% nbgrader={"grade": false, "grade_id": "q10-top-p", "locked": false, "schema_version": 3, "solution": true, "task": false}
def top_p(probabilities, mass):
    """probabilities (batch, vocabulary), mass: a number above 0, at most 1;
    returns probabilities (batch, vocabulary)"""
    ### BEGIN SOLUTION
    order = np.argsort(-probabilities, axis=-1)
    ordered = np.take_along_axis(probabilities, order, axis=-1)
    before = np.cumsum(ordered, axis=-1) - ordered  # the sum of all that are more probable
    kept = np.zeros_like(probabilities)
    np.put_along_axis(kept, order, np.where(before < mass, ordered, 0.0), axis=-1)
    return kept / kept.sum(axis=-1, keepdims=True)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q10-top-p-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.top_p(top_p)
### BEGIN HIDDEN TESTS
checks.top_p(top_p, seed=10)
checks.top_p(top_p, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 11. The loop that writes (2 points)
#
# Write `generate`: read a beginning, then write on. Two functions are passed to you:
#
# - `logits, new_state = step(previous, state)` reads one symbol of each row: `previous` has the shape (batch,), logits (batch, vocabulary). The state is whatever the model needs; pass on what you got.
# - `choose(logits)` returns one id for each row, (batch,).
#
# The model must read the *whole* beginning, each symbol once. The last symbol of the beginning gives the logits from which the first new symbol is chosen. From then on, each chosen symbol is the next one that the model reads. (Whether it reads the very last one too is up to you.) About 8 lines. Explained in [section s9](../../lectures/03_language_model.ipynb#s9).

# %% nbgrader={"grade": false, "grade_id": "q11-generate", "locked": false, "schema_version": 3, "solution": true, "task": false}
def generate(step, state, prompt, length, choose):
    """Write on from a beginning.

    step: a function: logits, new_state = step(previous, state)
    state: the state before the first symbol of the beginning
    prompt: integers (batch, time), the beginning, at least one symbol
    length: how many symbols to write
    choose: a function: ids (batch,) = choose(logits)
    returns: integers (batch, length): what was written, without the beginning
    """
    ### BEGIN SOLUTION
    for column in range(prompt.shape[1] - 1):
        _, state = step(prompt[:, column], state)
    previous, written = prompt[:, -1], []
    for _ in range(length):
        logits, state = step(previous, state)
        previous = choose(logits)
        written.append(previous)
    return np.stack(written, axis=1)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q11-generate-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.generation(generate)
### BEGIN HIDDEN TESTS
checks.generation(generate, seed=1)
checks.generation(generate, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# ### Your model writes
#
# The next cell lets your model write with *your* functions, in six ways: greedy (always the most probable character), three temperatures, top-k and top-p. If `char_model` is not ready, the 6-gram model writes instead.

# %% nbgrader={"grade": false, "grade_id": "write", "locked": true, "schema_version": 3, "solution": false, "task": false}
BEGINNINGS = ["\n    def ", "\n    if s", "\nclass _A", "\nimport s"]
WRITTEN = 30 if FAST else 200  # characters


def without_reserved(logits):
    """The logits, with no chance for the ids 0 to 3, which are no characters."""
    logits = np.array(logits)
    logits[:, :4] = -1e9
    return logits


def greedy(logits):
    """The most probable symbol of each row."""
    return np.argmax(without_reserved(logits), axis=-1)


def drawing(temperature=1.0, k=None, mass=None, seed=1):
    """A function that draws a symbol for each row, by your probabilities."""
    generator = np.random.default_rng(seed)

    def choose(logits):
        probabilities = np.asarray(with_temperature(without_reserved(logits), temperature))
        if k is not None:
            probabilities = np.asarray(top_k(probabilities, k))
        if mass is not None:
            probabilities = np.asarray(top_p(probabilities, mass))
        totals = np.cumsum(probabilities, axis=-1)
        drawn = generator.random((len(totals), 1)) * totals[:, -1:]
        return np.argmax(totals > drawn, axis=-1)

    return choose


WAYS = {
    "greedy": greedy,
    "temperature 0.5": drawing(0.5),
    "temperature 1": drawing(1.0),
    "temperature 1.5": drawing(1.5),
    "top-k, k = 10": drawing(k=10),
    "top-p, mass 0.9": drawing(mass=0.9),
}


def visible(written_text):
    """With a dot for each space in lines that hold nothing else."""
    lines = written_text.split("\n")
    return "\n".join(line if line.strip() else "·" * len(line) for line in lines)


def writer():
    """The model that writes."""
    try:
        char_model.step(np.array([4]), char_model.first_state(1))
        return char_model, "your LSTM"
    except Exception:
        return ngrams[6], "the 6-gram model"


def show_written():
    """What was written in each way, a row for each beginning; prints the first row."""
    model, name = writer()
    prompt, _ = characters.encode(BEGINNINGS)
    found = {}
    for way, choose in WAYS.items():
        try:
            state = model.first_state(len(prompt))
            ids = np.asarray(generate(model.step, state, prompt, WRITTEN, choose))
        except Exception as problem:
            print(f"=== {way}: not yet ({type(problem).__name__}: {str(problem)[:200]})\n")
            continue
        found[way] = np.concatenate([prompt, ids], axis=1)
        print(f"=== {name}, {way}{visible(characters.decode(found[way][:1])[0])}\n")
    return found


written = show_written()

# %% [markdown]
# The next cell measures two things for each way of writing, and for real program text of the same length. **Bits for each character**: how surprised the model itself is by the text. **Different strings**: of all strings of 10 characters in the text, how many are different; 1.00 means that nothing comes twice.

# %% nbgrader={"grade": false, "grade_id": "write-measure", "locked": true, "schema_version": 3, "solution": false, "task": false}
def different_strings(rows, width=10):
    """The share of different strings of this many characters, a mean over rows."""
    shares = []
    for row in rows:
        strings = np.lib.stride_tricks.sliding_window_view(row, width)
        shares.append(len(np.unique(strings, axis=0)) / len(strings))
    return float(np.mean(shares))


def measure_written():
    """A table of all ways of writing, and of real text."""
    model, name = writer()
    size = len(BEGINNINGS[0]) + WRITTEN
    places = np.linspace(0, len(new_ids) - size, 20).astype(int)
    texts = {**written, "real text": np.stack([new_ids[each : each + size] for each in places])}
    logs = np.asarray(model.log_probabilities(np.concatenate(list(texts.values()))))
    print(f"measured by {name}: bits for each character; different strings of 10 characters")
    for way, ids in texts.items():
        own, logs = logs[: len(ids), -WRITTEN:], logs[len(ids) :]
        share = different_strings(ids[:, -WRITTEN:])
        print(f"{way:>16}: {metrics.bits_per_character(own):.2f} bits, {share:.2f} different")


measure_written()

# %% [markdown]
# Greedy has a second weakness, which has nothing to do with repeating. It takes the best *next* symbol, and cannot go back. Here is a tiny language with two words in each sentence:
#
# | first word | probability | second word after it, with its probability |
# | --- | --- | --- |
# | *good* | 0.6 | *day* 0.4, *night* 0.3, *luck* 0.3 |
# | *thank* | 0.4 | *you* 0.9, *heaven* 0.1 |
#
# ## Question 12. Why greedy is not always good (1 point)
#
# Answer in three to five sentences: **(a)** What does the greedy text look like, and what do your two numbers say about it, beside those of real text? Why does a text in which each character is the most probable one not look like a real text? **(b)** Which sentence of the tiny language does greedy write, and which is the most probable one? Give both probabilities, and say why greedy misses it.

# %% [markdown] nbgrader={"grade": true, "grade_id": "q12-greedy", "locked": false, "points": 1, "schema_version": 3, "solution": true, "task": false}
# ### BEGIN SOLUTION
# **(a)** The greedy text soon goes round in a circle: the same few words, or only spaces, again and again. In our run it has 0.4 bits for each character and one sixth of its strings are different; real text has 2.3 bits, and nine tenths of its strings are different. Real text is not a chain of most probable characters: it tells something new, so less probable characters come regularly, about as often as their probability says. Drawing with temperature 1 comes near to the surprise of real text (2.1 bits); a low temperature, top-k and top-p lie between. **(b)** Greedy writes "good day", with the probability 0.6 · 0.4 = 0.24. The most probable sentence is "thank you", 0.4 · 0.9 = 0.36. Greedy decides for "good" before it knows how the sentence goes on, and never comes back; a beam search keeps both beginnings.
#
# *Marking guide.* Half a point for (a): repetition, low bits beside real text with the student's own numbers, and the idea that real text is not always the most probable one. Half a point for (b): 0.24 and 0.36 (0.2 of the half for the numbers alone), and that the first choice is made without looking at what follows.
# ### END SOLUTION

# %% [markdown]
# ## Part 5. Cells that keep track
#
# To predict program text well, a model must know whether it stands inside quotation marks, how far the line has come, and whether it is inside an `if`. Perhaps one memory cell $c_i$ of the LSTM follows such a property. See [section s11](../../lectures/03_language_model.ipynb#s11).
#
# ## Question 13. Rank the cells (1 point)
#
# Rank the cells by how well they go with a property: by the absolute correlation over all positions of a text. For cell $i$ with the values $c_{ti}$ and a property $q_t$ (1 where it holds, 0 where not; or a number, such as the position in the line), with the means $\bar c_i$ and $\bar q$ over time:
#
# $$r_i = \frac{\sum_t (c_{ti} - \bar c_i)(q_t - \bar q)}
# {\sqrt{\sum_t (c_{ti} - \bar c_i)^2}\,\sqrt{\sum_t (q_t - \bar q)^2}}$$
#
# Return the *numbers* of the cells, from the largest $\lvert r_i \rvert$ to the smallest. A cell that falls where the property holds is as good as one that rises. No cell is constant. About 5 lines.
#
# *Hint:* a boolean array must become numbers first: `inside.astype("float64")`.

# %% nbgrader={"grade": false, "grade_id": "q13-cells", "locked": false, "schema_version": 3, "solution": true, "task": false}
def ranked_cells(states, inside):
    """states (time, cells): what each cell was after each symbol;
    inside (time,): the property, booleans or numbers;
    returns the numbers of the cells (cells,), the best first"""
    ### BEGIN SOLUTION
    cells = states - states.mean(axis=0)
    values = inside.astype("float64") - inside.mean()
    sizes = np.sqrt((cells**2).sum(axis=0) * (values**2).sum())
    correlations = values @ cells / sizes
    return np.argsort(-np.abs(correlations))
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q13-cells-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.ranked_cells(ranked_cells)
### BEGIN HIDDEN TESTS
checks.ranked_cells(ranked_cells, time=40, cells=4, seed=10)
checks.ranked_cells(ranked_cells, time=90, cells=9, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# ### Colour a text by a cell
#
# The next cell reads new program text with your model, looks for the best cell for each of three properties with your `ranked_cells`, and colours a piece of the text by it. Many cells stay near their largest or smallest value most of the time, so the cell replaces each value by its place among all values of the same cell, from -1 (the lowest) to 1 (the highest). A cell that falls with the property is turned round. Strings of several lines are left out: they hold prose. Cells are ranked on two thirds of the text; the pictures, and the numbers below them, come from the last third, because the best of many cells is also a lucky one.

# %% nbgrader={"grade": false, "grade_id": "cells-figures", "locked": true, "schema_version": 3, "solution": false, "task": false}
from rnnkit.experiments.character_model import WARM_UP, memory_over_text
from scipy.stats import rankdata

READ = 6_000 if FAST else 20_000  # characters
RANKED = 2 * READ // 3  # cells are ranked on these, and measured again on the rest
PROPERTIES = ("inside quotes", "position in line", "inside an if")


def code_alone():
    """True for each character outside strings of several lines: these hold prose."""
    quotes = np.concatenate([[0], new_program.inside_quotes.astype(int), [0]])
    code = np.ones(len(new_program.text), bool)
    begins, ends = (np.flatnonzero(np.diff(quotes) == change) for change in (1, -1))
    for begin, end in zip(begins, ends):
        code[begin:end] = "\n" not in new_program.text[begin:end]
    return code


def find_piece(lines=9):
    """A piece of the last third of the text with many quotation marks, part of it in an if."""
    starts = RANKED + np.flatnonzero(new_program.line_position[RANKED:READ] == 0)
    best, piece = -1.0, (RANKED, RANKED + 300)
    for number in range(len(starts) - lines - 1):
        place = slice(starts[number], starts[number + lines])
        quotes = new_program.inside_quotes[place]
        share = new_program.inside_if[place].mean()
        changes = np.abs(np.diff(quotes.astype(int))).sum()
        score = changes * (0.2 < share < 0.8) * (0.1 < quotes.mean() < 0.5)
        if place.stop < READ - 64 and score > best:
            best, piece = score, (int(place.start), int(place.stop))
    return piece


def show_cells():
    """For each property: the best cell by your ranking, over a piece of the text."""
    cells = memory_over_text(char_model, new_ids[:READ])  # (time, cells)
    read = slice(WARM_UP, WARM_UP + len(cells))  # the characters that these are the states of
    ranks = rankdata(cells, axis=0)
    ranks = 2 * (ranks - 1) / (len(ranks) - 1) - 1  # from -1 for the lowest to 1 for the highest
    early = np.arange(WARM_UP, WARM_UP + len(cells)) < RANKED
    first, second = code_alone()[read] & early, code_alone()[read] & ~early
    moving = np.flatnonzero(ranks[first].std(axis=0) > 0.01)
    begin, end = find_piece()
    for name in PROPERTIES:
        values = new_program.properties[name][read]
        order = np.asarray(ranked_cells(ranks[first][:, moving], values[first]))
        best = int(moving[int(order[0])])
        sign = 1 if np.corrcoef(ranks[first, best], values[first])[0, 1] > 0 else -1
        again = sign * np.corrcoef(ranks[second, best], values[second])[0, 1]
        display(
            plots.coloured_text(
                new_program.text[begin:end],
                sign * ranks[begin - WARM_UP : end - WARM_UP, best],
                name=f"place of cell {best} among its own values{', turned' if sign < 0 else ''}",
                title=f"The best cell for: {name}",
            )
        )
        print(f"{name}: cell {best}, correlation {again:.2f} on the last third of the text")


try:
    show_cells()
except Exception as problem:
    print("Not yet. It needs char_model (question 4, a LanguageModel with LSTM cells) and your")
    print("ranked_cells. What is missing:", type(problem).__name__, str(problem)[:300])

# %% [markdown]
# Is this something the model has *learned*? The next cell ranks the cells of your model, and of a model of the same size with random weights, by the area under the ROC curve: the probability that the cell is higher at a place inside quotes (inside an `if`) than at one outside. 0.5 is chance. An untrained memory is not at chance: it fills up while a line goes on, and so it knows something about the text for free. Only what goes beyond it was learned. Do not expect too much of a small model that learned for a minute: in our run its best cells for quotes are clearly above those with random weights, and for an `if` they are not. And a cell that goes *with* a property need not be the one that the model *uses* for it.

# %% nbgrader={"grade": false, "grade_id": "cells-ranking", "locked": true, "schema_version": 3, "solution": false, "task": false}
def show_ranking(count=8):
    """The scores of the best cells, in your model and in one with random weights."""
    keras.utils.set_random_seed(3)
    units = char_model.settings["units"]
    untrained = models.LanguageModel(len(characters), units=units, embedding=64, cell="lstm")
    panels = {"inside quotes": {}, "inside an if": {}}
    for model_name, model in (("your model", char_model), ("random weights", untrained)):
        cells = memory_over_text(model, new_ids[:READ])
        read = slice(WARM_UP, WARM_UP + len(cells))
        code = code_alone()[read]
        for name, curves in panels.items():
            values = new_program.properties[name][read]
            ranking = metrics.rank_cells(cells[code], values[code], count=count)
            curves[model_name] = [(rank, cell.score) for rank, cell in enumerate(ranking, start=1)]
    return plots.curves(
        panels,
        x_label="rank of the cell",
        y_label="area under the ROC curve",
        chance=0.5,
    )


try:
    display(show_ranking())
except Exception as problem:
    print("Not yet. It needs char_model, a LanguageModel with LSTM cells:", type(problem).__name__)

# %% [markdown]
# ## Part 6. Subject and verb
#
# In "the writer of the books is here", the verb agrees with *writer*, the subject, and not with *books*, which stands next to it. A noun of the other number between subject and verb is called an *attractor*. A model that only looks at what stands near (sequential recency) takes the wrong verb after an attractor; a model that knows the structure (syntactic recency) does not. See [section s12](../../lectures/03_language_model.ipynb#s12).
#
# ## Question 14. Accuracy by attractors (1 point)
#
# For each sentence you get the log probability of the right form of the verb ("is") and of the wrong one ("are") at the same place, and the number of attractors before it. For 0, 1, 2 and 3 attractors, return the share of sentences in which the right form has the *higher* probability. There is at least one sentence of each number. About 4 lines.

# %% nbgrader={"grade": false, "grade_id": "q14-agreement", "locked": false, "schema_version": 3, "solution": true, "task": false}
def agreement_by_attractors(right, wrong, attractors):
    """right, wrong: log probabilities (n,); attractors: integers (n,), from 0 to 3;
    returns 4 shares, for 0, 1, 2 and 3 attractors"""
    ### BEGIN SOLUTION
    wins = right > wrong
    return [float(np.mean(wins[attractors == number])) for number in range(4)]
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q14-agreement-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.agreement_by_attractors(agreement_by_attractors)
### BEGIN HIDDEN TESTS
checks.agreement_by_attractors(agreement_by_attractors, count=12, seed=10)
checks.agreement_by_attractors(agreement_by_attractors, count=70, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# The next cell makes sentences, counts 5-grams of words, and trains an LSTM on the same sentences. Nobody tells it what a subject is. Two things are special: up to two attractors stand in the sentences to learn from, and up to three in the test; and the LSTM is asked twice, in the middle of its training and at the end. This takes about 20 seconds.

# %% nbgrader={"grade": false, "grade_id": "agreement-train", "locked": true, "schema_version": 3, "solution": false, "task": false}
EARLY, LATE = (1, 2) if FAST else (4, 8)  # epochs
# As in real text, most sentences have no attractor, and few have many.
learned_sentences = data.agreement(1000 if FAST else 16000, (0, 0, 0, 0, 1, 1, 2), "train", seed=1)
new_sentences = data.agreement(200 if FAST else 1200, (0, 1, 2, 3), "test", seed=2)
sentence_texts = [" ".join(sentence) for sentence in learned_sentences.sentences]
word_vocabulary = text.Vocabulary.from_texts(sentence_texts, split=text.words, joiner=" ")
sentence_ids, _ = word_vocabulary.encode(sentence_texts, bos=True, eos=True)


def verb_log_probabilities(model, verbs):
    """The log probability of these verbs after the beginnings of the new sentences, (n,)."""
    pairs = zip(new_sentences.prefixes, verbs)
    ids, mask = word_vocabulary.encode([" ".join([*prefix, verb]) for prefix, verb in pairs], bos=True)
    places = mask.sum(axis=1) - 2  # the first symbol, BOS, is not predicted
    return np.asarray(model.log_probabilities(ids))[np.arange(len(ids)), places]


def ask(model):
    """The log probabilities of the right and of the wrong verbs."""
    return [verb_log_probabilities(model, each) for each in (new_sentences.right, new_sentences.wrong)]


keras.utils.set_random_seed(3)
word_model = models.LanguageModel(len(word_vocabulary), units=64, embedding=32, cell="lstm")
word_model.compile(
    optimizer=keras.optimizers.Adam(0.003, global_clipnorm=1.0), loss=models.masked_cross_entropy
)
five_grams = models.KneserNey(5).fit(sentence_ids, len(word_vocabulary))
verb_scores = {"5-gram": ask(five_grams)}
for epochs in (EARLY, LATE):
    word_model.fit(
        sentence_ids[:, :-1],
        sentence_ids[:, 1:],
        initial_epoch=0 if epochs == EARLY else EARLY,
        epochs=epochs,
        batch_size=64,
        verbose=0,
    )
    verb_scores[f"LSTM, epoch {epochs}"] = ask(word_model)
for number in range(3):
    print(" ".join(new_sentences.prefixes[number]), "...", new_sentences.right[number])

# %% nbgrader={"grade": false, "grade_id": "agreement-figure", "locked": true, "schema_version": 3, "solution": false, "task": false}
def show_agreement():
    """Your shares, for each model."""
    attractors = np.array(new_sentences.attractors)
    curves = {}
    for name, (right, wrong) in verb_scores.items():
        shares = [float(share) for share in agreement_by_attractors(right, wrong, attractors)]
        curves[name] = list(enumerate(shares))
        print(f"{name:>15}:", "  ".join(f"{share:.2f}" for share in shares))
    return plots.curves(
        curves,
        x_label="attractors between subject and verb",
        y_label="right verb is the more probable one",
        chance=0.5,
        y_limits=(-0.03, 1.03),
        title="The verb agrees with its subject",
    )


try:
    display(show_agreement())
except Exception as problem:
    print("Not yet. It needs your agreement_by_attractors:", type(problem).__name__, str(problem)[:300])

# %% [markdown]
# Who lets the verb agree with the *nearest* noun has all right without attractors, about 1/2 with one, 1/4 with two and 1/8 with three: other nouns, of the subject's own number, may stand between too. Compare this with your three curves.
#
# ## Part 7. Words that stand far apart
#
# "anna promised to bring the **tickets** . it rained . the train stopped in the valley . at last anna brought the **tickets**": the last word was said once, many words before. To predict it, a model must keep one of 16 things in mind. See [section s13](../../lectures/03_language_model.ipynb#s13).
#
# ## Question 15. The probability of the last word (1 point)
#
# The stories of a batch differ in length, and the shorter ones are padded on the right. Each story has at least one real word. Return the mean, over the stories, of the probability (not its logarithm) of the last real word. About 3 lines.

# %% nbgrader={"grade": false, "grade_id": "q15-last", "locked": false, "schema_version": 3, "solution": true, "task": false}
def last_word_probability(log_probabilities, mask):
    """log_probabilities (stories, time): of each word after those before it;
    mask (stories, time) with True for a real word; returns one number"""
    ### BEGIN SOLUTION
    last = mask.sum(axis=1) - 1
    return np.mean(np.exp(log_probabilities[np.arange(len(mask)), last]))
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q15-last-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.last_word_probability(last_word_probability)
### BEGIN HIDDEN TESTS
checks.last_word_probability(last_word_probability, stories=4, time=5, seed=10)
checks.last_word_probability(last_word_probability, stories=9, time=12, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# The next cell trains an Elman net and an LSTM on such stories, with up to 32 words between. Both learn alike: from near to far, one distance more in each epoch, and the last word counts 30 times, because among all the others it would be lost. The LSTM's forget gates begin nearly open (a forget bias of 3). This takes about 25 seconds.

# %% nbgrader={"grade": false, "grade_id": "long-train", "locked": true, "schema_version": 3, "solution": false, "task": false}
DISTANCES = [8, 16] if FAST else [8, 12, 16, 24, 32]  # in the stories to learn from, in words
TESTED = [8, 16, 32] if FAST else [8, 16, 32, 64, 128]

learned_stories = data.tickets(640 if FAST else 8000, DISTANCES, distractors=0, split="train", seed=1)
story_texts = [" ".join(story) for story in learned_stories.sentences]
story_vocabulary = text.Vocabulary.from_texts(story_texts, split=text.words, joiner=" ")
story_ids, story_mask = story_vocabulary.encode(story_texts)
new_stories = {
    distance: story_vocabulary.encode(
        [
            " ".join(story)
            for story in data.tickets(
                50 if FAST else 300, [distance], distractors=0, split="test", seed=2
            ).sentences
        ]
    )
    for distance in TESTED
}


def train_on_stories(cell):
    """A language model of the stories, trained from near to far."""
    keras.utils.set_random_seed(3)
    model = models.LanguageModel(len(story_vocabulary), units=64, embedding=32, cell=cell)
    if cell == "lstm":
        lstm_cell = model.recurrences[0].cell
        lstm_cell.forget_bias = 3
        lstm_cell.bias.assign(lstm_cell.initial_bias(lstm_cell.bias.shape))
    model.compile(
        optimizer=keras.optimizers.Adam(0.005, global_clipnorm=1.0),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    distances = np.array(learned_stories.distances)
    for farthest in [*DISTANCES, DISTANCES[-1]]:
        near = distances <= farthest
        ids, mask = story_ids[near], story_mask[near]
        weights = mask[:, 1:].astype("float32")
        weights[np.arange(len(ids)), mask.sum(axis=1) - 2] = 30.0
        model.fit(ids[:, :-1], ids[:, 1:], sample_weight=weights, batch_size=32, verbose=0)
    return model


story_models = {
    "Elman": train_on_stories("elman"),
    "LSTM, forget bias 3": train_on_stories("lstm"),
    "5-gram": models.KneserNey(5).fit(story_ids, len(story_vocabulary)),
}
print(" ".join(learned_stories.sentences[0]))

# %% nbgrader={"grade": false, "grade_id": "long-figure", "locked": true, "schema_version": 3, "solution": false, "task": false}
def show_long_range():
    """Your mean probability of the right last word, for each model and distance."""
    curves = {}
    for name, model in story_models.items():
        curves[name] = [
            (
                distance,
                float(last_word_probability(np.asarray(model.log_probabilities(ids)), mask[:, 1:])),
            )
            for distance, (ids, mask) in new_stories.items()
        ]
        print(f"{name:>20}:", "  ".join(f"{value:.2f} at {x}" for x, value in curves[name]))
    return plots.curves(
        curves,
        x_label="distance (words)",
        y_label="probability of the right word",
        log_x=True,
        chance=1 / 16,
        y_limits=(-0.03, 1.03),
        title="The last word of a story, said once before",
    )


try:
    display(show_long_range())
except Exception as problem:
    print("Not yet. It needs your last_word_probability:", type(problem).__name__, str(problem)[:300])

# %% [markdown]
# The 5-gram sees four words and cannot know the right one: it stays at 1/16. Both nets keep the word over all distances from which they have learned. What happens at 64 and 128 words, farther than in any story of the training, differs from seed to seed and from setting to setting; one run is no proof that one kind of net remembers longer than the other. The lecture shows several seeds.
#
# ## That is all
#
# Before you hand in: *Kernel → Restart Kernel and Run All Cells*, and look through your answers once more. Then press *Validate*.
