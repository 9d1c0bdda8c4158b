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
# # Exercise 1: recurrent networks
#
# A recurrent network reads a text one step at a time and keeps a state. In this exercise you build one from nothing but matrix products, train it with gradients that you compute by hand, and measure what it can and cannot do. At the end, your own functions learn to predict program text.
#
# **You write** the Elman step in two notations, the loop over time, the three uses of a recurrent network, back-propagation through time, its truncated form, clipping, and some measurements. **You are given** the data, the figures and a few functions from the package `rnnkit`. Each question stands alone: if you get stuck in one, go on with the next.
#
# **How it works.** Write your code where it says `YOUR CODE HERE`, and delete the line `raise NotImplementedError()`. The cell below your answer tests it. When a test fails, its last lines say what came out, what was expected, and often which slip gives exactly this. There are also hidden tests; they use other shapes and other numbers. Where you are asked to write a thing, do not call the ready-made one from Keras or `rnnkit`: the tests notice it. Operations of NumPy, `keras.ops` and TensorFlow are free to use. NumPy is enough for all questions.
#
# 20 points; about 110 minutes. The lecture is [lectures/01_rnn](../../lectures/01_rnn.ipynb).
#
# | symbol | in the code | shape | what it is |
# | --- | --- | --- | --- |
# | $x_t$ | `x`, `inputs[:, t]` | (batch, features) | the input of step $t$ |
# | $h_t$ | `h`, `states[:, t]` | (batch, units) | the state *after* step $t$ (some texts call it $s_t$) |
# | $W$, $U$, $b$ | `W`, `U`, `b` | (features, units), (units, units), (units,) | the weights of the step |
# | $V$, $c$ | `V`, `c` | (units, labels), (labels,) | the weights of the output layer |
# | | `first` | (batch, units) | the state before the first step |
# | | `mask` | (batch, time) | boolean: True for a real word, False for padding |
#
# Formulas count steps from 1, Python from 0: $h_1$ is `states[:, 0]`.

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
keras.utils.set_random_seed(1)
tf.get_logger().setLevel("ERROR")  # no notes about each new graph
print("Keras", keras.__version__, "- running in the", "short" if FAST else "full", "setting")

# %% [markdown]
# ## Part 1. One step
#
# ## Question 1. The Elman step (1 point)
#
# A recurrent network is one function $R$ that is used again at each step: it takes the old state and the new input, and gives the new state, $h_t = R(h_{t-1}, x_t)$. In the simple recurrent network, named after Jeffrey Elman, this is
#
# $$h_t = \tanh(x_t W + h_{t-1} U + b)$$
#
# where $x_t$ and $h_{t-1}$ are rows, so that a whole batch is one product. About 1 line. Explained in [section s2](../../lectures/01_rnn.ipynb#s2).

# %% nbgrader={"grade": false, "grade_id": "q1-step", "locked": false, "schema_version": 3, "solution": true, "task": false}
def elman_step(x, h, W, U, b):
    """x (batch, features), h (batch, units), W (features, units), U (units, units), b (units,);
    returns the new state (batch, units)"""
    ### BEGIN SOLUTION
    return np.tanh(x @ W + h @ U + b)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q1-step-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.elman_step(elman_step)
### BEGIN HIDDEN TESTS
checks.elman_step(elman_step, seed=10)
checks.elman_step(elman_step, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 2. The other notation (1 point)
#
# Many texts write vectors as columns, and join the two weight matrices:
#
# $$h_t = \tanh\left(M \begin{bmatrix} x_t \\ h_{t-1} \end{bmatrix} + b\right)$$
#
# Here $x_t$ and $h_{t-1}$ are columns, and the input stands above the old state. Find the matrix $M$, of shape (units, features + units), that gives the same network as your $W$ and $U$. About 1 line. Explained in [section s2](../../lectures/01_rnn.ipynb#s2).
#
# *Hint:* $(xW)^\top = W^\top x^\top$.

# %% nbgrader={"grade": false, "grade_id": "q2-joined", "locked": false, "schema_version": 3, "solution": true, "task": false}
def joined_weights(W, U):
    """W (features, units), U (units, units); returns M (units, features + units)"""
    ### BEGIN SOLUTION
    return np.concatenate([W.T, U.T], axis=1)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q2-joined-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.joined_weights(joined_weights)
### BEGIN HIDDEN TESTS
checks.joined_weights(joined_weights, seed=10)
checks.joined_weights(joined_weights, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 2. Over time
#
# ## Question 3. The loop (2 points)
#
# Write the loop that runs *any* step function over a sequence. It does not know what the step computes: `step(x, h)` takes the input of one step, (batch, features), and the old state, and returns the new state. Return all states and the last one. About 6 lines. Explained in [section s1](../../lectures/01_rnn.ipynb#s1).
#
# *Hint:* collect the states in a list, and use `np.stack(..., axis=1)` at the end.

# %% nbgrader={"grade": false, "grade_id": "q3-unroll", "locked": false, "schema_version": 3, "solution": true, "task": false}
def unroll(step, inputs, first):
    """Run a step over time.

    step: a function: new_state = step(x, h), with x (batch, features) and h (batch, units)
    inputs: (batch, time, features), first: (batch, units), the state before the first step
    returns: states (batch, time, units), the state after each step, and last (batch, units)
    """
    ### BEGIN SOLUTION
    h, states = first, []
    for t in range(inputs.shape[1]):
        h = step(inputs[:, t], h)
        states.append(h)
    return np.stack(states, axis=1), h
    ### END SOLUTION

# %% [markdown]
# The first line of the test runs your loop with an Elman step. The rest changes one input after the other, and looks whether each state depends on all inputs up to its own step, and on none after it.

# %% nbgrader={"grade": true, "grade_id": "q3-unroll-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.recurrence(unroll, with_step=True)
checks.prefix_only(
    lambda inputs: unroll(lambda x, h: np.cos(x + h), inputs, np.zeros((2, 3), "float32"))[0]
)
### BEGIN HIDDEN TESTS
checks.recurrence(unroll, with_step=True, seed=10)
checks.recurrence(unroll, with_step=True, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 4. The same as in Keras (1 point)
#
# Keras has this network as `keras.layers.SimpleRNN`. It keeps its weights in a list: $W$, $U$, $b$, in this order, and its state before the first step is zeros. Write a function that gives the same states from the same weights. You can call your `elman_step` and your `unroll`, or write it anew in one piece. About 4 lines. Explained in [section s2](../../lectures/01_rnn.ipynb#s2).

# %% nbgrader={"grade": false, "grade_id": "q4-keras", "locked": false, "schema_version": 3, "solution": true, "task": false}
def simple_rnn(inputs, weights):
    """inputs (batch, time, features), weights: the list W, U, b;
    returns all states (batch, time, units)"""
    ### BEGIN SOLUTION
    W, U, b = weights
    first = np.zeros((len(inputs), len(U)), dtype="float32")
    states, _ = unroll(lambda x, h: elman_step(x, h, W, U, b), inputs, first)
    return states
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q4-keras-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.equals_keras_layer(simple_rnn, "SimpleRNN")
### BEGIN HIDDEN TESTS
checks.equals_keras_layer(simple_rnn, "SimpleRNN", seed=10)
checks.prefix_only(
    lambda inputs: simple_rnn(
        inputs, [np.eye(3, dtype="float32"), 0.5 * np.eye(3, dtype="float32"), np.zeros(3, "float32")]
    )
)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 5. One network, three uses (2 points)
#
# The loop gives a state after each step. What we take from the states makes the use:
#
# - an **encoder** gives the last state of each sentence to another network,
# - an **acceptor** makes one decision for each sentence, from its last state,
# - a **transducer** gives an output at each step.

# %% nbgrader={"grade": false, "grade_id": "uses-figures", "locked": true, "schema_version": 3, "solution": false, "task": false}
display(plots.network("encoder", ["the", "bank", "closed"], title="encoder"))
display(plots.network("acceptor", ["the", "bank", "closed"], ["true"], title="acceptor"))
display(
    plots.network("transducer", ["the", "bank", "closed"], ["DET", "NOUN", "VERB"], title="transducer")
)

# %% [markdown]
# Write the three functions. The output layer is $O(h) = hV + c$; return its logits, without a softmax. The shorter sentences of a batch are padded on the right, and the loop ran over the padding too: the last state of a sentence is the one after its last *real* word. Each sentence has at least one. About 1 or 2 lines each. Explained in [section s1](../../lectures/01_rnn.ipynb#s1).
#
# *Hint:* `states[np.arange(batch), places]` takes one place of each row.

# %% nbgrader={"grade": false, "grade_id": "q5-uses", "locked": false, "schema_version": 3, "solution": true, "task": false}
def encoder(states, mask):
    """states (batch, time, units), mask (batch, time); returns (batch, units)"""
    ### BEGIN SOLUTION
    return states[np.arange(len(states)), mask.sum(axis=1) - 1]
    ### END SOLUTION


def acceptor(states, mask, V, c):
    """states (batch, time, units), mask (batch, time), V (units, labels), c (labels,);
    returns logits (batch, labels)"""
    ### BEGIN SOLUTION
    return states[np.arange(len(states)), mask.sum(axis=1) - 1] @ V + c
    ### END SOLUTION


def transducer(states, V, c):
    """states (batch, time, units), V (units, labels), c (labels,);
    returns logits (batch, time, labels)"""
    ### BEGIN SOLUTION
    return states @ V + c
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q5-uses-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.used_as(encoder, "encoder")
checks.used_as(acceptor, "acceptor")
checks.used_as(transducer, "transducer")
### BEGIN HIDDEN TESTS
for seed in (10, 20):
    checks.used_as(encoder, "encoder", seed=seed)
    checks.used_as(acceptor, "acceptor", seed=seed)
    checks.used_as(transducer, "transducer", seed=seed)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 6. What does an output depend on? (2 points)
#
# You can find out what a network looks at without reading its code: change one input, and see which outputs move. Do this for each step $j$. About 7 lines. Explained in [section s1](../../lectures/01_rnn.ipynb#s1).
#
# - `network` is a function of inputs (batch, time, features); it returns outputs (batch, time, units). Both are NumPy arrays.
# - An output counts as changed if one number of it changes, however little, in any sentence of the batch.
# - To change the input of a step, add a number such as 1 to it. (To multiply it changes nothing where it is 0.)
#
# *Hint:* `outputs != before` compares number by number; `.any(axis=(0, 2))` looks over the batch and the units.

# %% nbgrader={"grade": false, "grade_id": "q6-influence", "locked": false, "schema_version": 3, "solution": true, "task": false}
def influence(network, inputs):
    """network: a function; inputs (batch, time, features);
    returns booleans (time, time): row j, column i is True if output i changes with input j"""
    ### BEGIN SOLUTION
    before = network(inputs)
    rows = []
    for j in range(inputs.shape[1]):
        changed = inputs.copy()
        changed[:, j] += 1
        rows.append((network(changed) != before).any(axis=(0, 2)))
    return np.stack(rows)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q6-influence-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.influence(influence)
### BEGIN HIDDEN TESTS
checks.influence(influence, seed=10)
checks.influence(influence, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# The next cell asks your function about three networks. An `X` in row $j$, column $i$ says that output $i$ depends on input $j$. Which of the three could predict the next word without seeing it before?

# %% nbgrader={"grade": false, "grade_id": "influence-show", "locked": true, "schema_version": 3, "solution": false, "task": false}
def show_influence(name, layer, words):
    """Print which output depends on which input."""
    inputs = np.random.default_rng(1).normal(size=(2, len(words), 4)).astype("float32")
    print(name)
    rows = influence(lambda inputs: ops.convert_to_numpy(layer(inputs)), inputs)
    for word, row in zip(words, np.asarray(rows)):
        print(f"{word:>8}", " ".join("X" if moves else "." for moves in row))


elman = layers.Recurrence(layers.ElmanCell(8))
both_directions = keras.layers.Bidirectional(keras.layers.SimpleRNN(8, return_sequences=True))
no_state = keras.layers.Dense(8, activation="tanh")
try:
    words = ["the", "bank", "of", "the", "river"]
    show_influence("An Elman network", lambda inputs: elman(inputs)[0], words)
    show_influence("One that reads in both directions", both_directions, words)
    show_influence("A layer without a state", no_state, words)
except Exception as problem:
    print("Not yet. It needs your function influence:", type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## Part 3. Back-propagation through time
#
# To train the network, we need the gradient of the loss with respect to each weight. The weights are the same at each step, so the gradients of all steps are added up. And a state acts in two ways, on the output of its own step and on the next state, so two gradients arrive at it.
#
# ## Question 7. The way back, by hand (3 points)
#
# The network is a transducer with a label at each step. The way forward is given; it computes
#
# $$h_t = \tanh(x_t W + h_{t-1} U + b) \qquad o_t = h_t V + c \qquad
# L = -\frac{1}{N}\sum_{\text{sentences}}\ \sum_t \log \mathrm{softmax}(o_t)[\text{label}_t]$$
#
# with $N$ = batch times time, and also the gradient with respect to the logits $o_t$, which you may know from other networks:
#
# $$\frac{\partial L}{\partial o_t} = \frac{1}{N} \bigl(\mathrm{softmax}(o_t) - \mathrm{onehot}(\text{label}_t)\bigr)$$
#
# From there, go back from the last step to the first. Let $a_t$ be what stands inside the tanh, so that $h_t = \tanh(a_t)$:
#
# $$\frac{\partial L}{\partial h_t} = \frac{\partial L}{\partial o_t} V^\top + \frac{\partial L}{\partial a_{t+1}} U^\top
# \qquad
# \frac{\partial L}{\partial a_t} = \frac{\partial L}{\partial h_t} \odot (1 - h_t \odot h_t)$$
#
# After the last step there is no $a_{t+1}$: its part is 0. At each step add
#
# | to the gradient of | this |
# | --- | --- |
# | $V$ | $h_t^\top\ \partial L / \partial o_t$ |
# | $c$ | $\partial L / \partial o_t$, summed over the batch |
# | $W$ | $x_t^\top\ \partial L / \partial a_t$ |
# | $U$ | $h_{t-1}^\top\ \partial L / \partial a_t$ |
# | $b$ | $\partial L / \partial a_t$, summed over the batch |
#
# Before step 1 comes the state `first`, which need not be zeros. About 14 lines, without a gradient tape. Explained in [section s4](../../lectures/01_rnn.ipynb#s4). The first test looks at $V$ and $c$, where time plays no part (1 point), the second at $W$, $U$ and $b$ (2 points).

# %% nbgrader={"grade": false, "grade_id": "q7-given", "locked": true, "schema_version": 3, "solution": false, "task": false}
def forward(inputs, labels, params, first):
    """Given: the way forward.

    inputs (batch, time, features), labels (batch, time), first (batch, units),
    params: a dictionary with "W", "U", "b", "V" and "c"
    returns: loss (one number), states (batch, time, units),
        d_logits (batch, time, labels), the gradient with respect to the logits
    """
    return models.elman_forward(inputs, labels, params, first)


def autodiff(inputs, labels, params, first):
    """Given: the gradients by TensorFlow's automatic differentiation.

    returns: a dictionary with the gradient of each weight, and the last state (batch, units)
    """
    return models.elman_gradients(inputs, labels, params, first)

# %% nbgrader={"grade": false, "grade_id": "q7-bptt", "locked": false, "schema_version": 3, "solution": true, "task": false}
def bptt(inputs, labels, params, first):
    """Back-propagation through time. The arguments are those of forward.

    returns: a dictionary with the gradients of "W", "U", "b", "V" and "c"
    """
    ### BEGIN SOLUTION
    _, states, d_logits = forward(inputs, labels, params, first)
    gradients = {name: np.zeros_like(value) for name, value in params.items()}
    d_later = np.zeros_like(first)  # dL/da of the next step, times the transposed U
    for t in reversed(range(inputs.shape[1])):
        before = states[:, t - 1] if t > 0 else first
        d_state = d_logits[:, t] @ params["V"].T + d_later
        d_sum = d_state * (1 - states[:, t] ** 2)
        gradients["V"] += states[:, t].T @ d_logits[:, t]
        gradients["c"] += d_logits[:, t].sum(axis=0)
        gradients["W"] += inputs[:, t].T @ d_sum
        gradients["U"] += before.T @ d_sum
        gradients["b"] += d_sum.sum(axis=0)
        d_later = d_sum @ params["U"].T
    return gradients
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q7-output-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.bptt_gradients(bptt, with_first=True, parts=("V", "c"))
### BEGIN HIDDEN TESTS
checks.bptt_gradients(bptt, with_first=True, parts=("V", "c"), seed=10)
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "q7-time-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.bptt_gradients(bptt, with_first=True, parts=("W", "U", "b"))
### BEGIN HIDDEN TESTS
checks.bptt_gradients(bptt, with_first=True, parts=("W", "U", "b"), seed=10)
checks.bptt_gradients(bptt, with_first=True, parts=("W", "U", "b"), seed=20)
### END HIDDEN TESTS

# %% [markdown]
# The next cell compares your gradients with TensorFlow's, on 20 steps. The numbers are the largest difference, as a share of the largest gradient. Both compute with 32 bits, so expect about $10^{-6}$ or less.

# %% nbgrader={"grade": false, "grade_id": "bptt-beside-autodiff", "locked": true, "schema_version": 3, "solution": false, "task": false}
def random_sequence(batch=4, time=20, features=6, labels=5, seed=1):
    """Inputs, labels and a first state, all random."""
    generator = np.random.default_rng(seed)
    inputs = generator.normal(size=(batch, time, features))
    return inputs, generator.integers(0, labels, (batch, time)), np.zeros((batch, 8))


def show_differences():
    params = checks.bptt_parameters(features=6, units=8, labels=5)
    params = {name: value.astype("float32") for name, value in params.items()}
    inputs, labels, first = random_sequence()
    inputs, first = inputs.astype("float32"), first.astype("float32")
    expected, _ = autodiff(inputs, labels, params, first)
    for name, gradient in bptt(inputs, labels, params, first).items():
        share = np.abs(np.asarray(gradient) - expected[name]).max() / np.abs(expected[name]).max()
        print(f"gradient of {name}: largest difference {share:.1e}")


try:
    show_differences()
except Exception as problem:
    print("Not yet. It needs your function bptt:", type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## Question 8. A long text in windows (1 point)
#
# A text of a million characters cannot be unrolled at once. It is cut into `batch` streams of equal length, which are read side by side, and each stream into windows of `length` symbols. Row $r$ of window 2 goes on where row $r$ of window 1 stopped. The target of each symbol is the symbol after it, so the last target of a window is the first input of the next.
#
# For the text `[0, 1, 2, ..., 12]` with `batch=2` and `length=3`:
#
# | window | inputs | targets |
# | --- | --- | --- |
# | 1 | `[[0, 1, 2], [6, 7, 8]]` | `[[1, 2, 3], [7, 8, 9]]` |
# | 2 | `[[3, 4, 5], [9, 10, 11]]` | `[[4, 5, 6], [10, 11, 12]]` |
#
# Write `windows`. The number of symbols is 1 more than a multiple of `batch * length`. About 4 lines. Explained in [section s4](../../lectures/01_rnn.ipynb#s4).
#
# *Hint:* `ids[:-1].reshape(batch, -1)` are the inputs of all streams.

# %% nbgrader={"grade": false, "grade_id": "q8-windows", "locked": false, "schema_version": 3, "solution": true, "task": false}
def windows(ids, batch, length):
    """ids: integers (n,), where n - 1 is a multiple of batch * length;
    returns a list with a pair for each window, in the order of reading:
    inputs (batch, length) and targets (batch, length)"""
    ### BEGIN SOLUTION
    inputs = ids[:-1].reshape(batch, -1)
    targets = ids[1:].reshape(batch, -1)
    starts = range(0, inputs.shape[1], length)
    return [(inputs[:, s : s + length], targets[:, s : s + length]) for s in starts]
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q8-windows-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.truncated_windows(windows)
### BEGIN HIDDEN TESTS
checks.truncated_windows(windows, seed=10)
checks.truncated_windows(windows, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 9. Truncated back-propagation (2 points)
#
# With windows, the state goes on from one window to the next, but the gradient stops at the border: inside a window, the state at its beginning is a constant. This is truncated back-propagation through time.
#
# Write it for one sequence that is cut into windows of `length` steps (the number of steps is a multiple of it). For each window, get its gradients and its last state from the given function `autodiff(inputs, labels, params, first)`. The first window begins with a state of zeros, each other one with the last state of the window before it. Return, for each weight, the *mean* of the windows' gradients. About 9 lines. Explained in [section s4](../../lectures/01_rnn.ipynb#s4).

# %% nbgrader={"grade": false, "grade_id": "q9-truncated", "locked": false, "schema_version": 3, "solution": true, "task": false}
def truncated_bptt(inputs, labels, params, length):
    """inputs (batch, time, features), labels (batch, time), params as in forward,
    length: the steps of a window; returns a dictionary with the gradients"""
    ### BEGIN SOLUTION
    state = np.zeros((len(inputs), len(params["b"])), dtype=inputs.dtype)
    starts = range(0, inputs.shape[1], length)
    total = {name: np.zeros_like(value) for name, value in params.items()}
    for start in starts:
        window = slice(start, start + length)
        gradients, state = autodiff(inputs[:, window], labels[:, window], params, state)
        for name in total:
            total[name] += gradients[name] / len(starts)
    return total
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q9-truncated-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.truncated_gradients(truncated_bptt)
### BEGIN HIDDEN TESTS
checks.truncated_gradients(truncated_bptt, seed=10)
### END HIDDEN TESTS

# %% [markdown]
# How much is lost? The next figure compares your truncated gradient of $U$ with the whole one, for windows of 1 to 32 steps of 32. With small recurrent weights, the gradient hardly comes from far back, so short windows are nearly enough. With larger weights, the past counts for more. The band shows how much networks differ.

# %% nbgrader={"grade": false, "grade_id": "truncation-figure", "locked": true, "schema_version": 3, "solution": false, "task": false}
def truncation_errors(scale, seed):
    """The relative error of the gradient of U, for each length of a window."""
    params = checks.bptt_parameters(features=6, units=8, labels=5, seed=seed)
    params["W"] *= 0.3  # weak inputs, so that the tanh stays in its steep part
    params["U"] *= scale / np.abs(np.linalg.eigvals(params["U"])).max()
    inputs, labels, first = random_sequence(time=32, seed=seed)
    whole = autodiff(inputs, labels, params, first)[0]["U"]
    errors = []
    for length in (1, 2, 4, 8, 16, 32):
        gradient = np.asarray(truncated_bptt(inputs, labels, params, length)["U"])
        errors.append((length, float(np.linalg.norm(gradient - whole) / np.linalg.norm(whole))))
    return errors


def show_truncation(seeds):
    series = {}
    for scale in (0.4, 1.0):
        runs = [truncation_errors(scale, seed) for seed in seeds]
        series[f"largest eigenvalue of U: {scale}"] = [
            (points[0][0], [error for _, error in points]) for points in zip(*runs)
        ]
    return plots.curves(
        series,
        x_label="length of a window (steps)",
        y_label="error of the gradient of U (share)",
        log_x=True,
    )


try:
    display(show_truncation(range(1 if FAST else 3)))
except Exception as problem:
    print("Not yet. It needs your truncated_bptt:", type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## Part 4. Vanishing and exploding gradients
#
# ## Question 10. The product of Jacobians (1 point)
#
# How much does a state far back act on the cost at the end? By the chain rule, the gradient is multiplied by one Jacobian for each step on the way:
#
# $$\frac{\partial\, \mathrm{cost}_N}{\partial h_t} = \frac{\partial\, \mathrm{cost}_N}{\partial h_N}\
# \frac{\partial h_N}{\partial h_{N-1}} \cdots \frac{\partial h_{t+1}}{\partial h_t}
# \qquad
# g_t = \bigl(g_{t+1} \odot (1 - h_{t+1} \odot h_{t+1})\bigr)\, U^\top$$
#
# where $g_t$ is short for the gradient on the left, as a row. Write it for the states of one sentence. About 5 lines. Explained in [section s3](../../lectures/01_rnn.ipynb#s3).

# %% nbgrader={"grade": false, "grade_id": "q10-jacobians", "locked": false, "schema_version": 3, "solution": true, "task": false}
def gradients_through_time(states, U, last):
    """states (time, units), the states of one sentence; U (units, units);
    last (units,), the gradient of the cost with respect to the last state;
    returns (time, units): the gradient with respect to each state, in the order of the states"""
    ### BEGIN SOLUTION
    gradients = np.zeros_like(states)
    gradients[-1] = last
    for t in reversed(range(len(states) - 1)):
        gradients[t] = (gradients[t + 1] * (1 - states[t + 1] ** 2)) @ U.T
    return gradients
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q10-jacobians-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.gradients_through_time(gradients_through_time)
### BEGIN HIDDEN TESTS
checks.gradients_through_time(gradients_through_time, seed=10)
checks.gradients_through_time(gradients_through_time, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# Now measure. The next cell makes networks of 64 units that have learned nothing yet. $U$ is random; its largest eigenvalue is about 0.5, 1 or 2. The inputs are small in one panel and large in the other. The figure shows the norm of your gradients against the distance $N - t$.

# %% nbgrader={"grade": false, "grade_id": "norms-figure", "locked": true, "schema_version": 3, "solution": false, "task": false}
DISTANCE = 20 if FAST else 50


def norms_by_distance(radius, size, seed):
    """Norms of your gradients, from distance 0 on, in a random Elman network of 64 units."""
    keras.utils.set_random_seed(seed)
    start = keras.initializers.RandomNormal(stddev=radius / 64**0.5)
    network = layers.Recurrence(layers.ElmanCell(64, recurrent_initializer=start))
    generator = np.random.default_rng(seed)
    states, _ = network(generator.normal(0, size, (1, DISTANCE + 1, 32)).astype("float32"))
    last = generator.normal(size=64)
    states, U = (
        np.asarray(ops.convert_to_numpy(tensor), dtype="float64")
        for tensor in (states[0], network.cell.recurrent_kernel)
    )
    gradients = gradients_through_time(states, U, last / np.linalg.norm(last))
    return np.linalg.norm(gradients, axis=1)[::-1]


def show_norms(seeds):
    panels = {}
    for panel, size in [("small inputs (size 0.03)", 0.03), ("large inputs (size 1)", 1.0)]:
        panels[panel] = {}
        for radius in (0.5, 1.0, 2.0):
            norms = np.array([norms_by_distance(radius, size, seed) for seed in seeds])
            panels[panel][f"largest eigenvalue of U: {radius}"] = [
                (distance, norms[:, distance].tolist()) for distance in range(DISTANCE + 1)
            ]
    return plots.curves(
        panels, x_label="distance (steps)", y_label="norm of the gradient", log_y=True
    )


try:
    display(show_norms(range(1 if FAST else 5)))
except Exception as problem:
    print("Not yet. It needs your gradients_through_time:", type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## Question 11. Why they vanish and explode (1 point)
#
# Answer in two to four sentences, with numbers from your figure: **(a)** Look at the panel with small inputs. Which networks lose the gradient, and which one makes it grow? Explain both with the product of Jacobians. **(b)** With large inputs, the same $U$ gives smaller gradients. Why?

# %% [markdown] nbgrader={"grade": true, "grade_id": "q11-norms", "locked": false, "points": 1, "schema_version": 3, "solution": true, "task": false}
# ### BEGIN SOLUTION
# **(a)** At each step back the gradient is multiplied by $(1 - h^2)$ and by $U^\top$. With small inputs $h$ is near 0, so the factor is about the size of $U$: with the largest eigenvalue 0.5 the norm is about halved at each step (near $10^{-3}$ after 10 steps, $10^{-14}$ after 50), with 1 it stays near 1, within about a factor of ten, with 2 it grows (to some thousands after 50 steps): a product of fifty factors below 1 vanishes, of factors above 1 explodes. (It grows less than twofold at each step, because this network's states do not stay small.) **(b)** Large inputs push the tanh into its flat parts. There $1 - h^2$ is well below 1, so each factor is smaller than $U$ alone.
#
# *Marking guide.* Half a point for (a): the small $U$ vanishes, the large one grows, with numbers that fit the student's figure, and the reason that one factor for each step is multiplied. Half a point for (b): large inputs saturate the tanh, its derivative $1 - h^2$ is small.
# ### END SOLUTION

# %% [markdown]
# ## Question 12. Clipping by global norm (1 point)
#
# One exploding gradient can ruin all that was learned before. The remedy: if the gradient is too long, make it shorter, and keep its direction. All arrays together count as one long vector, with the norm
#
# $$n = \sqrt{\sum_k \sum_{ij} (G_k)_{ij}^2}$$
#
# If $n$ is larger than `limit`, multiply *all* arrays by $\mathrm{limit} / n$. If not, leave them as they are. About 4 lines. Explained in [section s3](../../lectures/01_rnn.ipynb#s3).
#
# *Hint:* the norm can be 0; do not divide by it. `tf.clip_by_global_norm` is the ready-made one; do not call it here.

# %% nbgrader={"grade": false, "grade_id": "q12-clip", "locked": false, "schema_version": 3, "solution": true, "task": false}
def clip_by_global_norm(gradients, limit):
    """gradients: a list of arrays; limit: the largest norm of all of them together;
    returns a list of arrays of the same shapes"""
    ### BEGIN SOLUTION
    norm = np.sqrt(sum(np.sum(gradient**2) for gradient in gradients))
    factor = limit / norm if norm > limit else 1.0
    return [gradient * factor for gradient in gradients]
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q12-clip-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.clipped_by_global_norm(clip_by_global_norm)
### BEGIN HIDDEN TESTS
checks.clipped_by_global_norm(clip_by_global_norm, seed=10)
checks.clipped_by_global_norm(clip_by_global_norm, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 5. One step after the other
#
# ## Question 13. The longest chain (1 point)
#
# How fast could a network be with as many processors as you like? Call the work of one layer at one step *one unit of work*. Units that wait for nothing can run at the same time; what remains is the longest chain in which each unit waits for the one before it.
#
# - In a recurrent network, layer $l$ at step $t$ waits for the same layer at step $t - 1$, and for layer $l - 1$ at step $t$.
# - In a network without recurrence, layer $l$ at step $t$ waits for layer $l - 1$ alone. (It may read several steps of it.)
#
# How many units of work are in the longest chain? About 3 lines. Explained in [section s39](../../lectures/01_rnn.ipynb#s39).
#
# *Hint:* draw a grid of 4 steps and 3 layers, and write into each box the first moment when it can run.

# %% nbgrader={"grade": false, "grade_id": "q13-chain", "locked": false, "schema_version": 3, "solution": true, "task": false}
def longest_chain(time, layers, recurrent):
    """time: the number of steps; layers: the number of layers; recurrent: True or False;
    returns the units of work in the longest chain"""
    ### BEGIN SOLUTION
    if recurrent:
        return time + layers - 1
    return layers
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q13-chain-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.longest_chain(longest_chain)
### BEGIN HIDDEN TESTS
checks.longest_chain(longest_chain, seed=10)
checks.longest_chain(longest_chain, seed=20)
### END HIDDEN TESTS

# %% [markdown]
# Now measure the time of a forward pass on your machine: first for longer and longer inputs, then for wider and wider networks. The times belong to your machine and to this moment; nothing is tested here.

# %% nbgrader={"grade": false, "grade_id": "time-measure", "locked": true, "schema_version": 3, "solution": false, "task": false}
times = experiments.time_per_step(
    lengths=(100, 200, 400, 800), widths=(32, 64, 128, 256, 512), repeats=7
)


def show_times(series, x_label):
    for name, points in series.items():
        print(f"{name:>14}: " + ", ".join(f"{ms:.1f} ms at {x}" for x, ms in points))
    return plots.curves(
        series, x_label=x_label, y_label="time of a forward pass (ms)", log_x=True, log_y=True
    )


display(show_times(times.by_length, f"length (steps), {times.width} units"))
display(show_times(times.by_width, f"width (units), {times.length} steps"))

# %% [markdown]
# ## Question 14. What costs time (1 point)
#
# Answer in two to four sentences, with numbers from your own table: **(a)** From 200 to 800 steps, the length is four times as much. How much more time does the Elman network take, and how much the layer without recurrence? Why? **(b)** From 32 to 128 units, the work of an Elman step is 16 times as much. What happens to the time? Why is this different from (a)?

# %% [markdown] nbgrader={"grade": true, "grade_id": "q14-time", "locked": false, "points": 1, "schema_version": 3, "solution": true, "task": false}
# ### BEGIN SOLUTION
# **(a)** The Elman network takes between three and four times as long (for example 5.6 and 18.2 ms; a part of the time does not depend on the length): each step waits for the state of the one before, so the steps run one after the other, on any number of processors. The layer without recurrence is far faster and its time grows much less (0.9 and 1.6 ms), because its positions do not wait for each other and are one large product. **(b)** The time grows much less than 16 times (for example from 3.0 to 3.7 ms). All units of one step are computed at the same time in one product, and for small steps the cost of starting an operation is larger than the arithmetic. Width can be spread over processors, length cannot.
#
# *Marking guide.* Half a point for (a): nearly proportional to the length for the Elman network, with the student's numbers, and the reason that steps wait for each other. Half a point for (b): the time grows less than the work, with numbers, because the units of one step run side by side (or because starting a step costs more than its arithmetic). Times differ from machine to machine; judge whether the sentences fit the student's numbers.
# ### END SOLUTION

# %% [markdown]
# ## Part 6. Your network learns program text
#
# All pieces are there. The network of question 7 now reads program text, one character at a time, and predicts the next character. It uses *your* windows, *your* gradients and *your* clipping, and no Keras at all. It gives no points.
#
# The text is from Python's standard library. Each character is a one-hot vector. The network is trained twice: with your clipping, and without it. A dotted line shows the loss of a network that takes all characters for equally probable. Can one long gradient be seen in the curve without clipping?

# %% nbgrader={"grade": false, "grade_id": "text-data", "locked": true, "schema_version": 3, "solution": false, "task": false}
STREAMS, WINDOW = 16, 16
code = data.program_text("train", longest=25_601 if FAST else 102_401).text
new_code = data.program_text("valid", longest=12_801).text
characters = text.Vocabulary.from_texts([code])
code_ids, new_ids = (characters.encode([part])[0][0] for part in (code, new_code))
print(len(code_ids), "characters to learn from,", len(characters), "different ones")
print(code[code.index("    def ") :][:300])


def one_hot(ids):
    """ids (batch, time) as vectors (batch, time, number of characters)"""
    return np.eye(len(characters), dtype="float32")[ids]

# %% nbgrader={"grade": false, "grade_id": "text-train", "locked": true, "schema_version": 3, "solution": false, "task": false}
RATE, LIMIT = 1.0, 1.0


def first_params(size, units=64, seed=1):
    """Random weights to begin with."""
    generator = np.random.default_rng(seed)
    shapes = {"W": (size, units), "U": (units, units), "b": (units,), "V": (units, size), "c": (size,)}
    scales = {"W": 0.3, "U": 1 / units**0.5, "b": 0.0, "V": 0.1, "c": 0.0}
    return {
        name: (scales[name] * generator.normal(size=shape)).astype("float32")
        for name, shape in shapes.items()
    }


def train_on_text(clip, seed=1):
    """Train with your functions; returns the weights and the loss of each window."""
    params = first_params(len(characters), seed=seed)
    state = np.zeros((STREAMS, 64), dtype="float32")
    losses = []
    for inputs, targets in windows(code_ids, STREAMS, WINDOW):
        inputs = one_hot(np.asarray(inputs))
        loss, states, _ = forward(inputs, targets, params, state)
        gradients = bptt(inputs, targets, params, state)
        if clip:
            shorter = clip_by_global_norm(list(gradients.values()), LIMIT)
            gradients = dict(zip(gradients, shorter))
        params = {name: params[name] - RATE * np.asarray(gradients[name]) for name in params}
        state = states[:, -1]  # carried into the next window
        losses.append(loss)
    return params, losses


def smooth(losses, count=20):
    """The mean of each of some stretches of the training, with its place."""
    stretches = np.array_split(np.arange(len(losses)), count)
    return [(int(part[-1]) + 1, float(np.mean(np.array(losses)[part]))) for part in stretches]


try:
    trained, clipped_losses = train_on_text(clip=True)
    _, plain_losses = train_on_text(clip=False)
    display(
        plots.curves(
            {"with your clipping": smooth(clipped_losses), "without clipping": smooth(plain_losses)},
            x_label="windows read",
            y_label="loss (nats a character)",
            chance=round(float(np.log(len(characters))), 2),
        )
    )
except Exception as problem:
    trained = None
    print("Not yet. It needs windows, bptt and clip_by_global_norm:")
    print(type(problem).__name__, str(problem)[:300])

# %% [markdown]
# What is the carried state worth? The next cell lets the trained network read new program text in two ways: with the state carried from window to window, and with a state of zeros at the beginning of each window. It shows the loss by the place in the window. At the first character of a window, a network that begins with zeros knows one character; with the carried state it knows all that came before.

# %% nbgrader={"grade": false, "grade_id": "text-carry", "locked": true, "schema_version": 3, "solution": false, "task": false}
def loss_by_place(params, carry):
    """The mean loss at each place of a window, over new text."""
    state = np.zeros((STREAMS, 64), dtype="float32")
    losses = []
    for inputs, targets in windows(new_ids, STREAMS, WINDOW):
        targets = np.asarray(targets)
        _, states, _ = forward(one_hot(np.asarray(inputs)), targets, params, state)
        logits = states @ params["V"] + params["c"]
        losses.append(ops.sparse_categorical_crossentropy(targets, logits, from_logits=True))
        if carry:
            state = states[:, -1]
    return np.mean([ops.convert_to_numpy(loss) for loss in losses], axis=(0, 1))


def show_carry():
    series = {
        name: list(enumerate(loss_by_place(trained, carry).tolist(), 1))
        for name, carry in [("state carried", True), ("zeros at each beginning", False)]
    }
    for name, points in series.items():
        print(f"{name:>24}: {np.mean([loss for _, loss in points]):.2f} nats a character")
    return plots.curves(
        series, x_label="place in the window (characters)", y_label="loss (nats a character)"
    )


if trained is None:
    print("Not yet: the cell above must run first.")
else:
    display(show_carry())

# %% [markdown]
# ## That is all
#
# Before you hand in: *Kernel → Restart Kernel and Run All Cells*, and look through your answers once more. Then press *Validate*.
