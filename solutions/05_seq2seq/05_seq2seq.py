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
# # Exercise 5: from text to text
#
# Many tasks have one form: a text goes in, a text comes out. An *encoder* reads the source and gives one vector, the *context*. A *decoder* begins with the context and writes the target, one symbol at a time. In this exercise you build both, you train one such model to add numbers, and you use the same code to translate, to summarise, to answer questions and to parse.
#
# **You write** the vocabulary and the shifted targets, the encoder, two kinds of decoders, greedy and beam search, the training, and the measurement. **You are given** the layers, the data and the figures, from the package `rnnkit`. Each question stands alone: if you get stuck in one, go on with the next.
#
# **How it works.** Write your code where it says `YOUR CODE HERE`, and delete the line `raise NotImplementedError()`. The cell below your answer tests it. When a test fails, its last lines say what came out, what was expected, and often which slip gives exactly this. There are also hidden tests; they use other shapes and other numbers. Write what a question asks for yourself: if your answer calls a vocabulary, a layer, a search or a measure that Keras or `rnnkit` has ready-made, the test notices it and gives no points. What only handles numbers and arrays is free to use: `keras.ops`, `keras.utils`, NumPy and TensorFlow; here NumPy is enough.
#
# 20 points; about 100 minutes. The lecture is [lectures/05_seq2seq](../../lectures/05_seq2seq.ipynb).
#
# | symbol | in the code | shape | what it is |
# | --- | --- | --- | --- |
# | $x_j$ | `inputs[:, j]` | (batch, features) | the vector of source symbol $j$ |
# | $h_j$ | | (batch, units) | the encoder's state after source symbol $j$ |
# | $c$ | `context` | (batch, units) | the context: the encoder's last state, $h_n$ |
# | $y_{i-1}$ | `inputs[:, i]` | (batch, features) | the vector of the target symbol before step $i$ |
# | $s_i$ | | (batch, units) | the decoder's state after step $i$ |
# | | `mask` | (batch, time) | boolean: True for a real symbol, False for padding, which stands at the end |

# %% nbgrader={"grade": false, "grade_id": "setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import os
from pathlib import Path

# First, because it tells TensorFlow and Keras how to start.
from rnnkit import checks, data, layers, metrics, models, plots, text

import keras
import numpy as np
import tensorflow as tf
from keras import ops

# Our own quick tests of this notebook set RNNKIT_FAST=1. Your class is graded in full.
FAST = os.environ.get("RNNKIT_FAST") == "1"
PAD_ID, UNK_ID, BOS_ID, EOS_ID = 0, 1, 2, 3  # padding, unknown, start token, end token
keras.utils.set_random_seed(5)
print("GPUs:", len(tf.config.list_physical_devices("GPU")))
print("Keras", keras.__version__, "- training in the", "short" if FAST else "full", "setting")

# %% [markdown]
# ## Part 1. From text to numbers
#
# A network reads numbers, so each symbol gets a number, its *id*. Here a symbol is a character. Four ids are reserved in all our models: 0 for padding, 1 for a symbol that is not known, 2 for the start token (BOS) and 3 for the end token (EOS).
#
# ## Question 1. Vocabulary (1 point)
#
# Give an id to each character that stands in some texts. The ids are 4, 5, 6 and so on, in the order that `sorted` gives. For `["7+2=", "2+2="]` the result is `{"+": 4, "2": 5, "7": 6, "=": 7}`.
#
# About 3 lines. Explained in [section s20](../../lectures/05_seq2seq.ipynb#s20).
#
# *Hint:* do not take the order of a `set`: it is another one each time Python starts, and a model that was saved yesterday would read other symbols today.

# %% nbgrader={"grade": false, "grade_id": "q1-vocabulary", "locked": false, "schema_version": 3, "solution": true, "task": false}
def build_vocabulary(texts):
    """texts: a list of strings;
    returns a dictionary: for each character, its id, beginning with EOS_ID + 1"""
    ### BEGIN SOLUTION
    characters = sorted({character for string in texts for character in string})
    return {character: EOS_ID + 1 + place for place, character in enumerate(characters)}
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q1-vocabulary-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.symbol_ids(build_vocabulary)
### BEGIN HIDDEN TESTS
checks.symbol_ids(build_vocabulary, seed=1)
checks.symbol_ids(build_vocabulary, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 2. A batch of texts (1 point)
#
# Texts differ in length, but an array has rows of one length. So shorter texts are filled up on the right with `PAD_ID`, to the length of the longest, and a mask says which positions are real. A character that is not in the dictionary gets `UNK_ID`.
#
# With the dictionary of question 1, the texts `["7+2=", "2x"]` give
#
# | | | | | |
# | --- | --- | --- | --- | --- |
# | ids | 6 | 4 | 5 | 7 |
# | | 5 | 1 | 0 | 0 |
# | mask | True | True | True | True |
# | | True | True | False | False |
#
# About 7 lines. Explained in [section s20](../../lectures/05_seq2seq.ipynb#s20).

# %% nbgrader={"grade": false, "grade_id": "q2-encode", "locked": false, "schema_version": 3, "solution": true, "task": false}
def encode_texts(texts, ids):
    """texts: a list of strings, each with at least one character; ids: a dictionary from characters to ids;
    returns ids (batch, longest), integers, and mask (batch, longest), booleans"""
    ### BEGIN SOLUTION
    longest = max(len(string) for string in texts)
    rows = np.full((len(texts), longest), PAD_ID)
    mask = np.zeros((len(texts), longest), dtype=bool)
    for row, string in enumerate(texts):
        rows[row, : len(string)] = [ids.get(character, UNK_ID) for character in string]
        mask[row, : len(string)] = True
    return rows, mask
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q2-encode-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.encoded_texts(encode_texts)
### BEGIN HIDDEN TESTS
checks.encoded_texts(encode_texts, seed=1)
checks.encoded_texts(encode_texts, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 3. Shifted targets (1 point)
#
# The decoder writes one symbol at a time. In training, step $i$ gets the true symbol $y_{i-1}$, whatever the model would have written itself, and should predict $y_i$. This is *teacher forcing*. So the targets are needed twice: once moved one place to the right, with the start token in front, and once with the end token behind.
#
# For the target `[7, 8, 9]` with two places of padding, `[7, 8, 9, 0, 0]`:
#
# | step | 1 | 2 | 3 | 4 | 5 | 6 |
# | --- | --- | --- | --- | --- | --- | --- |
# | `previous` | BOS | 7 | 8 | 9 | 0 | 0 |
# | `following` | 7 | 8 | 9 | EOS | 0 | 0 |
#
# About 5 lines. Explained in [section s21](../../lectures/05_seq2seq.ipynb#s21).
#
# *Hint:* the end token of row $b$ goes to column `mask[b].sum()` of `following`, also in a row without a symbol.

# %% nbgrader={"grade": false, "grade_id": "q3-shift", "locked": false, "schema_version": 3, "solution": true, "task": false}
def shift_targets(targets, mask):
    """What the decoder sees, and what it should predict.

    targets: integers (batch, time), padded on the right with PAD_ID
    mask: booleans (batch, time), True for a real symbol
    returns: previous and following, both integers (batch, time + 1)
    """
    ### BEGIN SOLUTION
    batch = len(targets)
    column = np.full((batch, 1), PAD_ID, dtype=targets.dtype)
    previous = np.concatenate([np.full_like(column, BOS_ID), targets], axis=1)
    following = np.concatenate([targets, column], axis=1)
    following[np.arange(batch), mask.sum(axis=1)] = EOS_ID
    return previous, following
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q3-shift-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.shifted_targets(shift_targets, batch=3, time=5)
### BEGIN HIDDEN TESTS
checks.shifted_targets(shift_targets, batch=1, time=1, seed=1)
checks.shifted_targets(shift_targets, batch=7, time=9, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 2. Encoder, context, decoder
#
# The figure shows an encoder-decoder that adds two numbers. The encoder reads `3+14=` from left to right. Its last state is the only thing that the decoder gets. See [section s20](../../lectures/05_seq2seq.ipynb#s20).

# %% nbgrader={"grade": false, "grade_id": "unrolled-figure", "locked": true, "schema_version": 3, "solution": false, "task": false}
plots.unrolled("3+14=", "17", attention=False, path=(0, 1))

# %% [markdown]
# In this part, encoder and decoder are simple recurrent (Elman) networks. The step is given:
#
# $$\mathrm{step}(x, h) = \tanh(x W + h U + b)$$

# %% nbgrader={"grade": false, "grade_id": "step-given", "locked": true, "schema_version": 3, "solution": false, "task": false}
def rnn_step(x, h, W, U, b):
    """Given: one step. x (batch, features), h (batch, units), W (features, units),
    U (units, units), b (units,); returns the new state (batch, units)."""
    return np.tanh(np.asarray(x) @ np.asarray(W) + np.asarray(h) @ np.asarray(U) + np.asarray(b))

# %% [markdown]
# ## Question 4. The encoder (2 points)
#
# $$h_0 = 0 \qquad h_j = \mathrm{step}(x_j, h_{j-1}) \qquad c = h_n$$
#
# The sources of a batch differ in length, and $n$ is the number of *real* symbols of each. Padding must not change the context: `12+7=` has one meaning, whether it stands beside a longer source or not. Write `encoder_context`. About 6 lines. Explained in [section s20](../../lectures/05_seq2seq.ipynb#s20).
#
# *Hint:* there are two ways. Keep the states of all steps and pick the right one of each row; or let a step on padding keep the old state, with `np.where(mask[:, j, None], new, old)`.

# %% nbgrader={"grade": false, "grade_id": "q4-encoder", "locked": false, "schema_version": 3, "solution": true, "task": false}
def encoder_context(inputs, mask, W, U, b):
    """inputs: floats (batch, time, features), mask (batch, time) with True for a real symbol,
    W (features, units), U (units, units), b (units,);
    returns the context (batch, units): the state after the last real symbol of each row"""
    ### BEGIN SOLUTION
    state = np.zeros((len(inputs), len(b)))
    for j in range(inputs.shape[1]):
        new = rnn_step(inputs[:, j], state, W, U, b)
        state = np.where(mask[:, j, None], new, state)
    return state
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q4-encoder-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.encoder_context(encoder_context)
### BEGIN HIDDEN TESTS
checks.encoder_context(encoder_context, seed=1)
checks.encoder_context(encoder_context, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 5. The context as the decoder's first state (2 points)
#
# The simplest way to hand over the context: the decoder begins with it.
#
# $$s_0 = c \qquad s_i = \mathrm{step}(y_{i-1}, s_{i-1})$$
#
# In training the true symbols $y_0, y_1, \dots$ are known ($y_0$ is the start token), so all steps can be made in one function. `inputs[:, i]` is the vector that step $i + 1$ sees. Return the states after all steps. About 6 lines. Explained in [section s20](../../lectures/05_seq2seq.ipynb#s20).

# %% nbgrader={"grade": false, "grade_id": "q5-first-state", "locked": false, "schema_version": 3, "solution": true, "task": false}
def decode_from_context(inputs, context, W, U, b):
    """inputs: floats (batch, time, features), the vectors of the previous symbols;
    context (batch, units), W (features, units), U (units, units), b (units,);
    returns the states (batch, time, units)"""
    ### BEGIN SOLUTION
    state, states = context, []
    for i in range(inputs.shape[1]):
        state = rnn_step(inputs[:, i], state, W, U, b)
        states.append(state)
    return np.stack(states, axis=1)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q5-first-state-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.context_as_state(decode_from_context)
### BEGIN HIDDEN TESTS
checks.context_as_state(decode_from_context, seed=1)
checks.context_as_state(decode_from_context, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 6. The context at every step (1 point)
#
# A decoder that only begins with the context may forget it. So another way gives it the context again at each step, as a part of the input. Here the first state is zero:
#
# $$s_0 = 0 \qquad s_i = \mathrm{step}([y_{i-1}; c],\ s_{i-1})$$
#
# $[y; c]$ joins two vectors, the symbol's first. So `W` has the shape (features + units, units). About 7 lines. Explained in [section s20](../../lectures/05_seq2seq.ipynb#s20).

# %% nbgrader={"grade": false, "grade_id": "q6-every-step", "locked": false, "schema_version": 3, "solution": true, "task": false}
def decode_with_context(inputs, context, W, U, b):
    """inputs: floats (batch, time, features), the vectors of the previous symbols;
    context (batch, units), W (features + units, units), U (units, units), b (units,);
    returns the states (batch, time, units)"""
    ### BEGIN SOLUTION
    state, states = np.zeros_like(context), []
    for i in range(inputs.shape[1]):
        joined = np.concatenate([inputs[:, i], context], axis=-1)
        state = rnn_step(joined, state, W, U, b)
        states.append(state)
    return np.stack(states, axis=1)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q6-every-step-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.context_each_step(decode_with_context)
### BEGIN HIDDEN TESTS
checks.context_each_step(decode_with_context, seed=1)
checks.context_each_step(decode_with_context, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 3. Two variations of training
#
# ## Question 7. A scheduled mix (1 point)
#
# With teacher forcing, the decoder never sees its own mistakes in training. When it writes alone, one wrong symbol leads it to a place that it does not know. A remedy: now and then, show it the symbol that it has predicted itself. Before each step a number between 0 and 1 is drawn for each sentence. Where it is *below* the probability of teacher forcing, the decoder sees the true symbol, otherwise its own.
#
# Write the choice for one step. About 1 line. Explained in [section s21](../../lectures/05_seq2seq.ipynb#s21). (`models.ScheduledSampling` trains a whole model so; the probability begins at 1 and falls from epoch to epoch. We do not need it here, because our targets are short.)

# %% nbgrader={"grade": false, "grade_id": "q7-mix", "locked": false, "schema_version": 3, "solution": true, "task": false}
def scheduled_mix(true, predicted, probability, draws):
    """true, predicted: integers (batch,), two candidates for the previous symbol;
    probability: of teacher forcing, one number; draws: numbers from 0 to 1, (batch,);
    returns integers (batch,): what the decoder sees"""
    ### BEGIN SOLUTION
    return np.where(draws < probability, true, predicted)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q7-mix-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.scheduled_mix(scheduled_mix)
### BEGIN HIDDEN TESTS
checks.scheduled_mix(scheduled_mix, count=1, seed=1)
checks.scheduled_mix(scheduled_mix, count=30, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 8. Source and target in one text (1 point)
#
# One language model can do the work of encoder and decoder: it reads the source, then a separator, and goes on with the target. The text is `source <SEP> target <EOS>`. At each position the model sees a symbol and should predict the next one. Only the symbols of the target and EOS count in the loss: nobody asks the model to guess the source.
#
# For the source `[7, 8]`, the target `[9]`, and the ids 4 for SEP and 3 for EOS, the text is `[7, 8, 4, 9, 3]`:
#
# | position | 1 | 2 | 3 | 4 |
# | --- | --- | --- | --- | --- |
# | `inputs` | 7 | 8 | 4 | 9 |
# | `targets` | 8 | 4 | 9 | 3 |
# | `mask` | False | False | True | True |
#
# About 4 lines. Explained in [section s21](../../lectures/05_seq2seq.ipynb#s21).

# %% nbgrader={"grade": false, "grade_id": "q8-separator", "locked": false, "schema_version": 3, "solution": true, "task": false}
def join(source, target, sep_id, eos_id):
    """source: integers (n,); target: integers (m,); two ids;
    returns inputs, targets (integers) and mask (booleans), each (n + m + 1,)"""
    ### BEGIN SOLUTION
    joined = np.concatenate([source, [sep_id], target, [eos_id]])
    mask = np.arange(len(joined) - 1) >= len(source)
    return joined[:-1], joined[1:], mask
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q8-separator-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.joined_with_separator(join)
### BEGIN HIDDEN TESTS
checks.joined_with_separator(join, seed=1)
checks.joined_with_separator(join, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 4. Writing
#
# A trained decoder writes alone: each symbol that it writes is the previous symbol of its next step.
#
# ## Question 9. Greedy search (2 points)
#
# Begin with the start token and call the step again and again. Each time take the symbol with the highest score. Stop when all sentences have written the end token, and in any case after `max_length` steps. (You may also go on to `max_length` and write only PAD_ID.)
#
# The function `step(previous, state)` is passed to you. It returns two things: scores (batch, vocabulary) and the new state. You do not need to know what the state is; pass on what you got.
#
# A sentence of the batch can end before the others. After its EOS it gets PAD_ID until the loop ends. About 10 lines. Explained in [section s21](../../lectures/05_seq2seq.ipynb#s21).

# %% nbgrader={"grade": false, "grade_id": "q9-greedy", "locked": false, "schema_version": 3, "solution": true, "task": false}
def greedy_decode(step, state, batch, max_length):
    """Write one symbol at a time, each time the best.

    step: a function: scores, new_state = step(previous, state); previous: integers (batch,)
    state: the state before the first step
    returns: integers (batch, length), length <= max_length: the symbols of each sentence,
        its EOS_ID, then PAD_ID; the start token is not part of it
    """
    ### BEGIN SOLUTION
    previous = np.full(batch, BOS_ID)
    ended = np.zeros(batch, dtype=bool)
    written = []
    while len(written) < max_length and not ended.all():
        scores, state = step(previous, state)
        best = np.argmax(ops.convert_to_numpy(scores), axis=-1)
        previous = np.where(ended, PAD_ID, best)
        ended = ended | (previous == EOS_ID)
        written.append(previous)
    return np.stack(written, axis=1)
    ### END SOLUTION

# %% nbgrader={"grade": false, "grade_id": "q9-given", "locked": true, "schema_version": 3, "solution": false, "task": false}
def decode_with_tables(tables, max_length):
    """Given: runs your loop on tables of scores. At step i, the scores of sentence b after
    symbol p are tables[b, i, p]; the state is the number of the step."""
    batch = len(tables)

    def step(previous, state):
        if state >= max_length:
            raise AssertionError(f"step was called more than max_length = {max_length} times")
        if np.shape(previous) != (batch,):
            raise AssertionError(
                f"step expects previous of shape {(batch,)}, one symbol for each sentence. "
                f"Received: shape {np.shape(previous)}"
            )
        return tables[np.arange(batch), state, previous], state + 1

    return greedy_decode(step, 0, batch, max_length)

# %% nbgrader={"grade": true, "grade_id": "q9-greedy-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.greedy(decode_with_tables, batch=3, steps=8)
### BEGIN HIDDEN TESTS
checks.greedy(decode_with_tables, batch=1, steps=6, seed=1)
checks.greedy(decode_with_tables, batch=4, steps=12, seed=2)
checks.greedy_with_any_state(greedy_decode)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 10. Beam search (2 points)
#
# Greedy search can miss the most probable sentence: a first symbol that is a little less probable may have a much better continuation. Beam search keeps the best `width` beginnings (*hypotheses*) at each step. Here it writes one sentence, so `previous` is one symbol, and `step(previous, state)` returns scores (vocabulary,) and the new state.
#
# A hypothesis is a list of symbols, the sum of the logarithms of their probabilities, and a state of its own. Begin with the empty list, 0 and the first state. At each step:
#
# 1. Make all hypotheses that are one symbol longer: for each hypothesis of the beam, each symbol of the vocabulary.
# 2. Keep the `width` best of them by their sums.
# 3. Set those that end with EOS_ID aside: they are complete. The others are the new beam, which may now be smaller than `width`. (A complete one may also stay among the `width` best, with its sum, as long as it is one of them; the tests take both.)
#
# Stop after `max_length` steps, or when the beam is empty. Then choose among the complete hypotheses and those that are still in the beam. Long sentences have small probabilities, so compare this score:
#
# $$\mathrm{score}(y) = \frac{\log p(y)}{|y|^{\mathrm{power}}}$$
#
# where $|y|$ is the number of symbols, EOS included. Return the symbols (without BOS, with EOS if it is there) and the score. About 15 lines. Explained in [section s21](../../lectures/05_seq2seq.ipynb#s21).
#
# *Hint:* `log_probabilities`, in the next cell, turns scores into logarithms of probabilities. In step 1, the previous symbol is the last of the hypothesis, or BOS_ID if it is empty.

# %% nbgrader={"grade": false, "grade_id": "q10-given", "locked": true, "schema_version": 3, "solution": false, "task": false}
def log_probabilities(scores):
    """Given: the logarithms of the softmax. scores (vocabulary,); returns (vocabulary,)."""
    scores = np.asarray(scores, dtype="float64")
    scores = scores - scores.max()
    return scores - np.log(np.exp(scores).sum())

# %% nbgrader={"grade": false, "grade_id": "q10-beam", "locked": false, "schema_version": 3, "solution": true, "task": false}
def beam_search(step, state, width, max_length, power):
    """Look for the best sentence, with the best `width` beginnings at each step.

    step: a function: scores, new_state = step(previous, state); previous: one integer,
        scores (vocabulary,)
    state: the state before the first step
    returns: ids, a list of integers, and its score, one number
    """
    ### BEGIN SOLUTION
    beam, complete = [([], 0.0, state)], []
    for _ in range(max_length):
        longer = []
        for ids, total, state in beam:
            scores, new_state = step(ids[-1] if ids else BOS_ID, state)
            for symbol, log_probability in enumerate(log_probabilities(scores)):
                longer.append(([*ids, symbol], total + log_probability, new_state))
        longer.sort(key=lambda hypothesis: hypothesis[1], reverse=True)
        best = longer[:width]
        complete += [hypothesis for hypothesis in best if hypothesis[0][-1] == EOS_ID]
        beam = [hypothesis for hypothesis in best if hypothesis[0][-1] != EOS_ID]
        if not beam:
            break
    return max(
        [(ids, total / len(ids) ** power) for ids, total, _ in complete + beam],
        key=lambda result: result[1],
    )
    ### END SOLUTION

# %% nbgrader={"grade": false, "grade_id": "q10-search", "locked": true, "schema_version": 3, "solution": false, "task": false}
def search_with_tables(tables, width, power):
    """Given: runs your search on tables of scores. At step i, the scores after the symbols q and p
    are tables[i, q, p]; the state is i and q. What stands before BOS_ID counts as PAD_ID."""

    def step(previous, state):
        number, before = state
        if number >= len(tables):
            raise AssertionError(
                f"step was called with a state after max_length = {len(tables)} steps. Does each "
                "hypothesis go on from a state of its own, and does the search stop in time?"
            )
        if np.size(previous) != 1:
            raise AssertionError(
                f"step expects previous to be one symbol. Received: shape {np.shape(previous)}"
            )
        previous = int(np.reshape(previous, ()))
        return tables[number, before, previous], (number + 1, previous)

    return beam_search(step, (0, PAD_ID), width, len(tables), power)

# %% nbgrader={"grade": true, "grade_id": "q10-beam-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.beam_search(search_with_tables)
### BEGIN HIDDEN TESTS
checks.beam_search(search_with_tables, seed=1)
checks.beam_search(search_with_tables, seed=2)
checks.beam_with_any_state(beam_search)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 5. Sums
#
# The first task: a sum goes in as a text, its result comes out as a text. `12+7=` gives `19`. Nobody tells the model what a digit is; it sees ids of characters. The numbers have one or two digits. Sums that are used for testing never come up in training, also not as `7+12=`. See [section s22](../../lectures/05_seq2seq.ipynb#s22).

# %% nbgrader={"grade": false, "grade_id": "sums-data", "locked": true, "schema_version": 3, "solution": false, "task": false}
train_sums = data.arithmetic(4000 if FAST else 8000, digits=(1, 2), operations="+", seed=1)
new_sums = data.arithmetic(300, digits=(1, 2, 3), operations="+", split="test", seed=2)
number_vocabulary = text.Vocabulary("+=0123456789")
SUM_LENGTH = len("999+999=")


def make_task(name, pairs, source_vocabulary, target_vocabulary, source_length=None):
    """Given: the arrays and sizes that a training needs, in a dictionary."""
    written, _ = target_vocabulary.encode(pairs.targets, bos=True, eos=True)
    return {
        "name": name,
        "source": source_vocabulary.encode(pairs.sources, length=source_length)[0],
        "previous": np.where(written == EOS_ID, PAD_ID, written)[:, :-1],
        "following": written[:, 1:],
        "source_size": len(source_vocabulary),
        "target_size": len(target_vocabulary),
    }


def make_optimizer(task, epochs):
    """Given: Adam. Its learning rate falls from 0.01 to 0 in these epochs, with batches of 32."""
    updates = epochs * -(-len(task["source"]) // 32)  # rounded up
    rate = keras.optimizers.schedules.CosineDecay(0.01, updates)
    return keras.optimizers.Adam(rate, global_clipnorm=1.0)


sums_task = make_task("Sums", train_sums, number_vocabulary, number_vocabulary, SUM_LENGTH)
for number in range(5):
    print(f"{train_sums.sources[number]:>8}  ->  {train_sums.targets[number]}")
for name in ("source", "previous", "following"):
    print(name, sums_task[name].shape)

# %% [markdown]
# ## Question 11. Train the model (2 points)
#
# Write `train_model`. It makes a `models.EncoderDecoder`, compiles it, trains it on a task and returns it. The model is an encoder-decoder as in part 2, with GRUs in place of the simple networks; encoder and decoder learn together, from the loss of the decoder alone.
#
# - `task` is the dictionary of the cell above. The model takes the sizes of the two vocabularies, `units` and `embedding`. Use 96 units and an embedding of 32. With `context="every step"` the decoder reads the context at each step, as in question 6, and learns faster than with the first state alone, which is the default. (The test takes both, and other sizes too.)
# - Its input is a dictionary with the keys `"source"` and `"previous"`; it should predict `"following"`.
# - The loss is `models.masked_cross_entropy`, which leaves padding out. The optimizer is `make_optimizer(task, epochs)`, of the cell above.
# - Train for `epochs` epochs with `batch_size=32` and `verbose=0`. Pass `callbacks=[plots.TrainingCurve(task["name"])]` to watch the loss fall.
#
# The test first trains a model on a small task of its own, in which the two vocabularies differ in size, and asks that all of it was read, with this optimizer. Then it lets your model add new numbers of one and two digits, and asks that 42 % of the sums are exactly right (25 % in the short setting, which trains less). With the numbers above the model reaches more than twice as many in about half a minute. About 12 lines. Explained in [section s20](../../lectures/05_seq2seq.ipynb#s20).

# %% nbgrader={"grade": false, "grade_id": "q11-train", "locked": false, "schema_version": 3, "solution": true, "task": false}
def train_model(task, epochs):
    """task: a dictionary as in the cell above; epochs: how often all pairs are read;
    returns the trained model"""
    ### BEGIN SOLUTION
    model = models.EncoderDecoder(
        task["source_size"], task["target_size"], units=96, embedding=32, context="every step"
    )
    model.compile(optimizer=make_optimizer(task, epochs), loss=models.masked_cross_entropy)
    model.fit(
        {"source": task["source"], "previous": task["previous"]},
        task["following"],
        batch_size=32,
        epochs=epochs,
        verbose=0,
        callbacks=[plots.TrainingCurve(task["name"])],
    )
    return model
    ### END SOLUTION

# %% nbgrader={"grade": false, "grade_id": "sums-train", "locked": true, "schema_version": 3, "solution": false, "task": false}
keras.utils.set_random_seed(5)
adder = train_model(sums_task, epochs=4 if FAST else 6)

# %% nbgrader={"grade": true, "grade_id": "q11-train-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.trains_on_its_task(train_model, batch_size=32, last_rate=0.0)
check_sums = data.arithmetic(200, digits=(1, 2), operations="+", split="test", seed=3)
checks.decodes(
    adder,
    number_vocabulary.encode(check_sums.sources, length=SUM_LENGTH)[0],
    check_sums.targets,
    number_vocabulary.decode,
    bos_id=BOS_ID,
    eos_id=EOS_ID,
    at_least=0.25 if FAST else 0.42,
)
### BEGIN HIDDEN TESTS
hidden_sums = data.arithmetic(200, digits=(1, 2), operations="+", split="test", seed=4)
checks.decodes(
    adder,
    number_vocabulary.encode(hidden_sums.sources, length=SUM_LENGTH)[0],
    hidden_sums.targets,
    number_vocabulary.decode,
    bos_id=BOS_ID,
    eos_id=EOS_ID,
    at_least=0.25 if FAST else 0.42,
)
### END HIDDEN TESTS

# %% [markdown]
# ### Your own search, with the trained model
#
# The next cell writes the results of some new sums with *your* greedy search and with *your* beam search. It gives no points. If a function is not ready, the cell says so and goes on.

# %% nbgrader={"grade": false, "grade_id": "sums-your-search", "locked": true, "schema_version": 3, "solution": false, "task": false}
def quick_steps(model, source):
    """The model's step and first state. Scores come as NumPy arrays: single numbers of a tensor
    take long to read."""
    step_of_model, state = model.step_function(source)

    def step(previous, state):
        scores, state = step_of_model(previous, state)
        return np.asarray(scores), state

    return step, state


def write_greedily(model, source, vocabulary, max_length):
    """The targets that your greedy search writes, as strings."""
    step, state = quick_steps(model, source)
    return vocabulary.decode(np.asarray(greedy_decode(step, state, len(source), max_length)))


def write_with_beam(model, source, vocabulary, max_length, width=3):
    """The target that your beam search writes for one source, (1, time), and its score."""
    step_for_batch, state = quick_steps(model, source)

    def step(previous, state):
        scores, state = step_for_batch(np.reshape(previous, (1,)), state)
        return scores[0], state

    ids, score = beam_search(step, state, width, max_length, power=1.0)
    return vocabulary.decode(np.reshape(ids, (1, -1)))[0], float(score)


try:
    some = [row for row, digits in enumerate(new_sums.digits) if digits == 2][:6]
    source, _ = number_vocabulary.encode([new_sums.sources[row] for row in some], SUM_LENGTH)
    greedy_results = write_greedily(adder, source, number_vocabulary, max_length=5)
    print("     sum  right  greedy  beam (score)")
    for row, ids, result in zip(some, source, greedy_results):
        found, score = write_with_beam(adder, ids[None], number_vocabulary, max_length=5)
        print(f"{new_sums.sources[row]:>8}  {new_sums.targets[row]:>5}  {result:>6}  {found} ({score:.2f})")
except Exception as problem:
    print("Not yet. It needs your functions of questions 9, 10 and 11.")
    print("What is missing:", type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## Question 12. Exact match by group (1 point)
#
# A result with one wrong digit is a wrong result. So we count *exact matches*: predictions that equal their target to the last character. One number for all sums hides where the model fails, so measure each group alone: `groups[k]` is a whole number that belongs to pair `k`, such as its number of digits.
#
# Return a dictionary with the share of exact matches in each group. About 4 lines. Explained in [section s22](../../lectures/05_seq2seq.ipynb#s22).

# %% nbgrader={"grade": false, "grade_id": "q12-groups", "locked": false, "schema_version": 3, "solution": true, "task": false}
def accuracy_by_group(predictions, targets, groups):
    """predictions, targets: lists of strings; groups: a list of whole numbers, as long as these;
    returns a dictionary: for each number in groups, a share from 0 to 1"""
    ### BEGIN SOLUTION
    right = {group: [] for group in sorted(set(groups))}
    for prediction, target, group in zip(predictions, targets, groups):
        right[group].append(prediction == target)
    return {group: float(np.mean(each)) for group, each in right.items()}
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q12-groups-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.accuracy_by_group(accuracy_by_group)
### BEGIN HIDDEN TESTS
checks.accuracy_by_group(accuracy_by_group, count=15, seed=1)
checks.accuracy_by_group(accuracy_by_group, count=60, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# Now the sums of one and two digits, and those of three digits, which are longer than any sum in training. (This cell does not need your question 12.)

# %% nbgrader={"grade": false, "grade_id": "sums-measure", "locked": true, "schema_version": 3, "solution": false, "task": false}
def measure_sums():
    """Print the accuracy by number of digits, and some mistakes."""
    source, _ = number_vocabulary.encode(new_sums.sources, length=SUM_LENGTH)
    results = number_vocabulary.decode(adder.decode(source, BOS_ID, EOS_ID, max_length=5))
    for digits, _, count, accuracy in metrics.accuracy_by_length(
        results, new_sums.targets, new_sums.digits, edges=[1, 2, 3, 4]
    ):
        print(f"{digits} digits: {accuracy:.2f} of {count} sums")
    rows = zip(new_sums.digits, new_sums.sources, results, new_sums.targets)
    wrong = [row for row in rows if row[2] != row[3]]
    for digits in (2, 3):
        for _, source, result, target in [row for row in wrong if row[0] == digits][:4]:
            print(f"{source:>8}  written {result:>4}, right {target:>4}")


try:
    measure_sums()
except Exception as problem:
    print("Not yet. Train the model in question 11 first:", type(problem).__name__, problem)

# %% [markdown]
# ## Question 13. What the model has learned (1 point)
#
# Answer in two to four sentences, with numbers from your own table: **(a)** How does the accuracy change with the number of digits, and what happens with sums that are longer than those in training? **(b)** Look at the mistakes in sums of two digits. Which digits are wrong, and why is it hard for this decoder to write the first digit of a result?

# %% [markdown] nbgrader={"grade": true, "grade_id": "q13-sums", "locked": false, "points": 1, "schema_version": 3, "solution": true, "task": false}
# ### BEGIN SOLUTION
# **(a)** All sums of one digit are right (1.00) and nearly all of two digits (about 0.96), but none of three digits (0.00): the model never saw such sums, and it did not find the rule that we know. It has learned how sums of one and two digits look. **(b)** Mostly one digit of the result is wrong by one, often where there is a carry. The decoder writes from left to right, but carries go from right to left: to write the first digit, it must already know whether the last digits give a carry, and how many digits the result has. So the whole sum has to be ready before the first digit is written.
#
# *Marking guide.* Half a point for (a): the fall with numbers, and that longer sums fail because none was in training. Half a point for (b): a wrong digit named as the student's own table shows it, and the idea that the first digit depends on a carry from the digits that are written after it.
# ### END SOLUTION

# %% [markdown]
# ## Part 6. The bottleneck
#
# Between encoder and decoder stands one vector of fixed size, whether the source has three symbols or three hundred. To see what this means, take a task in which nothing can be guessed: write a random string backwards. Each letter must go through the context. See [section s23](../../lectures/05_seq2seq.ipynb#s23).
#
# The next cell trains two models, with contexts of 16 and of 64 numbers. This takes about a minute. The setting is small; what the figure shows is what this training reaches, not what such a vector could hold at best.

# %% nbgrader={"grade": false, "grade_id": "reverse-train", "locked": true, "schema_version": 3, "solution": false, "task": false}
LONGEST = 8 if FAST else 16  # letters
EDGES = [3, 5, 7, 9] if FAST else [3, 6, 9, 12, 15, 17]
letter_vocabulary = text.Vocabulary("abcdefghijkl")
train_strings, train_reversed = data.reversals(1024 if FAST else 8192, seed=1, maximum=LONGEST)
new_strings, new_reversed = data.reversals(400, seed=2, maximum=LONGEST)


def train_reverser(units, epochs):
    """An encoder-decoder that learned to write strings backwards."""
    source, _ = letter_vocabulary.encode(train_strings, length=LONGEST)
    written, _ = letter_vocabulary.encode(train_reversed, length=LONGEST + 2, bos=True, eos=True)
    keras.utils.set_random_seed(5)
    size = len(letter_vocabulary)
    model = models.EncoderDecoder(size, size, units=units, embedding=16, context="every step")
    rate = keras.optimizers.schedules.CosineDecay(0.01, epochs * len(source) // 32)
    model.compile(
        optimizer=keras.optimizers.Adam(rate, global_clipnorm=1.0),
        loss=models.masked_cross_entropy,
    )
    previous = np.where(written == EOS_ID, PAD_ID, written)[:, :-1]
    model.fit(
        {"source": source, "previous": previous},
        written[:, 1:],
        batch_size=32,
        epochs=epochs,
        verbose=0,
        callbacks=[plots.TrainingCurve(f"Backwards, a context of {units} numbers")],
    )
    return model


def measure_reverser(units):
    """Train, then print and return the accuracy for each band of lengths."""
    model = train_reverser(units, epochs=1 if FAST else 4)
    source, _ = letter_vocabulary.encode(new_strings, length=LONGEST)
    ids = model.decode(source, BOS_ID, EOS_ID, max_length=LONGEST + 1)
    lengths = [len(target) for target in new_reversed]
    points = []
    for low, high, count, accuracy in metrics.accuracy_by_length(
        letter_vocabulary.decode(ids), new_reversed, lengths, EDGES
    ):
        print(f"{units} numbers, {low:2} to {high:2} letters: {accuracy:.2f} of {count} strings")
        points.append(((low + high) / 2, accuracy))
    return points


plots.accuracy_curves({f"context of {units} numbers": measure_reverser(units) for units in (16, 64)})

# %% [markdown]
# ## Question 14. The bottleneck (1 point)
#
# Answer in two to four sentences, with numbers from your own table: **(a)** What happens to each model when the strings get longer, and why? **(b)** What does the larger context change? Is it a remedy for texts of any length?

# %% [markdown] nbgrader={"grade": true, "grade_id": "q14-bottleneck", "locked": false, "points": 1, "schema_version": 3, "solution": true, "task": false}
# ### BEGIN SOLUTION
# **(a)** Both fall. With 16 numbers about a third of the strings of 3 to 5 letters are right and none above; with 64 numbers all are right up to 5 letters, most up to 8, about 0.4 up to 11 and none at 15 or 16. Each letter more must be kept in the same vector, and one letter that is lost makes the whole string wrong. **(b)** The larger context moves the fall to longer strings, but does not remove it: for each fixed size there is a length at which this training fails, and a larger model costs more to train and to run.
#
# *Marking guide.* Half a point for (a): the fall with numbers for both models and the vector of fixed size as its reason. Half a point for (b): the larger context helps for longer strings, but a fixed size is no remedy for any length.
# ### END SOLUTION

# %% [markdown]
# ## Part 7. One recipe
#
# Nothing in your code knows about sums. So the same recipe should serve for every task of the form "a text goes in, a text comes out". See [section s24](../../lectures/05_seq2seq.ipynb#s24).
#
# ### Translation, with your own functions
#
# First a translation: dates in nine languages become English dates. "27 novembre 2026" becomes "November 27, 2026". The next cell uses your vocabulary, your ids and mask, your shifted targets, your training, your greedy search and your measurement. It gives no points. If a function is not ready, the cell says so and goes on.

# %% nbgrader={"grade": false, "grade_id": "translate-data", "locked": true, "schema_version": 3, "solution": false, "task": false}
LANGUAGES = ("de", "es", "fi", "fr", "it", "nl", "pl", "pt", "sv")
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


def in_english(iso):
    """2026-11-27 as November 27, 2026."""
    year, month, day = iso.split("-")
    return f"{MONTHS[int(month) - 1]} {int(day)}, {year}"


def written_dates(count, seed, exclude=()):
    """Dates in nine languages, and the same in English."""
    dates = data.dates(count, seed, LANGUAGES, exclude)
    return dates.sources, [in_english(iso) for iso in dates.targets]


def your_task(name, sources, targets):
    """A task made with your functions, and the two dictionaries."""
    source_ids, target_ids = build_vocabulary(sources), build_vocabulary(targets)
    source, _ = encode_texts(sources, source_ids)
    previous, following = shift_targets(*encode_texts(targets, target_ids))
    task = {
        "name": name,
        "source": np.asarray(source),
        "previous": np.asarray(previous),
        "following": np.asarray(following),
        "source_size": EOS_ID + 1 + len(source_ids),
        "target_size": EOS_ID + 1 + len(target_ids),
    }
    return task, source_ids, target_ids


def your_translations(model, sources, source_ids, target_ids, max_length):
    """What your greedy search writes for these sources."""
    step, state = quick_steps(model, encode_texts(sources, source_ids)[0])
    written = np.asarray(greedy_decode(step, state, len(sources), max_length))
    symbols = {number: symbol for symbol, number in target_ids.items()}
    texts = []
    for row in written.tolist():
        row = row[: row.index(EOS_ID)] if EOS_ID in row else row
        texts.append("".join(symbols.get(number, "") for number in row))
    return texts

# %% nbgrader={"grade": false, "grade_id": "translate-dates", "locked": true, "schema_version": 3, "solution": false, "task": false}
def translate_dates():
    """Train a translator with your functions; print new dates and the accuracy by length."""
    sources, targets = written_dates(800 if FAST else 6400, seed=1)
    new_sources, new_targets = written_dates(300, seed=2, exclude=sources)
    task, source_ids, target_ids = your_task("Dates into English", sources, targets)
    keras.utils.set_random_seed(5)
    model = train_model(task, epochs=1 if FAST else 4)
    longest = max(len(target) for target in targets) + 1
    results = your_translations(model, new_sources, source_ids, target_ids, longest)
    for row in range(6):
        print(f"{new_sources[row]:>34}  ->  {results[row]:<18} right: {new_targets[row]}")
    tens = [len(source) // 10 * 10 for source in new_sources]
    shares = sorted(accuracy_by_group(results, new_targets, tens).items())
    for length, share in shares:
        print(f"sources of {length} to {length + 9} characters: {share:.2f} are exactly right")
    return plots.accuracy_curves({"dates": [(length + 4.5, share) for length, share in shares]})


try:
    display(translate_dates())
except Exception as problem:
    print("Not yet. It needs your functions of questions 1, 2, 3, 9, 11 and 12.")
    print("What is missing:", type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ### Translation of real sentences, where they are at hand
#
# Tatoeba is a collection of sentences that people have translated. Your computer may have it: after `data.load("tatoeba")`, which loads 0.7 MB, the next cell translates short English sentences into French. Otherwise the cell does nothing. It gives no points.

# %% nbgrader={"grade": false, "grade_id": "translate-sentences", "locked": true, "schema_version": 3, "solution": false, "task": false}
def tatoeba_is_here():
    """Whether the sentences lie in the cache, or in the folder that RNNKIT_DATA names."""
    folders = [data.cache_folder(), Path(os.environ.get("RNNKIT_DATA") or ".")]
    return any((folder / "tatoeba_eng_fra" / "eng-fra.txt").exists() for folder in folders)


def translate_sentences():
    """Train on pairs of real sentences; print how new ones are translated."""
    pairs = data.load("tatoeba", language="fr")
    # Pairs with one source stay together: all are known, or all are new.
    is_new = [sum(map(ord, source)) % 20 == 0 for source in pairs.sources]
    rows = [row for row, new in enumerate(is_new) if not new]
    new_rows = [row for row, new in enumerate(is_new) if new]
    sources, targets = [[column[row] for row in rows] for column in (pairs.sources, pairs.targets)]
    task, source_ids, target_ids = your_task("English into French", sources, targets)
    keras.utils.set_random_seed(5)
    model = train_model(task, epochs=15)
    new_sources = [pairs.sources[row] for row in new_rows]
    results = your_translations(model, new_sources, source_ids, target_ids, max_length=60)
    for row, result in list(zip(new_rows, results))[:: len(new_rows) // 8]:
        print(f"{pairs.sources[row]:>14}  ->  {result:<24} right: {pairs.targets[row]}")
        print(" " * 14, pairs.credits[row])


if FAST or not tatoeba_is_here():
    print("Left out: the sentences are not on this computer, or this is the short setting.")
else:
    try:
        translate_sentences()
    except Exception as problem:
        print("Not yet:", type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ### Three more tasks, one model
#
# Now one model for three tasks at once. The source begins with the name of the task, and the symbols are words:
#
# - *summarise*: a report of one sentence becomes a headline;
# - *answer*: two facts and a question, then the answer;
# - *reply*: a line of a dialogue, then the next line.
#
# The texts are made by a grammar; each source has exactly one right target. The next cell trains with your `train_model` (question 11).

# %% nbgrader={"grade": false, "grade_id": "three-tasks", "locked": true, "schema_version": 3, "solution": false, "task": false}
TASKS = ("summarise", "answer", "reply")
train_texts = data.text_to_text(1000 if FAST else 6000, TASKS, seed=1)
new_texts = data.text_to_text(300, TASKS, split="test", seed=2)


def three_tasks():
    """Train one model on three tasks; print new examples and the accuracy of each task."""
    source_words, target_words = (
        text.Vocabulary.from_texts(texts, split=text.words, joiner=" ")
        for texts in (train_texts.sources, train_texts.targets)
    )
    keras.utils.set_random_seed(5)
    task = make_task("Three tasks", train_texts, source_words, target_words)
    model = train_model(task, epochs=1 if FAST else 5)
    source, _ = source_words.encode(new_texts.sources, length=task["source"].shape[1])
    results = target_words.decode(model.decode(source, BOS_ID, EOS_ID, max_length=12))
    for name in TASKS:
        rows = [row for row, each in enumerate(new_texts.tasks) if each == name]
        right = [results[row] == new_texts.targets[row] for row in rows]
        words = [len(new_texts.sources[row].split()) for row in rows]
        print(
            f"{name}: {np.mean(right):.2f} of {len(rows)} are exactly right; "
            f"sources have {np.mean(words):.0f} words on average"
        )
        for row in rows[:3]:
            print(f"    source   {new_texts.sources[row]}")
            print(f"    written  {results[row]}")
            print(f"    right    {new_texts.targets[row]}")


try:
    three_tasks()
except Exception as problem:
    print("Not yet. It needs your function of question 11.")
    print("What is missing:", type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## Question 15. One recipe (1 point)
#
# Answer in two to four sentences: **(a)** Sums, dates, summaries, answers, replies: what did you have to change from task to task, and what stayed the same? **(b)** Which of the last three tasks is the easiest for the model, and which is hard? Give the numbers and a reason: what must the context hold in each?

# %% [markdown] nbgrader={"grade": true, "grade_id": "q15-recipe", "locked": false, "points": 1, "schema_version": 3, "solution": true, "task": false}
# ### BEGIN SOLUTION
# **(a)** Only the data changed: the pairs, the symbols (characters or words), and how long we trained. Model, loss, training, search and measurement are the same lines of code. **(b)** *reply* is the easiest (1.00) and *summarise* nearly as easy (0.99): the context must hold one to four words, and their places in the source are always the same. *answer* is hard (about 0.45), although its targets are the shortest: the question comes last, so the context must hold two names, two colours and two things, and who has which, until it is known what is asked.
#
# *Marking guide.* Half a point for (a): the data and its vocabularies change, the model and its training do not. Half a point for (b): numbers, and a reason that says what has to be kept in the context for a task that is hard and for one that is easy.
# ### END SOLUTION

# %% [markdown]
# ## That is all
#
# Before you hand in: *Kernel → Restart Kernel and Run All Cells*, and look through your answers once more. Then press *Validate*.
