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
# # Exercise 4: bidirectional networks
#
# A recurrent network reads from left to right, so at each word it knows only the words before it. Often the words *after* it decide. In this exercise you build a network that reads in both directions, and you use it for the three kinds of tasks that such networks do: one label for a sentence, one decision for a pair of sentences, one label for each word.
#
# **You write** the bidirectional network with masks, several layers of it, the sentence vector, and the numbers that say how good a model is. **You are given** the layers, the data and the figures, from the package `rnnkit`. Each question stands alone: if you get stuck in one, go on with the next.
#
# **How it works.** Write your code where it says `YOUR CODE HERE`, and delete the line `raise NotImplementedError()`. The cell below your answer tests it. When a test fails, its last lines say what came out, what was expected, and often which slip gives exactly this. There are also hidden tests; they use other shapes and other numbers. Where you are asked to write a thing, do not call the ready-made one from Keras, `rnnkit` or scikit-learn: the tests notice it. Operations of `keras.ops`, NumPy and TensorFlow are free to use; here NumPy is enough.
#
# 20 points; about 100 minutes. The lecture is [lectures/04_bidirectional](../../lectures/04_bidirectional.ipynb).
#
# | symbol | in the code | shape | what it is |
# | --- | --- | --- | --- |
# | $x_t$ | `inputs[:, t]` | (batch, features) | the input at position $t$ |
# | $\overrightarrow{h}_t$ | | (batch, units) | the state of the forward direction, which has read $x_1 \dots x_t$ |
# | $\overleftarrow{h}_t$ | | (batch, units) | the state of the backward direction, which has read $x_n \dots x_t$ |
# | $[a; b]$ | `np.concatenate([a, b], axis=-1)` | | two vectors, joined |
# | | `mask` | (batch, time) | boolean: True for a real position, False for padding, which stands at the end |

# %% nbgrader={"grade": false, "grade_id": "setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import os

# First, because it tells TensorFlow and Keras how to start.
from rnnkit import checks, data, layers, metrics, models, plots, text

import keras
import numpy as np
import tensorflow as tf
from keras import ops

# Our own quick tests of this notebook set RNNKIT_FAST=1. Your class is graded in full.
FAST = os.environ.get("RNNKIT_FAST") == "1"
keras.utils.set_random_seed(4)
print("GPUs:", len(tf.config.list_physical_devices("GPU")))
print("Keras", keras.__version__, "- training in the", "short" if FAST else "full", "setting")

# %% [markdown]
# ## Part 1. Reading in both directions
#
# Which bank is meant in "the bank lends money"? A network that reads from left to right must answer at the word "bank", when it has read "the bank" only. A bidirectional network has a second direction that reads from the last word to the first. The figure shows the way from the last word, "money", to the output at "bank": it goes through the backward direction. See [section s14](../../lectures/04_bidirectional.ipynb#s14).

# %% nbgrader={"grade": false, "grade_id": "both-figure", "locked": true, "schema_version": 3, "solution": false, "task": false}
plots.network("transducer", ["the", "bank", "lends", "money"], bidirectional=True, path=(3, 1))

# %% [markdown]
# ## Question 1. Turn a sentence round (1 point)
#
# The sentences of a batch differ in length, and the shorter ones are padded at the end. If you turn the whole row round, the padding comes first, and the backward direction would begin to read there. So turn only the real positions, and leave the padding at the end:
#
# | | | | | | |
# | --- | --- | --- | --- | --- | --- |
# | `inputs` | the | bank | closed | (padding) | (padding) |
# | `mask` | True | True | True | False | False |
# | result | closed | bank | the | (padding) | (padding) |
#
# Each position holds a vector, so that `inputs` has the shape (batch, time, features). What stands on the padding of your result does not matter. About 4 lines. Explained in [section s14](../../lectures/04_bidirectional.ipynb#s14).
#
# *Hint:* a row with $n$ real positions takes at position $t$ what stood at $n - 1 - t$ (both counted from 0). `np.take_along_axis(inputs, places[:, :, None], axis=1)` takes for each row the positions in `places`, (batch, time). A loop over the rows is fine too.

# %% nbgrader={"grade": false, "grade_id": "q1-reverse", "locked": false, "schema_version": 3, "solution": true, "task": false}
def reverse_real(inputs, mask):
    """inputs (batch, time, features), mask (batch, time) with True for a real position;
    returns (batch, time, features): the real positions of each row in the reverse order"""
    ### BEGIN SOLUTION
    positions = np.arange(mask.shape[1])
    lengths = mask.sum(axis=1, keepdims=True)
    places = np.where(mask, lengths - 1 - positions, positions)
    return np.take_along_axis(inputs, places[:, :, None], axis=1)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q1-reverse-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.reversed_sequences(reverse_real)
### BEGIN HIDDEN TESTS
checks.reversed_sequences(reverse_real, batch=6, time=9, features=1, seed=2)
checks.reversed_sequences(reverse_real, batch=2, time=3, features=5, seed=4)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 2. The bidirectional network (3 points)
#
# Two Elman networks with weights of their own read the same inputs:
#
# $$\overrightarrow{h}_t = \tanh(x_t W + \overrightarrow{h}_{t-1} U + b) \qquad
# \overleftarrow{h}_t = \tanh(x_t W' + \overleftarrow{h}_{t+1} U' + b') \qquad
# y_t = [\overrightarrow{h}_t; \overleftarrow{h}_t]$$
#
# Each direction begins with a state of zeros. One step of either is given in the next cell.
#
# Write `bidirectional`. About 12 lines. What stands on the padding of your result does not matter, but the padding must not change a real position. The backward direction meets the padding first, so it must start at the last real position. There are two ways to do this:
#
# - Run over all positions, and let padding keep the old state: `np.where(mask[:, t, None], new, old)`. Then the state is still zero when the first real word comes.
# - Or turn the inputs round as in question 1, run forward, and turn the states back.
#
# There are two test cells: the first one without padding (1 point), the second one with padding (2 points). Explained in [section s14](../../lectures/04_bidirectional.ipynb#s14).

# %% nbgrader={"grade": false, "grade_id": "q2-given", "locked": true, "schema_version": 3, "solution": false, "task": false}
def rnn_step(x, h, weights):
    """Given: one step. x (batch, features), h (batch, units); returns the new state (batch, units).
    weights is a dictionary: "W" (features, units), "U" (units, units), "b" (units,)."""
    return np.tanh(np.asarray(x) @ weights["W"] + np.asarray(h) @ weights["U"] + weights["b"])

# %% nbgrader={"grade": false, "grade_id": "q2-bidirectional", "locked": false, "schema_version": 3, "solution": true, "task": false}
def bidirectional(inputs, mask, forward, backward):
    """inputs (batch, time, features), mask (batch, time) with True for a real position,
    forward and backward: the weights of the two directions, for rnn_step;
    returns (batch, time, 2 * units): at each position the forward state, then the backward one"""
    ### BEGIN SOLUTION
    batch, time = mask.shape

    def states(weights, order):
        h = np.zeros((batch, len(weights["b"])), dtype="float32")
        result = [None] * time
        for t in order:
            h = np.where(mask[:, t, None], rnn_step(inputs[:, t], h, weights), h)
            result[t] = h
        return np.stack(result, axis=1)

    ahead = states(forward, range(time))
    back = states(backward, reversed(range(time)))
    return np.concatenate([ahead, back], axis=-1)
    ### END SOLUTION

# %% [markdown]
# **Without padding.** Your function should equal `keras.layers.Bidirectional` when both have the same weights. Keras keeps them in a list: kernel ($W$), recurrent kernel ($U$) and bias ($b$) of the forward direction, then the same three of the backward direction.

# %% nbgrader={"grade": false, "grade_id": "q2-keras-weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
def with_keras_weights(inputs, weights, mask=None):
    """Given: runs your function with the weights of a bidirectional layer of Keras."""
    if mask is None:
        mask = np.ones(inputs.shape[:2], dtype=bool)
    forward, backward = (dict(zip(["W", "U", "b"], half)) for half in (weights[:3], weights[3:]))
    return bidirectional(inputs, mask, forward, backward)

# %% nbgrader={"grade": true, "grade_id": "q2-keras-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.equals_keras_layer(with_keras_weights, "SimpleRNN", bidirectional=True)
### BEGIN HIDDEN TESTS
checks.equals_keras_layer(with_keras_weights, "SimpleRNN", bidirectional=True, seed=10)
### END HIDDEN TESTS

# %% [markdown]
# **With padding.** Now the rows have different lengths.

# %% nbgrader={"grade": true, "grade_id": "q2-padding-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.bidirectional_outputs(bidirectional)
### BEGIN HIDDEN TESTS
checks.bidirectional_outputs(bidirectional, seed=2)
keras_layer = keras.layers.Bidirectional(keras.layers.SimpleRNN(4, return_sequences=True))
keras_layer.build((3, 7, 2))
generator = np.random.default_rng(44)
keras_layer.set_weights([generator.normal(size=each.shape) / 2 for each in keras_layer.get_weights()])
padded_inputs = generator.normal(size=(3, 7, 2)).astype("float32")
padded_mask = np.arange(7) < np.array([[7], [4], [1]])
keras_outputs = np.asarray(keras_layer(padded_inputs, mask=ops.convert_to_tensor(padded_mask)))
your_outputs = checks.as_array(
    "bidirectional(inputs, mask, forward, backward)",
    with_keras_weights(padded_inputs, keras_layer.get_weights(), padded_mask),
)
checks.expect_close(
    "bidirectional, with padding, beside keras.layers.Bidirectional",
    np.where(padded_mask[:, :, None], your_outputs, 0.0),
    np.where(padded_mask[:, :, None], keras_outputs, 0.0),
)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 3. Several layers (2 points)
#
# Bidirectional layers can stand one on the other. Layer $l$ reads at each position what both directions of the layer below give there:
#
# $$h^{0}_t = x_t \qquad h^{l}_t = \mathrm{BiRNN}^{l}\left(h^{l-1}\right)_t = [\overrightarrow{h}^{l}_t; \overleftarrow{h}^{l}_t]$$
#
# So the $W$ of the first layer has the shape (features, units), and the $W$ of each layer above has the shape (2 · units, units). The figure shows a shortest way from the last word to the first output; it uses the backward direction of one of the two layers.

# %% nbgrader={"grade": false, "grade_id": "stacked-figure", "locked": true, "schema_version": 3, "solution": false, "task": false}
plots.network("transducer", ["the", "bank", "lends", "money"], bidirectional=True, layers=2, path=(3, 0))

# %% [markdown]
# Write `stacked`. About 5 lines. One bidirectional layer is given in the next cell, so you do not need your function of question 2. Leave `weights` as it is: it is used again. Explained in [section s15](../../lectures/04_bidirectional.ipynb#s15).
#
# The test compares all layers, and then asks that padding changes nothing: for a stack of three layers, each real position of each layer must stay the same to $10^{-6}$ when other numbers stand on the padding, when more padding follows, and when a sentence stands alone.

# %% nbgrader={"grade": false, "grade_id": "q3-given", "locked": true, "schema_version": 3, "solution": false, "task": false}
def both_directions(inputs, mask, forward, backward):
    """Given: one bidirectional layer, as in question 2. Returns (batch, time, 2 * units)."""
    return np.asarray(layers.elman_bidirectional(inputs, mask, forward, backward))

# %% nbgrader={"grade": false, "grade_id": "q3-stacked", "locked": false, "schema_version": 3, "solution": true, "task": false}
def stacked(inputs, mask, weights):
    """inputs (batch, time, features), mask (batch, time);
    weights: a list with one dictionary for each layer, the lowest first; its entries "forward" and
        "backward", in this order, are the weights of the two directions;
    returns a list: the outputs (batch, time, 2 * units) of each layer, the lowest first"""
    ### BEGIN SOLUTION
    outputs = []
    for layer in weights:
        inputs = both_directions(inputs, mask, layer["forward"], layer["backward"])
        outputs.append(inputs)
    return outputs
    ### END SOLUTION

# %% nbgrader={"grade": false, "grade_id": "q3-three-layers", "locked": true, "schema_version": 3, "solution": false, "task": false}
def random_layer(features, units, seed):
    """The weights of one bidirectional layer, small enough that rounding errors do not grow."""
    generator = np.random.default_rng(seed)
    return {
        direction: {
            "W": generator.normal(size=(features, units)).astype("float32") / 2,
            "U": generator.normal(size=(units, units)).astype("float32") / 4,
            "b": generator.normal(size=units).astype("float32") / 2,
        }
        for direction in ("forward", "backward")
    }


THREE_LAYERS = [random_layer(3, 4, 1), random_layer(8, 4, 2), random_layer(8, 4, 3)]


def stack_of_three(inputs, mask):
    """Given: runs your function on a stack of three layers."""
    return stacked(inputs, mask, THREE_LAYERS)

# %% nbgrader={"grade": true, "grade_id": "q3-stacked-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.stacked(stacked, given=("elman_bidirectional",))
checks.padding_changes_nothing(stack_of_three, tolerance=1e-6)
### BEGIN HIDDEN TESTS
checks.stacked(stacked, seed=2, given=("elman_bidirectional",))
checks.padding_changes_nothing(stack_of_three, batch=6, time=9, tolerance=1e-6, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 2. The right context decides
#
# The next cell loads sentences with one ambiguous word each, such as "bank" or "crane". It names a part of nature ("the bank consists of the two sides of the river"), or something from the world of people ("the bank lends money to farmers"). Each word gets a label; only the label of the ambiguous word is hard to find.
#
# The sentences are made in pairs: each beginning, up to a few words *after* the ambiguous word, comes once with either meaning. See [section s16](../../lectures/04_bidirectional.ipynb#s16).

# %% nbgrader={"grade": false, "grade_id": "bank-data", "locked": true, "schema_version": 3, "solution": false, "task": false}
BANK_EPOCHS = 4 if FAST else 5
BANK_LABELS = ["padding", "other", "nature", "people"]  # the id of a label is its place
train_bank = data.bank_sentences(2000, "train", seed=1)
new_bank = data.bank_sentences(400, "test", seed=2)  # no beginning of a sentence is in both


def joined(sentences):
    """Lists of words as texts."""
    return [" ".join(words) for words in sentences]


bank_vocabulary = text.Vocabulary.from_texts(joined(train_bank.sentences), text.words, " ")


def encode_bank(bank):
    """Ids, labels, and True at the ambiguous word alone; all (sentences, time)."""
    ids, _ = bank_vocabulary.encode(joined(bank.sentences))
    labels, _ = text.pad([[BANK_LABELS.index(label) for label in row] for row in bank.labels])
    return ids, labels, np.arange(ids.shape[1]) == np.array(bank.positions)[:, None]


bank_ids, bank_labels, _ = encode_bank(train_bank)
new_ids, new_labels, new_ambiguous = encode_bank(new_bank)
for words, meaning in list(zip(train_bank.sentences, train_bank.meanings))[:4]:
    print(f"{meaning:>7}: {' '.join(words)}")
print("ids", bank_ids.shape, " labels", bank_labels.shape)

# %% [markdown]
# First, a tagger that reads forward only. It is trained, and then asked for the ambiguous words of 400 new sentences.

# %% nbgrader={"grade": false, "grade_id": "bank-forward", "locked": true, "schema_version": 3, "solution": false, "task": false}
def share_right(tagger):
    """How often the more probable of the two meanings is the right one, on the new sentences."""
    logits = np.asarray(tagger(new_ids))[new_ambiguous]  # (sentences, 4)
    return float(np.mean(logits[:, 2:].argmax(axis=-1) + 2 == new_labels[new_ambiguous]))


keras.utils.set_random_seed(4)
forward_tagger = models.TokenTagger(
    len(bank_vocabulary), tags=4, units=32, embedding=32, cell="elman", directions="forward"
)
forward_tagger.compile(keras.optimizers.Adam(0.005, global_clipnorm=1.0))
forward_tagger.fit(
    bank_ids,
    bank_labels,
    batch_size=32,
    epochs=1 if FAST else BANK_EPOCHS,
    verbose=0,
    callbacks=[plots.TrainingCurve("Forward only")],
)
print(f"forward only: {share_right(forward_tagger):.3f} of the ambiguous words are right")

# %% [markdown]
# ## Question 4. Train a tagger that reads both ways (1 point)
#
# Make a `models.TokenTagger` that reads in both directions, compile it and train it on `bank_ids` and `bank_labels`. Call it `bank_tagger`. The cell above shows how; change one argument, `directions="both"`.
#
# The model compiles with a loss that leaves the padding out, so you need not name one. Train for `BANK_EPOCHS` epochs with `batch_size=32` and `verbose=0`. About 8 lines. (The test takes other sizes and other cells too.)
#
# The test asks the model for the ambiguous words of new sentences: 80 % must be right.

# %% nbgrader={"grade": false, "grade_id": "q4-train", "locked": false, "schema_version": 3, "solution": true, "task": false}
### BEGIN SOLUTION
bank_tagger = models.TokenTagger(
    len(bank_vocabulary), tags=4, units=32, embedding=32, cell="elman", directions="both"
)
bank_tagger.compile(keras.optimizers.Adam(0.005, global_clipnorm=1.0))
bank_tagger.fit(
    bank_ids,
    bank_labels,
    batch_size=32,
    epochs=BANK_EPOCHS,
    verbose=0,
    callbacks=[plots.TrainingCurve("Both directions")],
);
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q4-train-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
probe_ids, _ = bank_vocabulary.encode(["the bank consists of the two sides of the river"])
checks.sees_both_sides(bank_tagger, probe_ids, symbols=len(bank_vocabulary))
checks.predicts(
    bank_tagger, new_ids, new_labels, at_least=0.8, mask=new_ambiguous, what="bank_tagger"
)
### BEGIN HIDDEN TESTS
hidden_ids, hidden_labels, hidden_ambiguous = encode_bank(data.bank_sentences(400, "test", seed=3))
checks.predicts(
    bank_tagger, hidden_ids, hidden_labels, at_least=0.8, mask=hidden_ambiguous, what="bank_tagger"
)
### END HIDDEN TESTS

# %% [markdown]
# The next cell shows what both taggers believe at the ambiguous word of a few new sentences. Look at the pairs: up to the word, and a little further, both sentences of a pair are the same.

# %% nbgrader={"grade": false, "grade_id": "bank-look", "locked": true, "schema_version": 3, "solution": false, "task": false}
def pairs_of_sentences(count):
    """The numbers of new sentences that have their beginning in common, two by two."""
    beginnings = {}
    for number, (words, place) in enumerate(zip(new_bank.sentences, new_bank.positions)):
        beginnings.setdefault(tuple(words[: place + 1]), []).append(number)
    found = [numbers[:2] for numbers in beginnings.values() if len(numbers) >= 2]
    different = [pair for pair in found if len({new_bank.meanings[each] for each in pair}) == 2]
    return different[:count]


def probability_of_nature(tagger):
    """The probability of "nature" beside "people", at each ambiguous word."""
    logits = np.asarray(tagger(new_ids))[new_ambiguous][:, 2:]
    return np.asarray(ops.softmax(logits))[:, 0]


def show_pairs():
    """A table of some pairs."""
    forward, both = probability_of_nature(forward_tagger), probability_of_nature(bank_tagger)
    print('probability of the meaning "nature"')
    print("forward only  both ways")
    for pair in pairs_of_sentences(3):
        for number in pair:
            words = " ".join(new_bank.sentences[number])
            print(f"        {forward[number]:.2f}       {both[number]:.2f}  {words}")


try:
    show_pairs()
except Exception as problem:
    print("Not yet. Train bank_tagger in question 4 first:", type(problem).__name__, problem)

# %% [markdown]
# ## Question 5. Why exactly one half (1 point)
#
# Answer in two to four sentences: **(a)** The forward tagger is right for exactly 0.500 of the new sentences. Why can no longer training and no larger network change this? **(b)** A bidirectional network cannot be used to write a text word by word from left to right. Why not?

# %% [markdown] nbgrader={"grade": true, "grade_id": "q5-half", "locked": false, "points": 1, "schema_version": 3, "solution": true, "task": false}
# ### BEGIN SOLUTION
# **(a)** At the ambiguous word the forward tagger has read only the beginning of the sentence, and its output is a function of what it has read. Each beginning comes once with either meaning, so both sentences of a pair get the same answer, and it is right for one of the two: one half, whatever the weights are. **(b)** The backward state at a position has read the words after it, up to the end. When a text is being written these words do not exist yet. (In training, the model would see the word that it should predict.)
#
# *Marking guide.* Half a point for (a): both sentences of a pair have the same words up to the ambiguous one (the same input so far), so the same output, right for one of two. Half a point for (b): the backward direction needs the words to the right, which are not written yet. "It would see the answer" is right too.
# ### END SOLUTION

# %% [markdown]
# ## Part 3. One label for a sentence
#
# Is this sentence grammatical? The answer needs the whole sentence, so it is given by one vector for all of it. Which states have read the whole sentence? The forward direction ends at the last word, the backward direction at the *first*.

# %% nbgrader={"grade": false, "grade_id": "acceptor-figure", "locked": true, "schema_version": 3, "solution": false, "task": false}
plots.network("acceptor", ["the", "nurse", "near", "the", "boats", "sleeps"], bidirectional=True)

# %% [markdown]
# ## Question 6. The sentence vector (2 points)
#
# $$v = [\overrightarrow{h}_n; \overleftarrow{h}_1]$$
#
# where $n$ is the length of the sentence, without padding. You get the outputs of a bidirectional layer, and you take from each direction its state at the place where it has read everything. Each sentence has at least one real position. About 5 lines. Explained in [section s17](../../lectures/04_bidirectional.ipynb#s17).
#
# *Hint:* the first half of the last axis is the forward state. `array[np.arange(batch), places]` takes one position from each row.

# %% nbgrader={"grade": false, "grade_id": "q6-final", "locked": false, "schema_version": 3, "solution": true, "task": false}
def final_states(outputs, mask):
    """outputs (batch, time, 2 * units) of a bidirectional layer, forward states first,
    mask (batch, time); returns (batch, 2 * units)"""
    ### BEGIN SOLUTION
    outputs = np.asarray(outputs)
    units = outputs.shape[-1] // 2
    last = mask.sum(axis=1) - 1
    forward = outputs[np.arange(len(outputs)), last, :units]
    backward = outputs[:, 0, units:]
    return np.concatenate([forward, backward], axis=-1)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q6-final-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.final_states(final_states)
### BEGIN HIDDEN TESTS
checks.final_states(final_states, seed=2)
checks.final_states(final_states, seed=4)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 7. Matthews's correlation coefficient (1 point)
#
# If nine of ten sentences are grammatical, a model that always says "yes" has an accuracy of 0.9, and knows nothing. For such tasks one reports Matthews's correlation coefficient. With the numbers of true and false positives and negatives,
#
# $$\mathrm{MCC} = \frac{TP \cdot TN - FP \cdot FN}{\sqrt{(TP + FP)(TP + FN)(TN + FP)(TN + FN)}}$$
#
# A *positive* is a prediction of 1; it is *true* if the label is 1 too. The MCC is 1 if all predictions are right, 0 for guessing, and -1 if all are wrong. If all predictions or all labels are the same, the denominator is 0; return 0 then. About 8 lines. Explained in [section s17](../../lectures/04_bidirectional.ipynb#s17).

# %% nbgrader={"grade": false, "grade_id": "q7-mcc", "locked": false, "schema_version": 3, "solution": true, "task": false}
def matthews(predictions, labels):
    """predictions, labels: integers 0 or 1, (n,); returns one number from -1 to 1"""
    ### BEGIN SOLUTION
    tp = float(np.sum((predictions == 1) & (labels == 1)))
    tn = float(np.sum((predictions == 0) & (labels == 0)))
    fp = float(np.sum((predictions == 1) & (labels == 0)))
    fn = float(np.sum((predictions == 0) & (labels == 1)))
    product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    if product == 0:
        return 0.0
    return (tp * tn - fp * fn) / np.sqrt(product)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q7-mcc-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.matthews(matthews)
### BEGIN HIDDEN TESTS
checks.matthews(matthews, count=12, seed=1)
checks.matthews(matthews, count=100, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# Now the task. The next cell loads sentences, half of them ungrammatical: the verb agrees with the wrong noun, a reflexive refers to the wrong person, or two words have changed places. The words themselves tell nothing: each set of words comes as often in a right order as in a wrong one.

# %% nbgrader={"grade": false, "grade_id": "acceptability-data", "locked": true, "schema_version": 3, "solution": false, "task": false}
JUDGE_EPOCHS = 3 if FAST else 5
train_judged = data.acceptability(2000 if FAST else 6000, "train", seed=1)
new_judged = data.acceptability(400, "test", seed=2)
judged_vocabulary = text.Vocabulary.from_texts(joined(train_judged.sentences), text.words, " ")
judged_ids, _ = judged_vocabulary.encode(joined(train_judged.sentences))
judged_labels = np.array(train_judged.labels)
new_judged_ids, new_judged_mask = judged_vocabulary.encode(joined(new_judged.sentences))
new_judged_labels = np.array(new_judged.labels)
for words, label, kind in list(zip(*train_judged))[:6]:
    print(f"{label}  {kind:>9}: {' '.join(words)}")
print("ids", judged_ids.shape, " labels", judged_labels.shape)

# %% [markdown]
# ## Question 8. Train a judge of sentences (1 point)
#
# Make a `models.SequenceClassifier`, compile it and train it on `judged_ids` and `judged_labels`. Call it `judge`.
#
# - The model takes the size of the vocabulary, `classes=2`, `units`, `embedding`, `cell` and `directions`. Use 48 units, an embedding of 32, `cell="elman"` and `directions="both"`. It classifies by the vector of question 6. (The test takes other sizes and cells; the cell after it, which puts your own functions into the model, needs Elman cells and both directions.)
# - It compiles with the right loss by itself. A good optimizer is `keras.optimizers.Adam(0.003, global_clipnorm=1.0)`.
# - Train for `JUDGE_EPOCHS` epochs with `batch_size=32` and `verbose=0`. Pass `callbacks=[plots.TrainingCurve("Acceptability")]` to watch the loss fall.
#
# The test asks the model about 400 new sentences: the MCC must be 0.7 or more (0.2 in the short setting, which trains less). A model that sees only whether neighbouring words fit together reaches about 0.4. About 8 lines. Explained in [section s17](../../lectures/04_bidirectional.ipynb#s17).

# %% nbgrader={"grade": false, "grade_id": "q8-train", "locked": false, "schema_version": 3, "solution": true, "task": false}
### BEGIN SOLUTION
judge = models.SequenceClassifier(
    len(judged_vocabulary), classes=2, units=48, embedding=32, cell="elman", directions="both"
)
judge.compile(keras.optimizers.Adam(0.003, global_clipnorm=1.0))
judge.fit(
    judged_ids,
    judged_labels,
    batch_size=32,
    epochs=JUDGE_EPOCHS,
    verbose=0,
    callbacks=[plots.TrainingCurve("Acceptability")],
);
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q8-train-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.predicts(
    judge,
    new_judged_ids,
    new_judged_labels,
    at_least=0.2 if FAST else 0.7,
    score="mcc",
    what="judge",
    trained_on=(judged_ids, judged_labels),
)
### BEGIN HIDDEN TESTS
hidden_judged = data.acceptability(400, "test", seed=3)
hidden_judged_ids, _ = judged_vocabulary.encode(joined(hidden_judged.sentences))
checks.predicts(
    judge,
    hidden_judged_ids,
    np.array(hidden_judged.labels),
    at_least=0.2 if FAST else 0.7,
    score="mcc",
    what="judge",
    trained_on=(judged_ids, judged_labels),
)
### END HIDDEN TESTS

# %% [markdown]
# ### Your own functions, inside the trained model
#
# The next cell takes the weights out of `judge`, and judges the new sentences with *your* functions alone: your bidirectional network, your sentence vector and your MCC. It gives no points. If one of these functions is not ready, the cell says so and goes on.

# %% nbgrader={"grade": false, "grade_id": "judge-your-functions", "locked": true, "schema_version": 3, "solution": false, "task": false}
def judge_with_your_functions():
    """Labels of the new sentences, from your functions and the weights of judge."""
    if judge.encoder.settings["cell"] != "elman" or judge.encoder.settings["directions"] != "both":
        raise ValueError("judge needs Elman cells and both directions here")
    embedding = judge.encoder.embedding.get_weights()[0]
    weights = judge.encoder.recurrences[0].get_weights()
    outputs = with_keras_weights(embedding[new_judged_ids], weights, new_judged_mask)
    vectors = final_states(outputs, new_judged_mask)
    kernel, bias = judge.to_logits.get_weights()
    return np.argmax(np.asarray(vectors) @ kernel + bias, axis=-1)


try:
    yours = judge_with_your_functions()
    theirs = np.argmax(np.asarray(judge(new_judged_ids)), axis=-1)
    print(f"your functions and the model agree on {np.mean(yours == theirs):.1%} of the sentences")
    print(f"your MCC: {matthews(yours, new_judged_labels):.2f}")
    for kind in ("agreement", "order", "reflexive"):
        here = np.array(new_judged.kinds) == kind
        print(f"{kind:>12}: {matthews(yours[here], new_judged_labels[here]):.2f}")
except Exception as problem:
    print("Not yet. It needs judge, and your functions of questions 2, 6 and 7.")
    print("What is missing:", type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## Part 4. Two sentences: is one a paraphrase of the other?
#
# "The nurse saw the old pilot" and "the old pilot was seen by the nurse" mean the same. To compare two sentences, the *same* encoder reads both, with the same weights, and their vectors are compared. Two vectors are alike if they point in the same direction. See [section s18](../../lectures/04_bidirectional.ipynb#s18).
#
# ## Question 9. Cosine similarity (1 point)
#
# $$\cos(u, v) = \frac{u \cdot v}{\lVert u \rVert\, \lVert v \rVert} \qquad \lVert u \rVert = \sqrt{\sum_k u_k^2}$$
#
# Give one number for each pair of rows. A vector of zeros has no direction; let its similarity be 0. About 4 lines.

# %% nbgrader={"grade": false, "grade_id": "q9-cosine", "locked": false, "schema_version": 3, "solution": true, "task": false}
def cosine_similarity(first, second):
    """first, second (batch, units); returns (batch,)"""
    ### BEGIN SOLUTION
    first, second = np.asarray(first), np.asarray(second)
    product = np.sum(first * second, axis=-1)
    norms = np.linalg.norm(first, axis=-1) * np.linalg.norm(second, axis=-1)
    return product / np.maximum(norms, 1e-12)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q9-cosine-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.cosine_similarity(cosine_similarity)
### BEGIN HIDDEN TESTS
checks.cosine_similarity(cosine_similarity, seed=5)
checks.cosine_similarity(cosine_similarity, seed=9)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 10. The threshold (1 point)
#
# A similarity is a number; the task wants yes or no. So choose a threshold: a pair is called a paraphrase if its similarity is *at least* the threshold. Return the threshold with the largest number of right decisions. If several are equally good, return any of them; it may be infinity.
#
# About 5 lines. *Hint:* it is enough to try each of the similarities as the threshold, and one number that is larger than all of them. Explained in [section s18](../../lectures/04_bidirectional.ipynb#s18).

# %% nbgrader={"grade": false, "grade_id": "q10-threshold", "locked": false, "schema_version": 3, "solution": true, "task": false}
def best_threshold(similarities, labels):
    """similarities (n,), labels (n,) with 1 for a paraphrase, 0 for none; returns one number"""
    ### BEGIN SOLUTION
    candidates = np.append(similarities, np.max(similarities) + 1)
    accuracies = [np.mean((similarities >= each) == (labels == 1)) for each in candidates]
    return float(candidates[np.argmax(accuracies)])
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q10-threshold-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.best_threshold(best_threshold)
### BEGIN HIDDEN TESTS
checks.best_threshold(best_threshold, count=25, seed=1)
checks.best_threshold(best_threshold, count=90, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# The next cell trains an encoder on pairs. In half of them, the *hard* ones, the same two people do the same thing, and only who does it to whom can differ: "the nurse was seen by the old pilot" has the same words as "the old pilot was seen by the nurse". The loss pulls the vectors of a paraphrase together, and pushes the vectors of other pairs apart. The *validation* pairs are for the choice of the threshold, the *test* pairs for the result.

# %% nbgrader={"grade": false, "grade_id": "pairs-train", "locked": true, "schema_version": 3, "solution": false, "task": false}
pairs = {
    "train": data.paraphrases(1000 if FAST else 6000, split="train", seed=1),
    "validation": data.paraphrases(400, split="valid", seed=2),
    "test": data.paraphrases(400, split="test", seed=3),
}
pair_vocabulary = text.Vocabulary.from_texts(
    joined(pairs["train"].first + pairs["train"].second), text.words, " "
)


def encode_pairs(part):
    """The ids of the first and of the second sentences, (pairs, 12) each."""
    return [
        pair_vocabulary.encode(joined(each), length=12)[0]
        for each in (pairs[part].first, pairs[part].second)
    ]


keras.utils.set_random_seed(4)
pair_model = models.SentencePair(len(pair_vocabulary), units=48, embedding=32, cell="elman")
pair_model.compile(keras.optimizers.Adam(0.001, global_clipnorm=1.0))
first_ids, second_ids = encode_pairs("train")
pair_model.fit(
    {"first": first_ids, "second": second_ids},
    np.array(pairs["train"].labels),
    batch_size=32,
    epochs=1,
    verbose=0,
    callbacks=[plots.TrainingCurve("Paraphrases")],
);

# %% [markdown]
# The next cell asks the encoder for the sentence vectors, and uses *your* cosine and *your* threshold. The figure shows the accuracy for many thresholds. Do not be surprised if the encoder is better on the hard pairs: they differ in one thing only, who does it to whom, and the encoder has seen this in half of its training pairs. In the other half, everything can differ.

# %% nbgrader={"grade": false, "grade_id": "pairs-your-functions", "locked": true, "schema_version": 3, "solution": false, "task": false}
def your_similarities(part):
    """Your cosine of the sentence vectors of each pair."""
    vectors = [np.asarray(pair_model.encoder(ids).last) for ids in encode_pairs(part)]
    return np.asarray(cosine_similarity(*vectors))


def accuracy_with(threshold, similarities, labels):
    """The share of pairs that a threshold decides correctly."""
    return float(np.mean((similarities >= threshold) == (np.asarray(labels) == 1)))


def judge_pairs():
    """Choose the threshold on the validation pairs, and report on the test pairs."""
    found = {part: your_similarities(part) for part in ("validation", "test")}
    labels = {part: np.array(pairs[part].labels) for part in found}
    threshold = float(best_threshold(found["validation"], labels["validation"]))
    print(f"threshold, from the validation pairs: {threshold:.4f}")
    for part in found:
        print(f"accuracy, {part} pairs: {accuracy_with(threshold, found[part], labels[part]):.3f}")
    hard = np.array(pairs["test"].hard)
    for name, here in (("easy", ~hard), ("hard", hard)):
        accuracy = accuracy_with(threshold, found["test"][here], labels["test"][here])
        print(f"   {name} test pairs: {accuracy:.3f}")
    places = np.linspace(-1, 1, 41)
    return plots.curves(
        {
            f"{part} pairs": [(each, accuracy_with(each, found[part], labels[part])) for each in places]
            for part in found
        },
        x_label="threshold on the cosine",
        y_label="accuracy",
        chance=0.5,
    )


try:
    display(judge_pairs())
except Exception as problem:
    print("Not yet. It needs your functions of questions 9 and 10. What is missing:")
    print(type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## Question 11. Words and thresholds (1 point)
#
# Answer in two to four sentences: **(a)** A simple rule counts the words that two sentences have in common, and says "paraphrase" from some number on. Why is its accuracy on the hard pairs 1/2, and what must an encoder do that this rule does not do? **(b)** Why is the threshold chosen on the validation pairs and not on the test pairs?

# %% [markdown] nbgrader={"grade": true, "grade_id": "q11-pairs", "locked": false, "points": 1, "schema_version": 3, "solution": true, "task": false}
# ### BEGIN SOLUTION
# **(a)** In a hard pair that is no paraphrase the two people have changed places, so the second sentence has exactly the same words as in the pair that is one. The rule gives both the same answer, and is right for one of the two. An encoder must use the order of the words: it must keep who does something and to whom. **(b)** The threshold is fitted to the pairs that it is chosen on, as weights are. On the test pairs the result would be too good, because it would no longer be a result on pairs that played no part in any choice.
#
# *Marking guide.* Half a point for (a): same words with either label, so word counts decide nothing; order (who did what to whom) is needed. Half a point for (b): choosing on the test set makes the result too optimistic, or: the test set must not be used for any choice.
# ### END SOLUTION

# %% [markdown]
# ## Part 5. One label for each word
#
# Two tasks give each word a label: *part-of-speech tagging* (noun, verb, ...) and *named entity recognition*, which finds the names of persons, places and organisations. See [section s19](../../lectures/04_bidirectional.ipynb#s19).
#
# ## Question 12. Accuracy of tags (1 point)
#
# The share of words with the right tag, over the words of *all* sentences together. The padding is no word, whatever stands there. There is at least one word. About 2 lines.

# %% nbgrader={"grade": false, "grade_id": "q12-accuracy", "locked": false, "schema_version": 3, "solution": true, "task": false}
def tag_accuracy(predicted, gold, mask):
    """predicted, gold: integers (batch, time), mask (batch, time); returns one number"""
    ### BEGIN SOLUTION
    return float(np.mean(predicted[mask] == gold[mask]))
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q12-accuracy-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.tag_accuracy(tag_accuracy)
### BEGIN HIDDEN TESTS
checks.tag_accuracy(tag_accuracy, seed=2)
checks.tag_accuracy(tag_accuracy, seed=4)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 13. From tags to entities (2 points)
#
# A name can have several words, so each word gets a tag in BIO form: `B-PER` begins the name of a person, `I-PER` goes on with it, and `O` is outside of all names.
#
# | | 0 | 1 | 2 | 3 | 4 | 5 |
# | --- | --- | --- | --- | --- | --- | --- |
# | word | Maria | Lincoln | lives | in | Port | Houston |
# | tag | B-PER | I-PER | O | O | B-LOC | I-LOC |
#
# Here the entities are `("PER", 0, 2)` and `("LOC", 4, 6)`: the kind, the first position, and the position *after* the last, as in a slice of Python. Write `entity_spans`; leave `tags` as it is. About 12 lines.
#
# A tagger decides word by word, so it can also give tags that do not fit together. Do it as the scorer of the CoNLL tasks: an `I-` that cannot go on with the entity before it (after `O`, at the beginning of the sentence, or after another kind) begins a new entity. A `B-` always begins a new one. Explained in [section s19](../../lectures/04_bidirectional.ipynb#s19).
#
# *Hint:* keep the kind and the start of the entity that you are in. It also ends where the sentence ends; you can go through `[*tags, "O"]`. `tag.split("-")` gives the two parts.

# %% nbgrader={"grade": false, "grade_id": "q13-spans", "locked": false, "schema_version": 3, "solution": true, "task": false}
def entity_spans(tags):
    """tags: a list of strings, such as ["B-PER", "I-PER", "O"];
    returns a list of (kind, start, end), with end after the last word of the entity"""
    ### BEGIN SOLUTION
    spans = []
    kind, start = None, 0
    for position, tag in enumerate([*tags, "O"]):
        mark, _, new_kind = tag.partition("-")
        if mark == "I" and new_kind == kind:
            continue
        if kind is not None:
            spans.append((kind, start, position))
        kind, start = (None if tag == "O" else new_kind), position
    return spans
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q13-spans-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.entity_spans(entity_spans)
### BEGIN HIDDEN TESTS
checks.entity_spans(entity_spans, seed=1)
checks.entity_spans(entity_spans, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 14. F1 of entities (1 point)
#
# Most words are no names, so a tagger that says `O` to all has a high accuracy. Count entities instead. A predicted entity is right if its kind, its start and its end are right; half of a name is not right. Count over *all* sentences together:
#
# $$\mathrm{precision} = \frac{\text{right}}{\text{predicted}} \qquad
# \mathrm{recall} = \frac{\text{right}}{\text{gold}} \qquad
# F_1 = \frac{2 \cdot \text{right}}{\text{predicted} + \text{gold}}$$
#
# $F_1$ is the harmonic mean of precision and recall. If there are no entities at all, return 0. About 7 lines.
#
# The function in the next cell finds the entities of one sentence, so you do not need your function of question 13.

# %% nbgrader={"grade": false, "grade_id": "q14-given", "locked": true, "schema_version": 3, "solution": false, "task": false}
def spans_of(tags):
    """Given: the set of entities (kind, start, end) of one sentence."""
    return {tuple(entity) for entity in metrics.entities(tags)}

# %% nbgrader={"grade": false, "grade_id": "q14-f1", "locked": false, "schema_version": 3, "solution": true, "task": false}
def entity_f1(predicted, gold):
    """predicted, gold: lists of sentences, each a list of tags; returns one number"""
    ### BEGIN SOLUTION
    right = found = wanted = 0
    for ours, theirs in zip(predicted, gold):
        ours, theirs = spans_of(ours), spans_of(theirs)
        right += len(ours & theirs)
        found += len(ours)
        wanted += len(theirs)
    return 2 * right / (found + wanted) if found + wanted else 0.0
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q14-f1-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.entity_f1(entity_f1, given=("entities",))
### BEGIN HIDDEN TESTS
checks.entity_f1(entity_f1, count=5, seed=1, given=("entities",))
checks.entity_f1(entity_f1, count=14, seed=2, given=("entities",))
### END HIDDEN TESTS

# %% [markdown]
# ## Part 6. Two taggers
#
# The sentences of the last part are full of words that can be several things: "water" is a noun or a verb, "Washington" a person, a place or an organisation. Often a later word decides: "Jordan smiled", "Jordan lies near Porto".

# %% nbgrader={"grade": false, "grade_id": "tags-data", "locked": true, "schema_version": 3, "solution": false, "task": false}
train_tagged = data.tagged_sentences(1500, "train", seed=1)
new_tagged = data.tagged_sentences(500, "test", seed=2)
word_vocabulary = text.Vocabulary.from_texts(joined(train_tagged.sentences), text.words, " ")
word_ids, _ = word_vocabulary.encode(joined(train_tagged.sentences))
new_word_ids, new_word_mask = word_vocabulary.encode(joined(new_tagged.sentences))

# The tags of both tasks; the id of a tag is its place, and 0 is padding.
TASKS = {"parts of speech": "tags", "entities": "entities"}
TAGS = {
    task: ["padding", *sorted({tag for row in getattr(train_tagged, field) for tag in row})]
    for task, field in TASKS.items()
}


def encode_tags(task, tagged):
    """The ids of the tags of a task, (sentences, time)."""
    rows = getattr(tagged, TASKS[task])
    return text.pad([[TAGS[task].index(tag) for tag in row] for row in rows])[0]


for words, tags, entities in list(zip(*train_tagged))[:3]:
    print(" ".join(f"{word}/{tag}/{entity}" for word, tag, entity in zip(words, tags, entities)))
for task in TASKS:
    print(task, TAGS[task][1:])

# %% [markdown]
# The next cell trains for each task a tagger that reads forward and one that reads both ways. After each epoch it keeps what they predict for 500 new sentences.

# %% nbgrader={"grade": false, "grade_id": "tags-train", "locked": true, "schema_version": 3, "solution": false, "task": false}
TAG_EPOCHS = 1 if FAST else 4
DIRECTIONS = {"forward only": "forward", "both directions": "both"}


def train_tagger(task, directions):
    """The predicted tags of the new sentences after each epoch, integers (sentences, time)."""
    keras.utils.set_random_seed(4)
    tagger = models.TokenTagger(
        len(word_vocabulary),
        tags=len(TAGS[task]),
        units=32,
        embedding=32,
        cell="elman",
        directions=directions,
    )
    tagger.compile(keras.optimizers.Adam(0.005, global_clipnorm=1.0))
    train_tags = encode_tags(task, train_tagged)
    predicted = []
    for _ in range(TAG_EPOCHS):
        history = tagger.fit(word_ids, train_tags, batch_size=32, epochs=1, verbose=0)
        logits = np.asarray(tagger(new_word_ids))
        predicted.append(logits[:, :, 1:].argmax(axis=-1) + 1)  # never the tag of padding
    print(f"{task}, {directions}: loss {history.history['loss'][-1]:.3f} in the last epoch")
    return predicted


predictions = {
    (task, name): train_tagger(task, directions)
    for task in TASKS
    for name, directions in DIRECTIONS.items()
}

# %% [markdown]
# And now *your* functions measure them: the accuracy of the parts of speech, the accuracy of the entity tags, and the F1 of the entities.

# %% nbgrader={"grade": false, "grade_id": "tags-measure", "locked": true, "schema_version": 3, "solution": false, "task": false}
def as_tags(task, ids):
    """Ids as lists of tags, without padding."""
    return [[TAGS[task][tag] for tag in row[real]] for row, real in zip(ids, new_word_mask)]


def your_accuracy(task, ids):
    """Your accuracy of predicted ids."""
    return float(tag_accuracy(ids, encode_tags(task, new_tagged), new_word_mask))


def your_f1(task, ids):
    """Your F1 of predicted ids."""
    return float(entity_f1(as_tags(task, ids), [list(row) for row in new_tagged.entities]))


MEASURED = {
    "accuracy of parts of speech": ("parts of speech", your_accuracy),
    "accuracy of entity tags": ("entities", your_accuracy),
    "F1 of entities": ("entities", your_f1),
}


def measure_taggers():
    """Print your numbers after the last epoch, and draw them against the epochs."""
    panels = {}
    for what, (task, measure) in MEASURED.items():
        panels[what] = {
            name: [(epoch, measure(task, ids)) for epoch, ids in enumerate(predictions[task, name], 1)]
            for name in DIRECTIONS
        }
        for name, points in panels[what].items():
            print(f"{what:>27}, {name:>15}: {points[-1][1]:.3f}")
    always_o = np.full(new_word_ids.shape, TAGS["entities"].index("O"))
    for what, (task, measure) in list(MEASURED.items())[1:]:
        print(f"{what:>27},  O to each word: {measure(task, always_o):.3f}")
    return plots.curves(panels, x_label="epochs", y_label="accuracy or F1")


try:
    display(measure_taggers())
except Exception as problem:
    print("Not yet. It needs your functions of questions 12 and 14. What is missing:")
    print(type(problem).__name__, str(problem)[:300])

# %% [markdown]
# At last some names. The next cell shows what your `entity_spans` finds in a few new sentences where the two taggers differ.

# %% nbgrader={"grade": false, "grade_id": "tags-look", "locked": true, "schema_version": 3, "solution": false, "task": false}
def named(words, tags):
    """The entities of a sentence, in words."""
    found = [f"{' '.join(words[start:end])} ({kind})" for kind, start, end in entity_spans(tags)]
    return ", ".join(found) or "none"


def show_names(count):
    """Some sentences where the two taggers of entities differ."""
    tags = {name: as_tags("entities", predictions["entities", name][-1]) for name in DIRECTIONS}
    tags = {"gold": [list(row) for row in new_tagged.entities], **tags}
    differ = [
        row
        for row in range(len(new_tagged.sentences))
        if tags["forward only"][row] != tags["both directions"][row]
    ]
    for row in differ[:count]:
        print(" ".join(new_tagged.sentences[row]))
        for name in tags:
            print(f"{name:>19}: {named(new_tagged.sentences[row], tags[name][row])}")


try:
    show_names(5)
except Exception as problem:
    print("Not yet. It needs your function of question 13. What is missing:")
    print(type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## Question 15. Accuracy and F1 (1 point)
#
# Answer in two to four sentences, with numbers from your own table: **(a)** For the entities, why is the F1 lower than the accuracy of the same tagger, and why does one report the F1? **(b)** What does the forward tagger get wrong that the other one gets right, and why?

# %% [markdown] nbgrader={"grade": true, "grade_id": "q15-f1", "locked": false, "points": 1, "schema_version": 3, "solution": true, "task": false}
# ### BEGIN SOLUTION
# **(a)** Most words are `O`, and these are easy: a tagger that says `O` to each word already has a high accuracy, and an F1 of 0. The F1 counts names only, and a name is right only if its kind, its start and its end are right, so one wrong tag costs the whole name. It shows how well names are found, which is the task. **(b)** The forward tagger often gives the wrong kind to a name whose kind is shown by a later word ("Jordan smiled", "Jordan lies near Porto"): when it reads the name, it has not read this word. The bidirectional one has read it from the other side.
#
# *Marking guide.* Half a point for (a): numbers from the table, and that `O` words dominate the accuracy (or that a name counts only as a whole). Half a point for (b): an ambiguous name (or a word as in the parts of speech) that a later word decides; the forward tagger has not read it yet.
# ### END SOLUTION

# %% [markdown]
# ## That is all
#
# Before you hand in: *Kernel → Restart Kernel and Run All Cells*, and look through your answers once more. Then press *Validate*.
