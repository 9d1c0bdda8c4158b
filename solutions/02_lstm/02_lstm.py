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
# # Exercise 2: gates, LSTM and GRU
#
# A simple recurrent net writes over its whole state at each step. A *gate* decides, for each number of the state, what is written and what is kept. In this exercise you build gates, an LSTM and a GRU from single operations, and find out what a forget gate does to a memory and to its gradient. At the end, your LSTM reads program text.
#
# **You write** a hard and a soft gate, one step of an LSTM and of a GRU, the loop over time, the way from one notation to another, and what forget gates leave over. **You are given** layers, data, figures and measurements, from the package `rnnkit`. Each question stands alone: if you get stuck in one, go on with the next.
#
# **How it works.** Write your code where it says `YOUR CODE HERE`, and delete the line `raise NotImplementedError()`. The cell below your answer tests it. When a test fails, its last lines say what came out, what was expected, and often which slip gives exactly this. There are also hidden tests; they use other shapes and other numbers. Where you are asked to write a thing, do not call the ready-made one from Keras or `rnnkit`: the tests notice it. Operations of `keras.ops`, NumPy and TensorFlow are free to use.
#
# 20 points; about 100 minutes. The lecture is [lectures/02_lstm](../../lectures/02_lstm.ipynb).
#
# | symbol | in the code | shape | what it is |
# | --- | --- | --- | --- |
# | $x$ | `x` | (batch, features) | the input of the step |
# | $s$, $h$ | `s`, `h` | (batch, units) | the state before the step |
# | $c$ | `c` | (batch, units) | the memory of an LSTM before the step |
# | $s'$, $h'$, $c'$ | | (batch, units) | the same after the step |
# | $\odot$ | `*` | | the product, number by number |
# | $\sigma$ | `ops.sigmoid` | | $\sigma(a) = 1 / (1 + e^{-a})$, always between 0 and 1 |

# %% nbgrader={"grade": false, "grade_id": "setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import os

# First, because it tells TensorFlow and Keras how to start.
from rnnkit import checks, data, experiments, layers, models, plots, text

import keras
import numpy as np
import tensorflow as tf
from keras import ops

# Our own quick tests of this notebook set RNNKIT_FAST=1. Your class is graded in full.
FAST = os.environ.get("RNNKIT_FAST") == "1"
keras.utils.set_random_seed(2)
print("GPUs:", len(tf.config.list_physical_devices("GPU")))
print("Keras", keras.__version__, "- training in the", "short" if FAST else "full", "setting")

# %% [markdown]
# ## Part 1. Gates
#
# ## Question 1. A hard gate (1 point)
#
# A gate $g$ has a 0 or a 1 for each number of the state. Where it is 1, the input is written into the state; where it is 0, the state is kept:
#
# $$s' = g \odot x + (1 - g) \odot s$$
#
# For example, this gate writes the second number and keeps the other two:
#
# $$\begin{pmatrix} 8 \\ 11 \\ 3 \end{pmatrix} = \begin{pmatrix} 0 \\ 1 \\ 0 \end{pmatrix} \odot \begin{pmatrix} 10 \\ 11 \\ 12 \end{pmatrix} + \begin{pmatrix} 1 \\ 0 \\ 1 \end{pmatrix} \odot \begin{pmatrix} 8 \\ 9 \\ 3 \end{pmatrix}$$
#
# About 1 line. Explained in [section s5](../../lectures/02_lstm.ipynb#s5).

# %% nbgrader={"grade": false, "grade_id": "q1-hard", "locked": false, "schema_version": 3, "solution": true, "task": false}
def hard_gate(g, x, s):
    """g (zeros and ones), x and s: arrays of one shape; returns the new state, of the same shape"""
    ### BEGIN SOLUTION
    return g * x + (1 - g) * s
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q1-hard-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.hard_gate(hard_gate)
### BEGIN HIDDEN TESTS
checks.hard_gate(hard_gate, seed=10)
checks.hard_gate(hard_gate, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 2. A soft gate (2 points)
#
# Nobody tells a net when to open its gates: it must learn it. For this, the gate is computed from the input and the state, and it may be any number between 0 and 1:
#
# $$g = \sigma(x W + s U + b) \qquad s' = g \odot x + (1 - g) \odot s$$
#
# Here `x` and `s` have the shape (batch, units), `W` and `U` the shape (units, units), and `b` the shape (units,). About 2 lines. Explained in [section s5](../../lectures/02_lstm.ipynb#s5).

# %% nbgrader={"grade": false, "grade_id": "q2-soft", "locked": false, "schema_version": 3, "solution": true, "task": false}
def soft_gate(x, s, W, U, b):
    """x, s (batch, units), W, U (units, units), b (units,); returns the new state (batch, units)"""
    ### BEGIN SOLUTION
    g = ops.sigmoid(ops.matmul(x, W) + ops.matmul(s, U) + b)
    return g * x + (1 - g) * s
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q2-soft-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.soft_gate(soft_gate)
### BEGIN HIDDEN TESTS
checks.soft_gate(soft_gate, seed=30)
checks.soft_gate(soft_gate, seed=60)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 3. Gates that learn to copy (1 point)
#
# The task: read a string of small letters that hides one capital, and name the capital at the end. All else must be forgotten. A gate that solves it opens at a capital and stays closed at a small letter.

# %% nbgrader={"grade": false, "grade_id": "capitals-data", "locked": true, "schema_version": 3, "solution": false, "task": false}
LENGTH = 12 if FAST else 20  # letters
letters = text.Vocabulary("ABCDEFGHabcdefgh")


def hidden_capitals(count, length, seed):
    """Random strings with one capital each. Returns strings, ids (count, length), answers (count,)."""
    generator = np.random.default_rng(seed)
    symbols = generator.choice(list("abcdefgh"), size=(count, length))
    capitals = generator.choice(list("ABCDEFGH"), size=count)
    symbols[np.arange(count), generator.integers(0, length, size=count)] = capitals
    strings = ["".join(row) for row in symbols]
    return strings, letters.encode(strings)[0], letters.encode(list(capitals))[0][:, 0]


train_strings, train_ids, train_answers = hidden_capitals(2048, LENGTH, seed=1)
new_strings, new_ids, new_answers = hidden_capitals(400, LENGTH, seed=2)
for number in range(3):
    print(train_strings[number], " ->", letters.decode([[train_answers[number]]])[0])
print("ids", train_ids.shape, " answers", train_answers.shape, " vocabulary", len(letters))

# %% [markdown]
# Make a Keras model, train it on `train_ids` and `train_answers`, and call it `gate_model`:
#
# - its inputs are ids of the shape (batch, time); leave the time open: `keras.Input((None,), dtype="int32")`;
# - an embedding of size 16;
# - a recurrence over soft gates: `outputs, (last,) = layers.Recurrence(layers.SoftGateCell(16))(vectors)`. It gives the states of all steps and the last state. `SoftGateCell` is your soft gate with one matrix more, which turns a vector of any size into what is written: $s' = g \odot (x W_x + b_x) + (1 - g) \odot s$;
# - a dense layer that turns the *last* state into scores of all `len(letters)` symbols.
#
# Use the loss `keras.losses.SparseCategoricalCrossentropy(from_logits=True)`, the optimizer `keras.optimizers.Adam(0.01)`, `batch_size=32`, `GATE_EPOCHS` epochs and `verbose=0`. Pass `callbacks=[plots.TrainingCurve("Capitals")]` to watch the loss fall.
#
# The tests ask the model about new strings, some of them twice as long as those in the training, and want 60 % right; a rule that learns nothing, or another recurrent layer, does not count. About 10 lines.

# %% nbgrader={"grade": false, "grade_id": "q3-train", "locked": false, "schema_version": 3, "solution": true, "task": false}
GATE_EPOCHS = 2 if FAST else 4

### BEGIN SOLUTION
ids = keras.Input((None,), dtype="int32")
vectors = keras.layers.Embedding(len(letters), 16)(ids)
outputs, (last,) = layers.Recurrence(layers.SoftGateCell(16))(vectors)
gate_model = keras.Model(ids, keras.layers.Dense(len(letters))(last))
gate_model.compile(
    optimizer=keras.optimizers.Adam(0.01),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
gate_model.fit(
    train_ids,
    train_answers,
    batch_size=32,
    epochs=GATE_EPOCHS,
    verbose=0,
    callbacks=[plots.TrainingCurve("Capitals")],
);
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q3-train-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.predicts(gate_model, new_ids, new_answers, at_least=0.6, what="gate_model")
checks.learns_without(
    gate_model,
    ["GRU", "LSTM", "SimpleRNN", "GlobalMaxPooling1D", "GlobalAveragePooling1D"],
    instead="a recurrence over soft gates, and a dense layer on its last state",
    what="gate_model",
)
### BEGIN HIDDEN TESTS
_, other_ids, other_answers = hidden_capitals(200, LENGTH, seed=3)
checks.predicts(gate_model, other_ids, other_answers, at_least=0.6, what="gate_model")
_, long_ids, long_answers = hidden_capitals(200, 2 * LENGTH, seed=4)
checks.predicts(gate_model, long_ids, long_answers, at_least=0.6, what="gate_model, on long strings")
### END HIDDEN TESTS

# %% [markdown]
# Now look into the gates. Each row of the map is a unit of the state, each column a letter; dark means open.

# %% nbgrader={"grade": false, "grade_id": "gates-figure", "locked": true, "schema_version": 3, "solution": false, "task": false}
def gates_of(string):
    """The gates of gate_model while it reads a string, (time, units)."""
    embedding, recurrence = (
        next(layer for layer in gate_model.layers if isinstance(layer, kind))
        for kind in (keras.layers.Embedding, layers.Recurrence)
    )
    cell = recurrence.cell
    vectors = embedding(letters.encode([string])[0])
    states, _ = recurrence(vectors)
    before = ops.pad(states[:, :-1], [(0, 0), (1, 0), (0, 0)])  # zeros before the first step
    from_input = cell.project(vectors)[..., : cell.units]
    return np.asarray(ops.sigmoid(from_input + ops.matmul(before, cell.recurrent_kernel)))[0]


try:
    display(plots.gates_over_time({"gate": gates_of(new_strings[0])}, new_strings[0]))
except Exception as problem:
    print("Not yet. Train gate_model with soft gates first:", type(problem).__name__, problem)

# %% [markdown]
# ## Question 4. What the gates learned (1 point)
#
# Answer in two to four sentences: **(a)** Where are the gates of your figure open, where are they closed, and how does this solve the task? **(b)** Why could a *hard* gate, $g = 1$ where $x W + s U + b > 0$ and else 0, not have learned this by gradient descent?

# %% [markdown] nbgrader={"grade": true, "grade_id": "q4-gates", "locked": false, "points": 1, "schema_version": 3, "solution": true, "task": false}
# ### BEGIN SOLUTION
# **(a)** Many gates open at the capital and are nearly closed at the small letters. So the capital is written into the state, and what comes after it leaves the state as it is until the end; what stood before is written over. Some units open their gates elsewhere, often right after the capital: what they hold follows the small letters, and the last layer need not look at it. **(b)** A hard gate is a step function of its weights: its slope is 0 everywhere but at the step itself, where there is none. So the gradient of the loss with respect to $W$, $U$ and $b$ is 0, and they never change.
#
# *Marking guide.* Half a point for (a): open at the capital, closed at small letters, as the student's own map shows it, and the reason that a closed gate keeps the state. Half a point for (b): the step function has slope 0 (or no slope), so no gradient reaches the weights of the gate.
# ### END SOLUTION

# %% [markdown]
# ## Part 2. LSTM and GRU
#
# ## Question 5. One step of an LSTM (2 points)
#
# An LSTM has two states: the memory $c$, which gates alone can change, and the state $h$, which the rest of the net sees. There are three gates and a candidate $g$ for what is written:
#
# $$i = \sigma(x W_i + h U_i + b_i) \qquad f = \sigma(x W_f + h U_f + b_f) \qquad o = \sigma(x W_o + h U_o + b_o)$$
#
# $$g = \tanh(x W_g + h U_g + b_g) \qquad c' = f \odot c + i \odot g \qquad h' = o \odot \tanh(c')$$
#
# The weights come as `keras.layers.LSTM` keeps them: four blocks side by side in the order **i, f, g, o**. `kernel` is $[W_i\ W_f\ W_g\ W_o]$, (features, 4 units), `recurrent_kernel` is $[U_i\ U_f\ U_g\ U_o]$, (units, 4 units), and `bias` has the shape (4 units,). About 7 lines. Explained in [section s6](../../lectures/02_lstm.ipynb#s6).
#
# *Hint:* compute $x W + h U + b$ once for all blocks, and cut it with `ops.split(…, 4, axis=-1)`.

# %% nbgrader={"grade": false, "grade_id": "q5-lstm", "locked": false, "schema_version": 3, "solution": true, "task": false}
def lstm_step(x, h, c, kernel, recurrent_kernel, bias):
    """One step of an LSTM.

    x: (batch, features), h and c: (batch, units)
    kernel: (features, 4 * units), recurrent_kernel: (units, 4 * units), bias: (4 * units,)
    returns: the new h and the new c, both (batch, units)
    """
    ### BEGIN SOLUTION
    blocks = ops.matmul(x, kernel) + ops.matmul(h, recurrent_kernel) + bias
    i, f, g, o = ops.split(blocks, 4, axis=-1)
    new_c = ops.sigmoid(f) * c + ops.sigmoid(i) * ops.tanh(g)
    new_h = ops.sigmoid(o) * ops.tanh(new_c)
    return new_h, new_c
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q5-lstm-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.lstm_step(lstm_step)
### BEGIN HIDDEN TESTS
checks.lstm_step(lstm_step, seed=100)
checks.lstm_step(lstm_step, seed=200)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 6. A whole LSTM (2 points)
#
# Now run the step over a sentence. Both states begin with zeros; each step gets the states that the step before has returned. The output of a step is its $h$. With the same weights, your function gives the same numbers as `keras.layers.LSTM(units, return_sequences=True)`.
#
# `weights` is what `layer.get_weights()` returns: the list `[kernel, recurrent_kernel, bias]`. For one step, call your `lstm_step`, or `given_lstm_step` from the next cell, which does the same. About 8 lines. Explained in [section s6](../../lectures/02_lstm.ipynb#s6).
#
# *Hint:* the number of units is `recurrent_kernel.shape[0]`. `ops.stack(…, axis=1)` puts the outputs of all steps into one array.

# %% nbgrader={"grade": false, "grade_id": "q6-given", "locked": true, "schema_version": 3, "solution": false, "task": false}
def given_lstm_step(x, h, c, kernel, recurrent_kernel, bias):
    """Given: one step of an LSTM, as in question 5. Returns the new h and the new c."""
    return layers.lstm_step(x, h, c, kernel, recurrent_kernel, bias)

# %% nbgrader={"grade": false, "grade_id": "q6-run", "locked": false, "schema_version": 3, "solution": true, "task": false}
def run_lstm(inputs, weights):
    """An LSTM over a batch of sentences.

    inputs: (batch, time, features)
    weights: the list [kernel, recurrent_kernel, bias] of question 5
    returns: h after each step, (batch, time, units)
    """
    ### BEGIN SOLUTION
    kernel, recurrent_kernel, bias = weights
    h = c = ops.zeros((inputs.shape[0], recurrent_kernel.shape[0]))
    states = []
    for t in range(inputs.shape[1]):
        h, c = given_lstm_step(inputs[:, t], h, c, kernel, recurrent_kernel, bias)
        states.append(h)
    return ops.stack(states, axis=1)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q6-run-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.equals_keras_layer(run_lstm, "LSTM", given=("lstm_step",))
### BEGIN HIDDEN TESTS
checks.equals_keras_layer(run_lstm, "LSTM", given=("lstm_step",), seed=300)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 7. One step of a GRU (2 points)
#
# A GRU has one state and two gates: the update gate $z$ and the reset gate $r$. The reset gate decides how much of the old state the candidate $g$ sees. This is Keras's form (`reset_after=True`):
#
# $$z = \sigma(x W_z + b_z + h U_z + b'_z) \qquad r = \sigma(x W_r + b_r + h U_r + b'_r)$$
#
# $$g = \tanh\big(x W_g + b_g + r \odot (h U_g + b'_g)\big) \qquad h' = z \odot h + (1 - z) \odot g$$
#
# Note three things: here $z$ *keeps the old state* (in question 2 the gate let the input in). There are **two** biases, $b$ for the input's part and $b'$ for the state's part. And $r$ is multiplied *after* the product $h U_g + b'_g$.
#
# The blocks stand in the order **z, r, g**: `kernel` is (features, 3 units), `recurrent_kernel` is (units, 3 units), and `bias` is (2, 3 units): `bias[0]` is $b$ and `bias[1]` is $b'$. About 7 lines. Explained in [section s6](../../lectures/02_lstm.ipynb#s6).

# %% nbgrader={"grade": false, "grade_id": "q7-gru", "locked": false, "schema_version": 3, "solution": true, "task": false}
def gru_step(x, h, kernel, recurrent_kernel, bias):
    """One step of a GRU.

    x: (batch, features), h: (batch, units)
    kernel: (features, 3 * units), recurrent_kernel: (units, 3 * units), bias: (2, 3 * units)
    returns: the new h, (batch, units)
    """
    ### BEGIN SOLUTION
    x_z, x_r, x_g = ops.split(ops.matmul(x, kernel) + bias[0], 3, axis=-1)
    h_z, h_r, h_g = ops.split(ops.matmul(h, recurrent_kernel) + bias[1], 3, axis=-1)
    z = ops.sigmoid(x_z + h_z)
    r = ops.sigmoid(x_r + h_r)
    g = ops.tanh(x_g + r * h_g)
    return z * h + (1 - z) * g
    ### END SOLUTION

# %% nbgrader={"grade": false, "grade_id": "q7-given", "locked": true, "schema_version": 3, "solution": false, "task": false}
def run_gru(inputs, weights):
    """Given: your step over a batch of sentences. Returns h after each step, (batch, time, units)."""
    h = np.zeros((len(inputs), np.shape(weights[1])[0]), "float32")
    states = []
    for t in range(np.shape(inputs)[1]):
        h = np.asarray(gru_step(inputs[:, t], h, *weights), "float32")
        states.append(h)
    return np.stack(states, axis=1)

# %% nbgrader={"grade": true, "grade_id": "q7-gru-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.gru_step(gru_step)
### BEGIN HIDDEN TESTS
checks.gru_step(gru_step, seed=100)
checks.equals_keras_layer(run_gru, "GRU", seed=200)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 8. From one notation to another (2 points)
#
# Textbooks write the same LSTM in different ways. The forget gate and the candidate, for example:
#
# | | here and in Keras | Jurafsky and Martin | Goldberg | Eisenstein |
# | --- | --- | --- | --- | --- |
# | forget gate | $\sigma(x W_f + h U_f + b_f)$ | $\sigma(U_f h_{t-1} + W_f x_t)$ | $\sigma(x_j W^{xf} + h_{j-1} W^{hf})$ | $\sigma(\Theta^{(h \to f)} h_m + \Theta^{(x \to f)} x_{m+1} + b_f)$ |
# | candidate | $g$ | $g_t$ | $z$ | $\tilde{c}_{m+1}$ |
# | vectors are | rows | columns | rows | columns |
# | weights | side by side, in the order i, f, g, o | one matrix for each gate | one matrix for each gate | one matrix for each gate |
#
# The order of the terms does not matter, and some leave out the biases to save space. But a matrix that multiplies a *column* from the left is the transpose of one that multiplies a *row* from the right: $W_f x$ there is $x W_f^\top$ here.
#
# Somebody has trained an LSTM in the second form, with biases: $f = \sigma(U_f h + W_f x + b_f)$, and $i$, $o$ and $g$ likewise. Turn the weights into those of Keras. You get three dictionaries with the keys `"f"`, `"i"`, `"o"` and `"g"`. About 4 lines. Explained in [section s6](../../lectures/02_lstm.ipynb#s6).

# %% nbgrader={"grade": false, "grade_id": "q8-notation", "locked": false, "schema_version": 3, "solution": true, "task": false}
def keras_weights(W, U, b):
    """Weights of a textbook's LSTM, as keras.layers.LSTM keeps them.

    W: a dictionary of matrices (units, features), U: of matrices (units, units),
    b: of vectors (units,); all with the keys "f", "i", "o", "g"
    returns: kernel (features, 4 * units), recurrent_kernel (units, 4 * units), bias (4 * units,)
    """
    ### BEGIN SOLUTION
    order = ["i", "f", "g", "o"]
    kernel = np.concatenate([W[gate].T for gate in order], axis=1)
    recurrent_kernel = np.concatenate([U[gate].T for gate in order], axis=1)
    return kernel, recurrent_kernel, np.concatenate([b[gate] for gate in order])
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q8-notation-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.keras_weights(keras_weights)
### BEGIN HIDDEN TESTS
checks.keras_weights(keras_weights, seed=100)
checks.keras_weights(keras_weights, seed=200)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 9. The other update gate (1 point)
#
# Two papers of 2014 about the GRU have two forms of its last formula, and books follow the one or the other:
#
# $$h' = z \odot h + (1 - z) \odot g \qquad\text{(Cho and others, Keras, PyTorch)}$$
#
# $$h' = (1 - z) \odot h + z \odot g \qquad\text{(Chung and others)}$$
#
# Both learn the same, but the weights of the one are wrong for the other. You get the weights of a GRU in the *second* form; all else is as in question 7. Change them so that Keras's GRU (the first form) computes the same. Do not change the arrays that you get; return new ones. About 5 lines.
#
# *Hint:* $1 - \sigma(a) = \sigma(-a)$. Copy an array before you write into it: `np.array(kernel)` makes a copy.

# %% nbgrader={"grade": false, "grade_id": "q9-update", "locked": false, "schema_version": 3, "solution": true, "task": false}
def turned_update_gate(kernel, recurrent_kernel, bias):
    """Weights of a GRU whose z lets the candidate in, for one whose z keeps the old state.

    kernel (features, 3 * units), recurrent_kernel (units, 3 * units), bias (2, 3 * units),
    in blocks z, r, g; returns the three new arrays, of the same shapes
    """
    ### BEGIN SOLUTION
    units = recurrent_kernel.shape[0]
    sign = np.repeat([-1.0, 1.0, 1.0], units)  # (3 * units,)
    return kernel * sign, recurrent_kernel * sign, bias * sign
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q9-update-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.turned_update_gate(turned_update_gate)
### BEGIN HIDDEN TESTS
checks.turned_update_gate(turned_update_gate, seed=100)
checks.turned_update_gate(turned_update_gate, seed=200)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 10. How many weights? (1 point)
#
# How many numbers does a recurrent layer of Keras learn? Count kernel, recurrent kernel and biases of all blocks. `"Elman"` is `keras.layers.SimpleRNN`, $h' = \tanh(x W + h U + b)$. The GRU is that of question 7. Compute the number; do not build the layer. About 6 lines.

# %% nbgrader={"grade": false, "grade_id": "q10-count", "locked": false, "schema_version": 3, "solution": true, "task": false}
def weights_count(kind, features, units):
    """kind: "Elman", "LSTM" or "GRU"; features: size of an input; units: size of a state;
    returns how many numbers the layer learns"""
    ### BEGIN SOLUTION
    blocks = {"Elman": 1, "LSTM": 4, "GRU": 3}[kind]
    biases = 2 if kind == "GRU" else 1
    return blocks * units * (features + units + biases)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q10-count-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.weights_count(weights_count)
### BEGIN HIDDEN TESTS
checks.weights_count(weights_count, seed=1)
checks.weights_count(weights_count, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 3. What a forget gate keeps
#
# ## Question 11. The forget bias (1 point)
#
# Before training, weights are small, so that a forget gate is about $\sigma(b_f)$. Keras begins with $b_f = 1$ and with 0 for the other gates. To begin with another $b_f$, change the bias of an LSTM: set the block of the forget gate to `value`, and leave the other blocks as they are. Do not change the array that you get; return a new one. About 4 lines. Explained in [section s7](../../lectures/02_lstm.ipynb#s7).

# %% nbgrader={"grade": false, "grade_id": "q11-bias", "locked": false, "schema_version": 3, "solution": true, "task": false}
def forget_bias(bias, value):
    """bias (4 * units,) in the blocks i, f, g, o; value: a number; returns the new bias (4 * units,)"""
    ### BEGIN SOLUTION
    units = len(bias) // 4
    new_bias = np.array(bias)
    new_bias[units : 2 * units] = value
    return new_bias
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q11-bias-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.forget_bias(forget_bias)
### BEGIN HIDDEN TESTS
checks.forget_bias(forget_bias, seed=10)
checks.forget_bias(forget_bias, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 12. The memory's own way (1 point)
#
# In a simple net, a gradient on its way back is multiplied by a matrix and by the slope of tanh at each step. The memory of an LSTM has a way of its own, $c_t = f_t \odot c_{t-1} + i_t \odot g_t$, with nothing but the forget gates on it. If the gates stay as they are, a change in $c_t$ arrives in $c_N$ multiplied by all forget gates between them, for each unit alone:
#
# $$\frac{\partial c_N}{\partial c_t} = \prod_{k=t+1}^{N} f_k = f_{t+1} \odot f_{t+2} \odot \dots \odot f_N$$
#
# For $t = N$ there is no gate between them: the product is 1. Write it for all $t$. About 5 lines. Explained in [section s7](../../lectures/02_lstm.ipynb#s7).
#
# *Hint:* go from the last step to the first. Or look at `np.cumprod`.

# %% nbgrader={"grade": false, "grade_id": "q12-memory", "locked": false, "schema_version": 3, "solution": true, "task": false}
def memory_gradients(forget_gates):
    """forget_gates (time, units): f of the steps 1 to N;
    returns (time, units): the product of the gates after each step, ones in the last row"""
    ### BEGIN SOLUTION
    rows = [np.ones_like(forget_gates[0])]
    for gate in forget_gates[:0:-1]:  # from the last step to the second
        rows.append(rows[-1] * gate)
    return np.stack(rows[::-1])
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q12-memory-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.memory_gradients(memory_gradients)
### BEGIN HIDDEN TESTS
checks.memory_gradients(memory_gradients, seed=100)
checks.memory_gradients(memory_gradients, seed=200)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 13. The half-life of a memory (1 point)
#
# Let the forget gate be $\sigma(b)$ at each step. After $n$ steps, $\sigma(b)^n$ of a memory is left. For which $n$ is this one half? Return $n$ as a number that need not be whole. About 2 lines.
#
# *Hint:* take the logarithm of both sides of $\sigma(b)^n = \frac{1}{2}$.

# %% nbgrader={"grade": false, "grade_id": "q13-half", "locked": false, "schema_version": 3, "solution": true, "task": false}
def half_life(bias):
    """bias: a number b; returns after how many steps half of a memory is left"""
    ### BEGIN SOLUTION
    gate = 1 / (1 + np.exp(-bias))
    return np.log(0.5) / np.log(gate)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q13-half-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.half_life(half_life)
### BEGIN HIDDEN TESTS
checks.half_life(half_life, seed=1)
checks.half_life(half_life, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# The next cell prints what your function says about four biases. Keras's default is 1.

# %% nbgrader={"grade": false, "grade_id": "half-life-table", "locked": true, "schema_version": 3, "solution": false, "task": false}
try:
    for number in (0, 1, 3, 5):
        print(f"forget bias {number}: half of the memory is left after {half_life(float(number)):.1f} steps")
except Exception as problem:
    print("Not yet. Write half_life in question 13 first:", type(problem).__name__, problem)

# %% [markdown]
# ### The gradient, measured
#
# Your product holds the gates fixed. In a real LSTM, a change in $c_t$ also changes $h_t$, and so all gates of the steps after it. The next cell measures the whole gradient, through all ways: the norm of $\partial\, \mathrm{cost}_N / \partial c_t$ for LSTMs that have not been trained yet, with four forget biases, and beside them the norm of $\partial\, \mathrm{cost}_N / \partial h_t$ for a simple net (Elman). The cost is a random direction of $h_N$; the inputs are random, of standard deviation 1. The upper panel begins with an orthogonal $U$, as Keras does, the lower one with normal random numbers. Each curve is the median of three nets. A cross at the lower edge marks a number that is too small for the computer to tell it from 0. See [section s7](../../lectures/02_lstm.ipynb#s7).

# %% nbgrader={"grade": false, "grade_id": "gradient-figure", "locked": true, "schema_version": 3, "solution": false, "task": false}
STEPS = 30 if FAST else 100
RECURRENCES = {
    "U orthogonal": lambda: keras.initializers.Orthogonal(),
    "U Gaussian": lambda: keras.initializers.RandomNormal(stddev=64**-0.5),
}


def norms_by_distance(cell, recurrence, state=0, **settings):
    """Points (distance, norms of all seeds) for nets as they begin; state 1 is the memory c."""
    norms = []
    for seed in (0,) if FAST else (0, 1, 2):
        keras.utils.set_random_seed(seed)
        start = RECURRENCES[recurrence]()
        layer = layers.Recurrence(layers.make_cell(cell, 64, recurrent_initializer=start, **settings))
        inputs = np.random.default_rng(seed).normal(size=(4, STEPS + 1, 32)).astype("float32")
        found = models.gradient_by_distance(layer, inputs, seed=seed, state=state)
        norms.append(np.median(found, axis=0))  # over the sentences
    return [(d, [float(each[d]) for each in norms]) for d in range(1, STEPS + 1)]


gradients = {
    recurrence: {
        f"LSTM, forget bias {number}": norms_by_distance("lstm", recurrence, 1, forget_bias=number)
        for number in (0, 1, 3, 5)
    }
    | {"Elman": norms_by_distance("elman", recurrence)}
    for recurrence in RECURRENCES
}
plots.curves(gradients, "distance (steps)", "norm of the gradient", log_y=True)

# %% [markdown]
# ## Part 4. A long wait
#
# ## Question 14. Copy after 100 steps (1 point)
#
# The first symbol of a sequence is one of eight; then come blanks. After WAIT steps the net must say the symbol. `train_copier` in the next cell is given. It puts a cell into a model and trains it on all eight sequences. It stops when all are right, or after 400 updates.

# %% nbgrader={"grade": false, "grade_id": "copy-given", "locked": true, "schema_version": 3, "solution": false, "task": false}
WAIT = 59 if FAST else 99  # blanks, the last of which says "now"
copy_data = data.copying(1, delay=WAIT, length=1, symbols=8)
copy_symbols = np.arange(1, 9)  # ids of the eight symbols
copy_ids = np.repeat(copy_data.inputs, 8, axis=0)  # (8, WAIT + 2)
copy_ids[:, 0] = copy_symbols


def train_copier(cell):
    """Given: a model with this cell, trained on the copy task. Returns scores of the last step."""
    keras.utils.set_random_seed(2)
    ids = keras.Input((None,), dtype="int32")
    start = keras.initializers.RandomNormal(stddev=1.0)
    vectors = keras.layers.Embedding(copy_data.vocabulary_size, 32, start)(ids)
    _, (last, *_) = layers.Recurrence(cell)(vectors)
    model = keras.Model(ids, keras.layers.Dense(copy_data.vocabulary_size)(last))
    model.compile(
        optimizer=keras.optimizers.Adam(0.005, global_clipnorm=1.0),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    updates, right = 0, 0.0
    while right < 1.0 and updates < (250 if FAST else 400):
        inputs, targets = np.tile(copy_ids, (50, 1)), np.tile(copy_symbols, 50)
        history = model.fit(inputs, targets, batch_size=8, shuffle=False, verbose=0).history
        right, updates = history["accuracy"][-1], updates + 50
    print(f"{updates} updates, accuracy {right:.2f}")
    return model


print("ids", copy_ids.shape, " symbols", copy_symbols)
print(copy_ids[2, :5], "... ", copy_ids[2, -3:])

# %% [markdown]
# Call `train_copier` with a cell that learns it, and call the model `copier`. Use `layers.LSTMCell(64, forget_bias=…)`. Choose the forget bias by your `half_life`, such that at least half of a memory is left after the wait. (If `half_life` is not ready, solve $\sigma(b)^{100} \ge \frac{1}{2}$ by hand.) The training takes about a quarter of a minute. About 1 line.

# %% nbgrader={"grade": false, "grade_id": "q14-copier", "locked": false, "schema_version": 3, "solution": true, "task": false}
### BEGIN SOLUTION
copier = train_copier(layers.LSTMCell(64, forget_bias=6.0))
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q14-copier-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.predicts(copier, copy_ids, copy_symbols, at_least=0.6, what="copier")
checks.forget_bias_lasts(copier, WAIT, what="copier")

# %% [markdown]
# ### What several nets learn
#
# One training shows what can happen once. The next cell trains many small nets at once, each from three seeds: simple nets (Elman) and LSTMs with four forget biases, with orthogonal and with normal random $U$. They must copy a symbol over 50 steps. The upper panel begins with small embeddings, as Keras makes them, the lower one with embeddings of standard deviation 1. A band reaches from the worst to the best of the three seeds. A simple net has no forget gate, so its line is level. This takes half a minute to a minute.

# %% nbgrader={"grade": false, "grade_id": "copy-figure", "locked": true, "schema_version": 3, "solution": false, "task": false}
copies = experiments.copying_together(seeds=(0,) if FAST else (0, 1, 2))
plots.curves(
    copies.series(), "forget bias", "accuracy", chance=copies.chance, y_limits=(-0.03, 1.03)
)

# %% [markdown]
# ## Question 15. What may be claimed (1 point)
#
# Answer in three to five sentences, with numbers from your own figures: **(a)** What does a larger forget bias do to the gradient of the memory over the longest distance? Compare the measured norms for the biases 1 and 5 with what $\sigma(b)^n$ says. **(b)** "An LSTM remembers, a simple net forgets." Where does the figure of the copy task support this, where does it not, and what decides?

# %% [markdown] nbgrader={"grade": true, "grade_id": "q15-claims", "locked": false, "points": 1, "schema_version": 3, "solution": true, "task": false}
# ### BEGIN SOLUTION
# **(a)** With the biases 0 and 1 the gradient vanishes, as it does in a simple net: at distance 100 it is below $10^{-4}$. With 3 and 5 it stays between about 0.1 and 10. $\sigma(1)^{100}$ is about $10^{-14}$ and $\sigma(5)^{100}$ is 0.51; the measured norms are larger, because the gradient also comes through $h$ and the gates, and these ways add to the memory's own. **(b)** With embeddings of standard deviation 1 it holds for large forget biases: LSTMs with 5 learn the task from every seed, simple nets from none. With Keras's own start it does not hold: in our figure, simple nets with an orthogonal $U$ learn it there from every seed (with a Gaussian $U$ from some), and LSTMs with the biases 0 and 1 (1 is Keras's default) from none. So it is not the kind of net that decides, but how it begins: whether the gradient, forward and back, survives the wait (the forget bias of the LSTM; for the simple net an orthogonal or well scaled $U$ and small inputs, where tanh has slope 1).
#
# *Marking guide.* Half a point for (a): small biases vanish and large ones do not, with numbers of the student's figure, and that the measured norm is larger than the product because there are other ways. Half a point for (b): names a case for and a case against, and says that the beginning decides (forget bias, embeddings or $U$), not the kind of net alone.
# ### END SOLUTION

# %% [markdown]
# ## Part 5. Your LSTM reads a program
#
# A real text to end with. When an editor colours a program, it must know at each character if it stands inside quotation marks, which may have been opened long before. The next cell trains `keras.layers.LSTM` on program text from Python's own library to tell this. It gives no points.

# %% nbgrader={"grade": false, "grade_id": "program-train", "locked": true, "schema_version": 3, "solution": false, "task": false}
PIECE = 50  # characters that the net reads in one piece in training
program = data.program_text("train", longest=20_000 if FAST else 200_000)
symbols = text.Vocabulary.from_texts([program.text])


def pieces(values):
    """An array with one value for each character, cut into pieces: (pieces, PIECE)."""
    count = len(values) // PIECE
    return np.asarray(values)[: count * PIECE].reshape(count, PIECE)


keras.utils.set_random_seed(2)
reader = keras.Sequential(
    [
        keras.Input((None,), dtype="int32"),
        keras.layers.Embedding(len(symbols), 24),
        keras.layers.LSTM(32, return_sequences=True),
        keras.layers.Dense(1),
    ]
)
reader.compile(
    optimizer=keras.optimizers.Adam(0.005),
    loss=keras.losses.BinaryCrossentropy(from_logits=True),
)
reader.fit(
    pieces(symbols.encode([program.text])[0][0]),
    pieces(program.inside_quotes)[..., None],
    batch_size=64,
    epochs=1 if FAST else 3,
    verbose=0,
    callbacks=[plots.TrainingCurve("Inside quotes")],
);

# %% [markdown]
# Now *your* `run_lstm` gets the weights of that layer and reads a part of a program that the net has not seen. Orange (and underlined) is where it says "inside", purple where it says "outside".

# %% nbgrader={"grade": false, "grade_id": "program-read", "locked": true, "schema_version": 3, "solution": false, "task": false}
new_program = data.program_text("test")
begin = max(0, new_program.text.find("def main()"))
shown = "\n".join(new_program.text[begin:].split("\n")[: 6 if FAST else 20])


def read_with_your_lstm(string):
    """How sure your LSTM is that each character stands in quotes: from -1 (outside) to 1 (inside)."""
    embedding, lstm, dense = reader.layers
    vectors = embedding(symbols.encode([string])[0])
    states = run_lstm(vectors, lstm.get_weights())
    difference = np.abs(np.asarray(states) - np.asarray(lstm(vectors))).max()
    print(f"largest difference between your LSTM and Keras's: {difference:.1e}")
    return 2 * np.asarray(ops.sigmoid(dense(ops.cast(states, "float32"))))[0, :, 0] - 1


try:
    sure = read_with_your_lstm(shown)
    inside = new_program.inside_quotes[begin : begin + len(shown)]
    print(f"characters told right: {np.mean((sure > 0) == inside):.2f}")
    print(f"a reader that always says 'outside': {np.mean(~inside):.2f}")
    display(plots.coloured_text(shown, sure, "inside quotes?"))
except Exception as problem:
    print("Not yet. Write run_lstm in question 6 first:", type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## That is all
#
# Before you hand in: *Kernel → Restart Kernel and Run All Cells*, and look through your answers once more. Then press *Validate*.
