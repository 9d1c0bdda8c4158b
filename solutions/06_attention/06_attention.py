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
# # Exercise 6: attention
#
# An encoder-decoder without attention must store a whole sentence in one vector. In this exercise you build the part that removes this limit. At the end, your own functions run inside a trained model that reads dates in ten languages.
#
# **You write** the shifted targets, three kinds of scores, the masked softmax, the context vector, one decoder step, the greedy loop, and the measurements. **You are given** the layers, the data and the figures, from the package `rnnkit`. Each question stands alone: if you get stuck in one, go on with the next.
#
# **How it works.** Write your code where it says `YOUR CODE HERE`, and delete the line `raise NotImplementedError()`. The cell below your answer tests it. When a test fails, its last lines say what came out, what was expected, and often which slip gives exactly this. There are also hidden tests; they use other shapes and other numbers. Where you are asked to write a thing, do not call the ready-made one from Keras or `rnnkit`: the tests notice it. Operations of `keras.ops`, NumPy and TensorFlow are free to use.
#
# 20 points; about 90 minutes. The lecture is [lectures/06_attention](../../lectures/06_attention.ipynb).
#
# | symbol | in the code | shape | what it is |
# | --- | --- | --- | --- |
# | $h_j$ | `keys[:, j]` | (batch, key_units) | the encoder's state at source position $j$ |
# | $s_{i-1}$ | `state`, `query` | (batch, units) | the decoder's state *before* step $i$ |
# | $e_{ij}$ | `scores` | (batch, source) | how well position $j$ fits step $i$ |
# | $\alpha_{ij}$ | `weights` | (batch, source) | the attention weights of step $i$ |
# | $c_i$ | `context` | (batch, key_units) | the context vector of step $i$ |
# | | `mask` | (batch, source) | boolean: True for a real symbol, False for padding |

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
PAD_ID, UNK_ID, BOS_ID, EOS_ID = 0, 1, 2, 3  # padding, unknown, start token, end token
keras.utils.set_random_seed(6)
print("GPUs:", len(tf.config.list_physical_devices("GPU")))
print("Keras", keras.__version__, "- training in the", "short" if FAST else "full", "setting")

# %% [markdown]
# ## Part 1. What the decoder sees, and what it should predict
#
# ## Question 1. Shifted targets (2 points)
#
# A decoder writes one symbol at a time. In training, step $i$ gets the true symbol $y_{i-1}$ and should predict $y_i$ (teacher forcing). So it needs the targets twice: once moved one place to the right, with the start token in front, and once with the end token behind.
#
# For the target `[7, 8, 9]` with two places of padding, `[7, 8, 9, 0, 0]`:
#
# | step | 1 | 2 | 3 | 4 | 5 | 6 |
# | --- | --- | --- | --- | --- | --- | --- |
# | `previous` | BOS | 7 | 8 | 9 | 0 | 0 |
# | `following` | 7 | 8 | 9 | EOS | 0 | 0 |
#
# Write `shift_targets`. About 5 lines. Explained in [section s21](../../lectures/05_seq2seq.ipynb#s21) of lecture 5.
#
# *Hint:* the end token of row $b$ goes to column `mask[b].sum()` of `following`, also in a row without a symbol.

# %% nbgrader={"grade": false, "grade_id": "q1-shift", "locked": false, "schema_version": 3, "solution": true, "task": false}
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

# %% nbgrader={"grade": true, "grade_id": "q1-shift-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.shifted_targets(shift_targets, batch=3, time=5)
### BEGIN HIDDEN TESTS
checks.shifted_targets(shift_targets, batch=1, time=1, seed=1)
checks.shifted_targets(shift_targets, batch=7, time=9, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 2. From scores to the context vector
#
# Attention is a soft look-up. The decoder's state is the *query*. It is compared with each encoder state (the *keys*), which gives one score for each source position. A softmax turns the scores into weights, and the context vector is the weighted sum of the keys. See [section s25](../../lectures/06_attention.ipynb#s25) for the idea and [section s26](../../lectures/06_attention.ipynb#s26) for the three kinds of scores.
#
# In all functions below, `query` has the shape (batch, query_units) and `keys` has the shape (batch, source, key_units).
#
# *Hint:* `ops.einsum` writes a sum of products as it stands in the formula. For example, `ops.einsum("bq,qk->bk", a, W)` is $\sum_q a_{bq} W_{qk}$.

# %% [markdown]
# ## Question 2. Dot-product score (1 point)
#
# $$e_j = q \cdot h_j$$
#
# Here `query_units` equals `key_units`. About 1 line.

# %% nbgrader={"grade": false, "grade_id": "q2-dot", "locked": false, "schema_version": 3, "solution": true, "task": false}
def dot_product_score(query, keys):
    """query (batch, units), keys (batch, source, units); returns scores (batch, source)"""
    ### BEGIN SOLUTION
    return ops.einsum("bu,bsu->bs", query, keys)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q2-dot-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.dot_product_score(dot_product_score)
### BEGIN HIDDEN TESTS
checks.dot_product_score(dot_product_score, batch=1, source=1, units=5, seed=1)
checks.dot_product_score(dot_product_score, batch=4, source=7, units=2, seed=2)
checks.dot_product_score(dot_product_score, batch=3, source=3, units=3, seed=3)
checks.dot_product_score(dot_product_score, batch=3, source=1, units=1, seed=4)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 3. Multiplicative score (1 point)
#
# $$e_j = q^\top W h_j$$
#
# `W` has the shape (query_units, key_units), so that query and keys may differ in size. About 1 line.

# %% nbgrader={"grade": false, "grade_id": "q3-multiplicative", "locked": false, "schema_version": 3, "solution": true, "task": false}
def multiplicative_score(query, keys, W):
    """query (batch, query_units), keys (batch, source, key_units), W (query_units, key_units);
    returns scores (batch, source)"""
    ### BEGIN SOLUTION
    return ops.einsum("bq,qk,bsk->bs", query, W, keys)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q3-multiplicative-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.multiplicative_score(multiplicative_score)
### BEGIN HIDDEN TESTS
checks.multiplicative_score(multiplicative_score, batch=1, source=1, query_units=2, key_units=5, seed=1)
checks.multiplicative_score(multiplicative_score, batch=4, source=7, query_units=6, key_units=3, seed=2)
checks.multiplicative_score(multiplicative_score, batch=4, source=4, query_units=4, key_units=4, seed=3)
checks.multiplicative_score(multiplicative_score, batch=3, source=1, query_units=1, key_units=2, seed=4)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 4. Additive score (2 points)
#
# $$e_j = v^\top \tanh(W q + U h_j)$$
#
# In the code, `W` has the shape (query_units, units), so that $Wq$ is `query @ W` for a whole batch; `U` has the shape (key_units, units) and `v` the shape (units,). $Wq + Uh_j$ can be far from 0; `ops.tanh` takes care of that. About 3 lines.
#
# *Hint:* $Wq$ has no source axis, $Uh_j$ has one. Give the first an axis of length 1 before you add: (batch, 1, units) + (batch, source, units). For the product with `v`, use `ops.einsum` or `ops.matmul`.

# %% nbgrader={"grade": false, "grade_id": "q4-additive", "locked": false, "schema_version": 3, "solution": true, "task": false}
def additive_score(query, keys, W, U, v):
    """query (batch, query_units), keys (batch, source, key_units),
    W (query_units, units), U (key_units, units), v (units,);
    returns scores (batch, source)"""
    ### BEGIN SOLUTION
    from_query = ops.expand_dims(ops.matmul(query, W), axis=1)  # (batch, 1, units)
    from_keys = ops.matmul(keys, U)  # (batch, source, units)
    return ops.einsum("bsu,u->bs", ops.tanh(from_query + from_keys), v)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q4-additive-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.additive_score(additive_score)
### BEGIN HIDDEN TESTS
checks.additive_score(additive_score, batch=1, source=1, query_units=2, key_units=5, units=4, seed=1)
checks.additive_score(additive_score, batch=4, source=6, query_units=5, key_units=2, units=3, seed=2)
checks.additive_score(additive_score, batch=5, source=5, query_units=5, key_units=5, units=5, seed=3)
checks.additive_score(additive_score, batch=3, source=1, query_units=2, key_units=1, units=1, seed=4)
checks.additive_score(additive_score, batch=2, source=3, scale=1000.0, seed=8)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 5. Masked softmax (2 points)
#
# The sentences of a batch differ in length, and the shorter ones are padded. Padding can stand at any position. It must get the weight 0, and the weights of the real positions must sum to 1:
#
# $$\alpha_j = \frac{m_j \exp(e_j)}{\sum_k m_k \exp(e_k)}$$
#
# where $m_j$ is 1 for a real position and 0 for padding. Each row has at least one real position. Scores can be far from 0 (1,000 and more, or -1,000 and less), so take care that `exp` does not overflow. You may call `ops.softmax`, which takes care of that; it does not know the mask. About 3 lines. Explained in [section s25](../../lectures/06_attention.ipynb#s25).
#
# *Hint:* a softmax does not change when the same number is subtracted from all scores. And $\exp(-10^9)$ is 0.

# %% nbgrader={"grade": false, "grade_id": "q5-softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def masked_softmax(scores, mask):
    """scores (batch, source), mask (batch, source) with True for a real position;
    returns weights (batch, source)"""
    ### BEGIN SOLUTION
    scores = ops.where(mask, scores, -1e9)
    exponentials = ops.exp(scores - ops.max(scores, axis=-1, keepdims=True))
    return exponentials / ops.sum(exponentials, axis=-1, keepdims=True)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q5-softmax-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.masked_softmax(masked_softmax)
### BEGIN HIDDEN TESTS
checks.masked_softmax(masked_softmax, batch=2, source=2, seed=1)
checks.masked_softmax(masked_softmax, batch=5, source=5, seed=3)
checks.masked_softmax(masked_softmax, batch=4, source=9, scale=1000.0, seed=4)
checks.masked_softmax(masked_softmax, batch=4, source=6, offset=-5000.0, seed=6)
checks.masked_softmax(masked_softmax, batch=3, source=6, padding=2000.0, seed=8)
checks.masked_softmax(masked_softmax, batch=4, source=6, scattered=True, seed=10)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 6. Context vector (1 point)
#
# $$c = \sum_j \alpha_j h_j$$
#
# About 1 line.

# %% nbgrader={"grade": false, "grade_id": "q6-context", "locked": false, "schema_version": 3, "solution": true, "task": false}
def context_vector(weights, keys):
    """weights (batch, source), keys (batch, source, key_units);
    returns the context (batch, key_units)"""
    ### BEGIN SOLUTION
    return ops.einsum("bs,bsk->bk", weights, keys)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q6-context-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.context_vector(context_vector)
### BEGIN HIDDEN TESTS
checks.context_vector(context_vector, batch=1, source=1, key_units=6, seed=1)
checks.context_vector(context_vector, batch=3, source=8, key_units=5, seed=2)
checks.context_vector(context_vector, batch=4, source=4, key_units=4, seed=3)
checks.context_vector(context_vector, batch=3, source=1, key_units=1, seed=4)
checks.context_vector(context_vector, batch=3, source=4, key_units=1, seed=5)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 3. The decoder
#
# ## Question 7. One decoder step (2 points)
#
# Step $i$ looks first, with the state *before* the step, and moves then:
#
# $$c_i,\ \alpha_i = \mathrm{attend}(s_{i-1}, h) \qquad
# s_i = \mathrm{GRU}([y_{i-1}; c_i],\ s_{i-1}) \qquad
# \mathrm{logits}_i = [s_i; c_i]\, V + b_o$$
#
# Here $y_{i-1}$ is the vector (embedding) of the previous symbol, and $[a; b]$ joins two vectors.
#
# The weights are in the dictionary `params`: `params["embedding"]` has the shape (vocabulary, features), `params["output"]` is $V$, (units + key_units, vocabulary), and `params["output_bias"]` is $b_o$. The two functions in the next cell are given; they take what else they need from `params`.
#
# About 6 lines. Explained in [section s25](../../lectures/06_attention.ipynb#s25).

# %% nbgrader={"grade": false, "grade_id": "q7-given", "locked": true, "schema_version": 3, "solution": false, "task": false}
def attend(query, keys, mask, params):
    """Given: additive attention. Returns context (batch, key_units), weights (batch, source)."""
    return layers.additive_attention(query, keys, mask, params["W"], params["U"], params["v"])


def gru(inputs, state, params):
    """Given: one GRU step. inputs (batch, features + key_units), state (batch, units)."""
    return layers.gru_step(
        inputs, state, params["kernel"], params["recurrent_kernel"], params["bias"]
    )

# %% nbgrader={"grade": false, "grade_id": "q7-step", "locked": false, "schema_version": 3, "solution": true, "task": false}
def decoder_step(previous, state, keys, mask, params):
    """One step of the decoder.

    previous: integers (batch,), the symbols written before
    state: (batch, units), the state before the step
    keys: (batch, source, key_units), mask: (batch, source)
    params: the dictionary described above
    returns: logits (batch, vocabulary), new_state (batch, units), weights (batch, source)
    """
    ### BEGIN SOLUTION
    embedded = ops.take(params["embedding"], previous, axis=0)
    context, weights = attend(state, keys, mask, params)
    new_state = gru(ops.concatenate([embedded, context], axis=-1), state, params)
    joined = ops.concatenate([new_state, context], axis=-1)
    logits = ops.matmul(joined, params["output"]) + params["output_bias"]
    return logits, new_state, weights
    ### END SOLUTION

# %% nbgrader={"grade": false, "grade_id": "q7-two-steps", "locked": true, "schema_version": 3, "solution": false, "task": false}
def two_steps(previous, state, keys, mask, params):
    """Given: your step twice, over the same keys, with the symbols (batch, 2). Returns what the
    second one returns."""
    _, state, _ = decoder_step(previous[:, 0], state, keys, mask, params)
    return decoder_step(previous[:, 1], state, keys, mask, params)

# %% nbgrader={"grade": true, "grade_id": "q7-step-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.decoder_step(decoder_step)
checks.second_decoder_step(two_steps)
### BEGIN HIDDEN TESTS
checks.decoder_step(decoder_step, batch=1, source=1, units=3, seed=10)
checks.decoder_step(decoder_step, batch=5, source=7, units=4, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 8. The greedy loop (2 points)
#
# To write a target, begin with the start token and call the step again and again. Each time take the symbol with the highest score; it is the previous symbol of the next step. Stop when all sentences have written the end token, and in any case after `max_length` steps. (You may also go on to `max_length` and write only PAD_ID.)
#
# The function `step(previous, state)` is passed to you. It returns two things: scores (batch, vocabulary) and the new state. You do not need to know what the state is; pass on what you got.
#
# A sentence of the batch can end before the others. After its EOS it gets PAD_ID until the loop ends. What `step` gets as its previous symbol then does not matter: give it PAD_ID too. About 10 lines. Explained in [section s21](../../lectures/05_seq2seq.ipynb#s21) of lecture 5.

# %% nbgrader={"grade": false, "grade_id": "q8-greedy", "locked": false, "schema_version": 3, "solution": true, "task": false}
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

# %% nbgrader={"grade": false, "grade_id": "q8-given", "locked": true, "schema_version": 3, "solution": false, "task": false}
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

# %% nbgrader={"grade": true, "grade_id": "q8-greedy-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.greedy(decode_with_tables, batch=3, steps=8)
### BEGIN HIDDEN TESTS
checks.greedy(decode_with_tables, batch=1, steps=6, seed=1)
checks.greedy(decode_with_tables, batch=4, steps=12, seed=2)
checks.greedy_with_any_state(greedy_decode)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 4. Reading dates
#
# Now a real task: read a date as people write it, in ten languages, and write it in ISO form. "Freitag, 27. November 2026" becomes "2026-11-27". The dates come from Babel, a library that knows how each language writes dates.

# %% nbgrader={"grade": false, "grade_id": "dates-data", "locked": true, "schema_version": 3, "solution": false, "task": false}
train_dates = data.dates(3200 if FAST else 6400, seed=1)
new_dates = data.dates(200, seed=2, exclude=train_dates.sources)  # the model never sees these

source_vocabulary = text.Vocabulary.from_texts(train_dates.sources)
target_vocabulary = text.Vocabulary.from_texts(train_dates.targets)
SOURCE_LENGTH = 36  # no date is longer


def encode_dates(date_set):
    """Source ids, and what the decoder sees and should predict."""
    source, _ = source_vocabulary.encode(date_set.sources, length=SOURCE_LENGTH)
    targets, _ = target_vocabulary.encode(date_set.targets)
    bos, eos = np.full((len(targets), 1), BOS_ID), np.full((len(targets), 1), EOS_ID)
    return source, np.hstack([bos, targets]), np.hstack([targets, eos])


date_source, date_previous, date_following = encode_dates(train_dates)
new_source, new_previous, new_following = encode_dates(new_dates)
for number in range(5):
    print(f"{train_dates.sources[number]:>34}  ->  {train_dates.targets[number]}")
print("source ids", date_source.shape, " previous and following", date_previous.shape)

# %% [markdown]
# ## Question 9. Train the model (1 point)
#
# Make a `models.EncoderDecoder` with attention, compile it and train it on `date_source`, `date_previous` and `date_following`. Call it `date_model`.
#
# - The model takes the sizes of the two vocabularies (first the source's, then the target's), `units`, `embedding` and `attention`. Use `layers.AdditiveAttention(64)`, 64 units and an embedding of 32. (The test takes any attention layer and other sizes; the cell after it, which puts your own score into the model, needs additive attention.)
# - Its input is a dictionary with the keys `"source"` and `"previous"`.
# - The loss is `models.masked_cross_entropy`. A good optimizer is `keras.optimizers.Adam(0.005, global_clipnorm=1.0)`.
# - Train for `DATE_EPOCHS` epochs with `batch_size=64` and `verbose=0`. Pass `callbacks=[plots.TrainingCurve("Dates")]` to watch the loss fall.
#
# The test lets the model read 200 new dates, and asks that 60 % are exactly right (15 % in the short setting, which trains less). With the numbers above the model reaches this in about half a minute. About 8 lines. The model is explained in [section s20](../../lectures/05_seq2seq.ipynb#s20) of lecture 5.

# %% nbgrader={"grade": false, "grade_id": "q9-train", "locked": false, "schema_version": 3, "solution": true, "task": false}
DATE_EPOCHS = 4 if FAST else 5

### BEGIN SOLUTION
date_model = models.EncoderDecoder(
    len(source_vocabulary),
    len(target_vocabulary),
    units=64,
    embedding=32,
    attention=layers.AdditiveAttention(64),
)
date_model.compile(
    optimizer=keras.optimizers.Adam(0.005, global_clipnorm=1.0),
    loss=models.masked_cross_entropy,
)
date_model.fit(
    {"source": date_source, "previous": date_previous},
    date_following,
    batch_size=64,
    epochs=DATE_EPOCHS,
    verbose=0,
    callbacks=[plots.TrainingCurve("Dates")],
);
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q9-train-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.attends_to_source(date_model, new_source[:20], new_previous[:20])
checks.decodes(
    date_model,
    new_source,
    new_dates.targets,
    target_vocabulary.decode,
    bos_id=BOS_ID,
    eos_id=EOS_ID,
    at_least=0.15 if FAST else 0.6,
)
### BEGIN HIDDEN TESTS
hidden_dates = data.dates(200, seed=3, exclude=train_dates.sources)
hidden_source, _ = source_vocabulary.encode(hidden_dates.sources, length=SOURCE_LENGTH)
checks.decodes(
    date_model,
    hidden_source,
    hidden_dates.targets,
    target_vocabulary.decode,
    bos_id=BOS_ID,
    eos_id=EOS_ID,
    at_least=0.15 if FAST else 0.6,
)
### END HIDDEN TESTS

# %% [markdown]
# ### Your own functions, inside the trained model
#
# The next cell takes the weights out of `date_model` and decodes new dates with *your* functions alone: your score, your masked softmax, your context vector, your decoder step and your greedy loop. It gives no points. If one of these functions is not ready, the cell says so and goes on.

# %% nbgrader={"grade": false, "grade_id": "dates-your-functions", "locked": true, "schema_version": 3, "solution": false, "task": false}
def your_attend(query, keys, mask, params):
    """Additive attention, made of your functions."""
    weights = masked_softmax(additive_score(query, keys, params["W"], params["U"], params["v"]), mask)
    return context_vector(weights, keys), weights


def read_with_your_functions(written_dates):
    """Decode dates with your functions and the weights of date_model."""
    global attend
    source, _ = source_vocabulary.encode(written_dates, length=SOURCE_LENGTH)
    encoded = date_model.encode(source)
    params = models.decoder_parameters(date_model)
    calls = 0

    def step(previous, state):
        nonlocal calls
        calls += 1
        if calls > 11:
            raise AssertionError("step was called more than max_length = 11 times")
        logits, state, _ = decoder_step(previous, state, encoded.keys, encoded.mask, params)
        return logits, state

    given_attend, attend = attend, your_attend
    try:
        written = greedy_decode(step, encoded.state, len(source), max_length=11)
    finally:
        attend = given_attend
    return target_vocabulary.decode(np.asarray(written))


try:
    for date, iso in zip(new_dates.sources[:8], read_with_your_functions(new_dates.sources[:8])):
        print(f"{date:>34}  ->  {iso}")
except Exception as problem:
    print("Not yet. It needs date_model with additive attention, and your functions of questions")
    print("4 to 8. What is missing:", type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## Part 5. Alignments for free
#
# Nobody told the model which part of a source belongs to which part of the target. The attention weights show what it found. See [section s28](../../lectures/06_attention.ipynb#s28).
#
# ## Question 10. Alignment error rate (1 point)
#
# For a fair judgement, compare the model's links with links that are known to be right. There are two kinds of gold links: *sure* ones ($S$: a digit of the year or the day comes from the same digit in the source) and *possible* ones ($P$, which includes $S$: each digit of the month may come from any letter or digit of the month, and where the day has one digit, as in "7", both digits of "07" may come from it). With the model's links $A$, the alignment error rate is
#
# $$\mathrm{AER} = 1 - \frac{|A \cap S| + |A \cap P|}{|A| + |S|}$$
#
# where $|X|$ is the number of links in $X$. 0 is perfect. Write it for one pair. About 2 lines.
#
# *Hint:* with boolean arrays, `&` is the intersection and `.sum()` counts.

# %% nbgrader={"grade": false, "grade_id": "q10-aer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def alignment_error_rate(predicted, sure, possible):
    """predicted (A), sure (S), possible (P): booleans (target, source); returns one number"""
    ### BEGIN SOLUTION
    right = (predicted & sure).sum() + (predicted & possible).sum()
    return 1 - right / (predicted.sum() + sure.sum())
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q10-aer-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.alignment_error_rate(alignment_error_rate)
### BEGIN HIDDEN TESTS
checks.alignment_error_rate(alignment_error_rate, target=1, source=6, seed=1)
checks.alignment_error_rate(alignment_error_rate, target=8, source=20, seed=2)
checks.alignment_error_rate(alignment_error_rate, target=5, source=5, seed=3)
### END HIDDEN TESTS

# %% [markdown]
# Now look at one alignment. Each row is a step of the decoder, each column a source character. Dark cells have a large weight; the orange outline marks the possible gold links.

# %% nbgrader={"grade": false, "grade_id": "alignment-map", "locked": true, "schema_version": 3, "solution": false, "task": false}
DIGITS = [0, 1, 2, 3, 5, 6, 8, 9]  # the rows of year, month and day; the hyphens have no gold links


def align(count):
    """The weights (target, source) of the first new dates, without padding."""
    weights = np.asarray(
        date_model.attention_weights(new_source[:count], new_previous[:count])
    )
    return [weights[row, :10, : len(new_dates.sources[row])] for row in range(count)]


def show_alignments(count=100):
    """The alignment error rate of the first new dates, and a picture of a long one."""
    weights, gold = align(count), new_dates.alignments[:count]
    rate = metrics.alignment_error_rate(
        [metrics.links_from_weights(each)[DIGITS] for each in weights],
        [each.sure[DIGITS] for each in gold],
        [each.possible[DIGITS] for each in gold],
    )
    print(f"alignment error rate of {count} new dates: {rate:.2f}")
    row = int(np.argmax([len(date) for date in new_dates.sources[:count]]))
    return plots.attention_map(
        weights[row], new_dates.sources[row], new_dates.targets[row], gold=gold[row].possible
    )


try:
    display(show_alignments())
except Exception as problem:
    print("Not yet. Train date_model in question 9 first:", type(problem).__name__, problem)

# %% [markdown]
# ## Question 11. What the map shows (1 point)
#
# Answer in two to four sentences: **(a)** Where does the model look when it writes the two digits of the month, and why is this enough? **(b)** Find one step that writes a digit and whose darkest cell is *not* inside the outline, or say that there is none. (The hyphens have no outline.) Can the model still write the right digit there? What does this tell you about reading attention weights as an explanation?

# %% [markdown] nbgrader={"grade": true, "grade_id": "q11-map", "locked": false, "points": 1, "schema_version": 3, "solution": true, "task": false}
# ### BEGIN SOLUTION
# **(a)** It looks at a few letters of the month's name (or at its digits), usually where names differ, such as the first three letters; these letters are enough to tell twelve months apart, and the encoder's states also carry their neighbours. **(b)** Some steps, often of a digit next to a border, put the largest weight one or two places beside the outline. The digit is still right, because the encoder is recurrent in both directions: a state next to a symbol also knows this symbol. So a weight says which *state* was read, not which *symbol* was used; attention weights are a hint, not a proof.
#
# *Marking guide.* Half a point for (a): names the month's letters (or digits) and gives a reason that they are enough. Half a point for (b): a step outside, or none, as the student's own map shows it, and the idea that a state holds more than its own symbol, or that weights alone are no explanation.
# ### END SOLUTION

# %% [markdown]
# ## Part 6. The bottleneck
#
# Dates are short, and a model without attention reads them too. To see what attention repairs, we need a task that fills the memory: write a random string backwards. Nothing in a random string can be guessed, so each symbol must be kept.
#
# ## Question 12. Accuracy by length (1 point)
#
# Measure how often a prediction is *exactly* right, for short and for long targets. Band $k$ holds the targets whose length is at least `edges[k]` and less than `edges[k + 1]`. This holds for the last band too: a target that is just as long as the last edge is not in it. Every band has at least one target. A target whose length is in no band is left out. About 5 lines. See [section s23](../../lectures/05_seq2seq.ipynb#s23) of lecture 5.

# %% nbgrader={"grade": false, "grade_id": "q12-length", "locked": false, "schema_version": 3, "solution": true, "task": false}
def accuracy_by_length(predictions, targets, edges):
    """predictions, targets: lists of strings; edges: rising whole numbers;
    returns a list of len(edges) - 1 accuracies, one for each band of target lengths"""
    ### BEGIN SOLUTION
    accuracies = []
    for low, high in zip(edges[:-1], edges[1:]):
        right = [p == t for p, t in zip(predictions, targets) if low <= len(t) < high]
        accuracies.append(float(np.mean(right)))
    return accuracies
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q12-length-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.accuracy_by_length(accuracy_by_length)
### BEGIN HIDDEN TESTS
checks.accuracy_by_length(accuracy_by_length, count=5, seed=1)
checks.accuracy_by_length(accuracy_by_length, count=90, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# First the data: random strings, and the same strings backwards.

# %% nbgrader={"grade": false, "grade_id": "reverse-data", "locked": true, "schema_version": 3, "solution": false, "task": false}
LONGEST = 8 if FAST else 24  # letters
letter_vocabulary = text.Vocabulary("abcdefghijkl")
train_strings, train_reversed = data.reversals(1024 if FAST else 8192, seed=1, maximum=LONGEST)
new_strings, new_reversed = data.reversals(400, seed=2, maximum=LONGEST)
for number in range(3):
    print(f"{train_strings[number]:>24}  ->  {train_reversed[number]}")

# %% [markdown]
# The next cell trains two models on these strings of 3 to 24 letters: one with attention, one without. The one without gets more epochs, because its steps are cheaper. This takes about a minute and a half. See [section s29](../../lectures/06_attention.ipynb#s29).

# %% nbgrader={"grade": false, "grade_id": "reverse-train", "locked": true, "schema_version": 3, "solution": false, "task": false}
def train_reverser(attention, epochs):
    """An encoder-decoder that learned to write strings backwards."""
    source, _ = letter_vocabulary.encode(train_strings, length=LONGEST)
    targets, mask = letter_vocabulary.encode(train_reversed, length=LONGEST)
    end = np.where(np.arange(LONGEST + 1) == mask.sum(axis=1, keepdims=True), EOS_ID, PAD_ID)
    previous = np.hstack([np.full((len(targets), 1), BOS_ID), targets])
    following = np.hstack([targets, np.full((len(targets), 1), PAD_ID)]) + end
    keras.utils.set_random_seed(6)
    model = models.EncoderDecoder(
        len(letter_vocabulary), len(letter_vocabulary), units=48, embedding=16, attention=attention
    )
    steps = epochs * len(source) // 32
    rate = keras.optimizers.schedules.CosineDecay(0.01, steps)
    model.compile(
        optimizer=keras.optimizers.Adam(rate, global_clipnorm=1.0),
        loss=models.masked_cross_entropy,
    )
    name = "Backwards, " + ("without attention" if attention is None else "with attention")
    model.fit(
        {"source": source, "previous": previous},
        following,
        batch_size=32,
        epochs=epochs,
        verbose=0,
        callbacks=[plots.TrainingCurve(name)],
    )
    return model


reversers = {
    "with attention": train_reverser(layers.MultiplicativeAttention(), 1 if FAST else 5),
    "without attention": train_reverser(None, 1 if FAST else 8),
}

# %% nbgrader={"grade": false, "grade_id": "reverse-measure", "locked": true, "schema_version": 3, "solution": false, "task": false}
BANDS = [3, 5, 7, 9] if FAST else [3, 9, 14, 19, 25]  # in full: 3-8, 9-13, 14-18, 19-24 letters


def measure(name):
    """Print and return the accuracy of a model for each band of lengths."""
    source, _ = letter_vocabulary.encode(new_strings, length=LONGEST)
    ids = reversers[name].decode(source, BOS_ID, EOS_ID, max_length=LONGEST + 1)
    lengths = [len(target) for target in new_reversed]
    points = []
    for low, high, count, accuracy in metrics.accuracy_by_length(
        letter_vocabulary.decode(ids), new_reversed, lengths, BANDS
    ):
        print(f"{name:>18}, {low:2} to {high:2} letters: {accuracy:.2f} of {count} strings")
        points.append(((low + high) / 2, accuracy))
    return points


plots.accuracy_curves({name: measure(name) for name in reversers})

# %% [markdown]
# ## Question 13. What attention repairs (1 point)
#
# Answer in two to four sentences, with numbers that the cell above has printed: what happens to the model *without* attention when the strings get longer, and why? Why does this not happen to the model *with* attention?

# %% [markdown] nbgrader={"grade": true, "grade_id": "q13-bottleneck", "locked": false, "points": 1, "schema_version": 3, "solution": true, "task": false}
# ### BEGIN SOLUTION
# Without attention the accuracy falls with the length, from high values at 3 to 8 letters to about 0 at 19 to 24 letters. All letters must pass through one vector of fixed size (48 numbers), the decoder's first state; it is large enough for a few letters, but not for twenty, and the decoder must also keep the rest of them while it writes. With attention the accuracy stays near 1 for all lengths: the encoder keeps one state for each letter, and each step reads the one that it needs, so the memory grows with the input.
#
# *Marking guide.* Half a point for the fall with the numbers that the student's models gave and the one vector of fixed size as its reason; half a point for the reason that attention helps: all encoder states can be read again at each step, so nothing has to pass through one vector.
# ### END SOLUTION

# %% [markdown]
# ## Part 7. Shorter paths
#
# Attention has a second effect: it shortens the way that a gradient must go. See [section s27](../../lectures/06_attention.ipynb#s27).

# %% nbgrader={"grade": false, "grade_id": "paths-figures", "locked": true, "schema_version": 3, "solution": false, "task": false}
display(plots.unrolled("chat", "tahc", attention=False, path=(0, 2)))
display(plots.unrolled("chat", "tahc", attention=True, path=(0, 2)))

# %% [markdown]
# ## Question 14. Path length (1 point)
#
# How many arrows are there from input $x_j$ to output $y_i$? Count as in the two figures above: the encoder goes from left to right, the source has $n$ symbols, and $i$ and $j$ count from 1.
#
# - Without attention: into the encoder state $h_j$ (1 arrow), on to $h_n$, into the decoder state $s_1$ (1 arrow), on to $s_i$, and to the output (1 arrow).
# - With attention: $x_j \to h_j \to c_i \to s_i \to y_i$.
#
# Count this way through $c_i$ for all $i$ and $j$, also where another one is shorter: in our decoder $c_i$ goes straight into the output layer too, and $h_n$ into $s_1$. We leave these short cuts out, so that both counts end with the same kind of arrow. About 3 lines.

# %% nbgrader={"grade": false, "grade_id": "q14-path", "locked": false, "schema_version": 3, "solution": true, "task": false}
def path_length(j, i, n, attention):
    """Arrows from input x_j to output y_i; n source symbols; attention: True or False"""
    ### BEGIN SOLUTION
    if attention:
        return 4
    return 1 + (n - j) + 1 + (i - 1) + 1
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q14-path-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.path_length(path_length, source=4, target=4)
### BEGIN HIDDEN TESTS
checks.path_length(path_length, source=1, target=1)
checks.path_length(path_length, source=9, target=5)
checks.path_length(path_length, source=3, target=8)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 15. Gradient norms (1 point)
#
# If a path is long, little of the gradient arrives. Measure it on two models that have not been trained yet: for one string, the norm of the gradient of the loss at one output position with respect to the vector $x_j$ of each source symbol:
#
# $$g_j = \left\lVert \frac{\partial\, \mathrm{loss}_i}{\partial x_j} \right\rVert = \sqrt{\sum_u \left(\frac{\partial\, \mathrm{loss}_i}{\partial x_{ju}}\right)^2}$$
#
# The first two functions in the next cell are for you; the test and the figure use the third. Use `tf.GradientTape`: watch the vectors, compute the loss inside the tape, ask for the gradient, and take the norm over the last axis. The batch has one string, so return its row, `[0]`. About 6 lines.

# %% nbgrader={"grade": false, "grade_id": "q15-given", "locked": true, "schema_version": 3, "solution": false, "task": false}
keras.utils.set_random_seed(60)
probes = {
    name: models.EncoderDecoder(
        len(letter_vocabulary),
        len(letter_vocabulary),
        units=32,
        embedding=16,
        attention=attention,
        bidirectional=False,
    )
    for name, attention in [
        ("with attention", layers.AdditiveAttention(32)),
        ("without attention", None),
    ]
}
probe_source, _ = letter_vocabulary.encode(["abcdefghijkl"])  # (1, 12)
probe_targets, _ = letter_vocabulary.encode(["lkjihgfedcba"])
probe_previous = np.hstack([[[BOS_ID]], probe_targets])
probe_following = np.hstack([probe_targets, [[EOS_ID]]])


def probe_vectors(name):
    """Given: the vectors of the source symbols, (1, 12, 16), of the model with this name."""
    return tf.convert_to_tensor(probes[name].source_embedding(probe_source))


def probe_loss(name, vectors, position):
    """Given: the loss at one output position (counted from 0), as a function of the vectors."""
    return models.loss_at(
        probes[name], vectors, probe_source, probe_previous, probe_following, position
    )


def expected_gradients(name, position):
    """For the test and the figure: the gradients themselves, (source, features)."""
    return models.source_gradients(
        probes[name], probe_source, probe_previous, probe_following, position
    )[0]

# %% nbgrader={"grade": false, "grade_id": "q15-gradient", "locked": false, "schema_version": 3, "solution": true, "task": false}
def gradient_norms(name, position):
    """name: "with attention" or "without attention"; position: an output position, from 0;
    returns the norms (source,), one for each source symbol"""
    ### BEGIN SOLUTION
    vectors = probe_vectors(name)
    with tf.GradientTape() as tape:
        tape.watch(vectors)
        loss = probe_loss(name, vectors, position)
    gradient = tape.gradient(loss, vectors)[0]  # (source, features)
    return np.sqrt(np.sum(np.asarray(gradient) ** 2, axis=-1))
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q15-gradient-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
for name in probes:
    checks.gradient_norms(gradient_norms, expected_gradients, name, 6)
### BEGIN HIDDEN TESTS
for name in probes:
    for position in (0, 11):
        checks.gradient_norms(gradient_norms, expected_gradients, name, position)
### END HIDDEN TESTS

# %% [markdown]
# The figure shows the norm at the source symbol that an output position must copy: for position $i$ this is $j = n + 1 - i$. Without attention, the path to it gets longer with each position (how much longer, your formula of question 14 says), and the gradient fades. With attention it stays about the same.

# %% nbgrader={"grade": false, "grade_id": "gradient-figure", "locked": true, "schema_version": 3, "solution": false, "task": false}
positions = [1, 3, 5, 7, 9, 11]  # i, counted from 1


def norm_at_copied_symbol(name, i):
    """The norm at source symbol j = n + 1 - i, which output i must copy."""
    return float(np.linalg.norm(expected_gradients(name, i - 1)[12 - i]))


plots.gradient_norms(
    {name: [norm_at_copied_symbol(name, i) for i in positions] for name in probes},
    title="Untrained models; the distance is the output position i",
    distances=positions,
)

# %% [markdown]
# ## That is all
#
# Before you hand in: *Kernel → Restart Kernel and Run All Cells*, and look through your answers once more. Then press *Validate*.
