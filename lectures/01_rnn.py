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
# ---

# %% [markdown]
# # Lecture 1: recurrent networks
#
# A text can have three words or three thousand. This lecture shows how one small network reads both, how it is trained, and where the training fails.
#
# You need: matrix products, the chain rule, and what a layer, a loss and gradient descent are. Reading and running take about 90 minutes. The exercise that belongs to it is [exercises/01_rnn](../exercises/01_rnn/01_rnn.ipynb).

# %% [markdown]
# ## What you will be able to do
#
# - Say what a recurrent network is without saying what is inside it, and use one network as an acceptor, an encoder and a transducer.
# - Write the Elman network from its formula, and read it in the notation of other texts.
# - Compute a gradient through time by hand, and say what truncation leaves out.
# - Explain with numbers why gradients vanish and explode, and what clipping does.
# - Say which part of the work can run in parallel, and which cannot.

# %%
import os
from itertools import accumulate

# First, because it tells TensorFlow and Keras how to start.
from rnnkit import experiments, layers, models, plots, text

import keras
import numpy as np
import tensorflow as tf
from keras import ops

FAST = os.environ.get("RNNKIT_FAST") == "1"  # our own quick tests; shorter training
tf.get_logger().setLevel("ERROR")  # no notes about each new graph
keras.utils.set_random_seed(1)

# %% [markdown]
# ## Symbols of this lecture
#
# | symbol | in the code | shape | what it is |
# | --- | --- | --- | --- |
# | $x_t$ | `x` | (features,) | the input of step $t$ |
# | $h_t$ | `h` | (units,) | the state after step $t$; $s_t$ where nothing is said about what is inside |
# | $W$, $U$, $b$ | `W`, `U`, `b` | (features, units), (units, units), (units,) | Keras: `kernel`, `recurrent_kernel`, `bias` |
# | $V$, $c$ | `V`, `c` | (units, labels), (labels,) | the output layer, $o_t = h_t V + c$ |
# | $R$, $O$ | `R`, `O` | | the step, and the output |
#
# Vectors are rows. In a batch, each vector has one more axis in front. All lectures use these letters: [notation](notation.ipynb).

# %% [markdown]
# <a id="s1"></a>
#
# ## How can one network read a text of any length?
#
# A feed-forward network wants a vector of fixed size. There are ways to squeeze a text into one, and each loses something:
#
# - join the vectors of all words: works for one length only;
# - take their sum or mean: "dog bites man" and "man bites dog" become the same;
# - look at the last few words alone: what stands further back is out of sight.
#
# We want a network that takes any number of inputs, sees their order, and has as many weights for a long text as for a short one.

# %% [markdown]
# The idea: **one function, used again at each step.** It takes a summary of all that was read, and the next input, and gives the new summary. The summary is called the *state*.
#
# $$s_t = R(s_{t-1}, x_t) \qquad y_t = O(s_t)$$
#
# $R$ and $O$ are the same at each step, with the same weights. The first state, $s_0$, is usually zeros. Written out for three steps, the state holds the whole prefix:
#
# $$s_3 = R(R(R(s_0, x_1), x_2), x_3)$$
#
# (The literature writes $s$ here. As soon as we know what is inside $R$, we write $h$.)

# %%
plots.network("transducer", ["the", "bank", "closed", "early"], title="one network, four steps")

# %% [markdown]
# **Figure 1.** A recurrent network, unrolled over time. Each column is one step. The four boxes are *one* network at four moments: they have the same weights. Information moves up and to the right, never to the left.

# %% [markdown]
# Nothing in this asks for a *neural* network. Here $R$ is a counter of open brackets, written by hand. Python's `accumulate` is the recursion itself: it calls $R$ with the old state and the next input, and keeps all states.

# %%
def R(s, x):
    """The new state: how many brackets are open."""
    return s + (x == "(") - (x == ")")


def O(s):  # noqa: E743
    """The output: is everything closed?"""
    return "balanced" if s == 0 else f"{s} open"


string = "a(b(c))"
states = list(accumulate(string, R, initial=0))[1:]  # without the first state
for x, s in zip(string, states):
    print(x, s, O(s))

# %% [markdown]
# ### Three uses of one recurrence
#
# The recurrence gives a state after each step. What you take from it makes the use:
#
# | use | takes | for example | the loss looks at |
# | --- | --- | --- | --- |
# | **acceptor** | an output from the last state | is this review good or bad? | the last output |
# | **encoder** | the last state itself | the input of another network | what the other network says |
# | **transducer** | an output from each state | a part of speech for each word | all outputs, added up |

# %%
words = ["the", "bank", "closed"]
display(plots.network("acceptor", words, ["true"], title="acceptor"))
display(plots.network("encoder", words, title="encoder"))
display(plots.network("transducer", words, ["DET", "NOUN", "VERB"], title="transducer"))

# %% [markdown]
# **Figure 2.** Three uses of one network. The lower two rows are the same in all three drawings; what stands above them differs.

# %%
def last_state(string):
    return list(accumulate(string, R, initial=0))[-1]


print("acceptor:   ", {string: O(last_state(string)) for string in ("(a)(b)", "(a(b)", "abc")})
print("encoder:    ", {string: last_state(string) for string in ("((", "a(b(c")}, "the same code")
print("transducer: ", [O(s) for s in states])

# %% [markdown]
# ### Can R be learned?
#
# We wrote $R$ by hand because we knew the rule. A recurrent *neural* network has weights in $R$ and learns the rule from examples. The next cell makes strings of letters and brackets, nested up to four deep, with the depth after each symbol as the label: a transducer. The box `ElmanCell` is opened in the [next section](#s2).

# %%
def bracket_strings(count, length, seed, deepest=4):
    """Random strings, and how many brackets are open after each symbol, (count, length)."""
    generator = np.random.default_rng(seed)
    strings, depths = [], np.zeros((count, length), dtype="int32")
    for row in range(count):
        string, depth = "", 0
        for t in range(length):
            kinds = ["a", "b", "c"] + ["("] * (depth < deepest) + [")"] * (depth > 0)
            string += generator.choice(kinds)
            depth = R(depth, string[-1])
            depths[row, t] = depth
        strings.append(string)
    return strings, depths


symbols = text.Vocabulary("()abc")
train_strings, train_depths = bracket_strings(128 if FAST else 512, length=12 if FAST else 30, seed=1)
print(train_strings[0])
print("".join(str(depth) for depth in train_depths[0]))

# %%
ids = keras.Input((None,), dtype="int32")
embedding = keras.layers.Embedding(len(symbols), 8)
recurrence = layers.Recurrence(layers.ElmanCell(16))
all_states, (last,) = recurrence(embedding(ids))
counter = keras.Model(ids, keras.layers.Dense(5)(all_states))  # scores of the depths 0 to 4
counter.compile(
    optimizer=keras.optimizers.Adam(0.01, global_clipnorm=1.0),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
curve = plots.TrainingCurve("Depth of brackets")
counter.fit(
    symbols.encode(train_strings)[0],
    train_depths,
    batch_size=32,
    epochs=4 if FAST else 40,
    verbose=0,
    callbacks=[curve],
)
new_strings, new_depths = bracket_strings(20 if FAST else 100, length=2 * train_depths.shape[1], seed=2)
right = ops.convert_to_numpy(counter(symbols.encode(new_strings)[0])).argmax(-1) == new_depths
print(f"right on new strings, twice as long: {right.mean():.1%} of all symbols")

# %%
curve.figure()

# %% [markdown]
# **Figure 3.** The loss while the network learns to count. It is told only which depth is right after each symbol. That it must keep a number in its state, it finds out by gradient descent.

# %% [markdown]
# ### What does an output depend on?
#
# Two claims follow from $s_t = R(s_{t-1}, x_t)$: a state depends on **all** inputs up to its own step, and on **none** after it. You need not believe it: change one input, and look which states move.
#
# We change the symbol at place 10 of a string, once a letter into another letter, once a bracket, and measure how far each state moves, $\lVert h_t - h'_t \rVert$.

# %%
reader = keras.Model(ids, all_states)


def read(string):
    """The states of the trained network, (time, units)."""
    return ops.convert_to_numpy(reader(symbols.encode([string])[0]))[0]


def moved(begin, old, new, end="abcabc(abc)abcabcabc"):
    """How far each state moves when one symbol is changed: points (step, distance)."""
    distances = np.linalg.norm(read(begin + old + end) - read(begin + new + end), axis=1)
    return list(enumerate(distances.tolist(), 1))


changes = {
    "letter a becomes b": moved("abc(a)bca", "a", "b"),
    "letter a becomes (": moved("abc(a)bca", "a", "("),
}
plots.curves(changes, "step", "how far the state moves", log_y=True)

# %% [markdown]
# **Figure 4.** One symbol is changed at step 10. Before it, the states do not move at all: crosses at the lower edge mark an exact zero, not a small number. From step 10 on, all move. Look at what training made of it: a changed letter has no meaning for the depth, and its trace gets weaker, down to what 32-bit numbers round; a changed bracket matters until the end, and its trace stays.

# %% [markdown]
# **What goes wrong.** "All inputs up to its step" is what the state *can* hold. It is a vector of fixed size that is written over at each step, so what it *does* hold is another question. A program that compares with a tolerance (`np.isclose`) will call the far end of Figure 4 "no influence", although it is there.

# %% [markdown]
# <a id="s2"></a>
#
# ## What is inside the simplest network?
#
# Jeffrey Elman's network of 1990, also called simple RNN, is one layer: multiply the input and the old state each by a matrix, add, and squeeze the sum into $-1 \ldots 1$:
#
# $$h_t = \tanh(x_t W + h_{t-1} U + b) \qquad o_t = h_t V + c$$
#
# $W$ decides what is taken from the input, $U$ what becomes of the old state. All of the state is read and all of it is written at each step. The output $O$ is a linear layer; a softmax follows where it names classes.

# %%
plots.network("transducer", "a(b)", "0110", layers=2, title="two layers")

# %% [markdown]
# **Figure 5.** Recurrent layers can be stacked. Each layer has its own $W$, $U$ and $b$, and its own state; the inputs of layer 2 are the states of layer 1.

# %% [markdown]
# The formula in code, for one string, with the weights that were learned above. `x @ W` is a row times a matrix.

# %%
W, U, b = recurrence.get_weights()
string = "ab(c(a)b)"
inputs = ops.convert_to_numpy(embedding(symbols.encode([string])[0]))[0]  # (time, features)

h = np.zeros(16)
for t, x in enumerate(inputs):
    h = np.tanh(x @ W + h @ U + b)
    scores = counter.layers[-1](h[None].astype("float32"))  # h V + c
    print(string[t], "depth", int(ops.argmax(scores)), " state", h[:5].round(2), "...")

# %% [markdown]
# ### Is this the network that Keras has?
#
# Yes. `keras.layers.SimpleRNN` keeps its weights in the order `kernel`, `recurrent_kernel`, `bias`, which are $W$, $U$, $b$. With the same weights it must give the same states, up to the rounding of 32-bit numbers (about $10^{-7}$ for each operation).

# %%
keras_layer = keras.layers.SimpleRNN(16, return_sequences=True)
keras_layer.build((None, None, inputs.shape[1]))
keras_layer.set_weights([W, U, b])
from_keras = ops.convert_to_numpy(keras_layer(inputs[None]))[0]
print(f"Keras and our layer: largest difference {np.abs(from_keras - read(string)).max():.1e}")
print(f"Keras and the loop above, last state:   {np.abs(from_keras[-1] - h).max():.1e}")

# %% [markdown]
# ### How do other texts write it?
#
# | | state | the step | vectors are |
# | --- | --- | --- | --- |
# | here | $h_t$ | $\tanh(x_t W + h_{t-1} U + b)$ | rows |
# | Keras | `states` | `kernel` $W$, `recurrent_kernel` $U$, `bias` $b$ | rows |
# | Goldberg | $s_i$ | $g(s_{i-1} W^s + x_i W^x + b)$ | rows |
# | Jurafsky and Martin | $h_t$ | $g(U h_{t-1} + W x_t)$ | columns |
# | Eisenstein | $\mathbf h_m$ | $g(\Theta \mathbf h_{m-1} + \mathbf x_m)$ | columns |
# | matrices named by what they read | $h_t$ | $\sigma(W_x x_t + W_h h_{t-1} + b_h)$ | columns |
# | time above, $e$ for the embedding | $h^{(t)}$ | $\sigma(W_h h^{(t-1)} + W_e e^{(t)} + b_1)$ | columns |
# | joined | $h_n$ | $g(V[x_n; h_{n-1}] + c)$ | columns |
#
# $g$ and $\sigma$ stand for *some* squashing function, mostly tanh. $V$ of the last row is no output layer.

# %% [markdown]
# Two differences need care. A matrix that multiplies a *column* from the left is the transpose of one that multiplies a *row* from the right: $(xW)^\top = W^\top x^\top$. And two products can be written as one, when the vectors are joined end to end. All three forms give the same step:

# %%
x, h = inputs[0], np.tanh(np.linspace(-1, 1, 16))
rows = np.tanh(x @ W + h @ U + b)
columns = np.tanh(W.T @ x[:, None] + U.T @ h[:, None] + b[:, None])  # (units, 1)
joined = np.tanh(np.concatenate([x, h]) @ np.concatenate([W, U]) + b)  # one product
print(f"columns: {np.abs(columns[:, 0] - rows).max():.1e}   joined: {np.abs(joined - rows).max():.1e}")

# %% [markdown]
# ### What do the units do?
#
# Each of the 16 numbers of the state is a *unit*. We give the network a new string, and colour each symbol by the value of one unit after it. First come the unit that follows the depth most closely (by the size of its correlation on other strings), and the most restless one, which moves most from step to step. Choose another unit: which ones count, which ones only react to the last symbol?

# %%
states_of_new = ops.convert_to_numpy(reader(symbols.encode(new_strings)[0])).reshape(-1, 16)
follows = [abs(np.corrcoef(unit, new_depths.ravel())[0, 1]) for unit in states_of_new.T]
by_rank = np.argsort(follows)[::-1].tolist()
print("unit: correlation ", {unit: round(float(follows[unit]), 2) for unit in by_rank})
SHOWN = "abc(abca)bc((ab)ca(bc))abc(a(b(c(abcabc)a)b)c)abcabca(bc)ab"
restless = int(np.abs(np.diff(read(SHOWN), axis=0)).mean(axis=0).argmax())
first_two = list(dict.fromkeys([by_rank[0], restless, by_rank[1]]))[:2]
ORDER = [*first_two, *(unit for unit in by_rank if unit not in first_two)]


def unit_over_text(unit):
    return plots.coloured_text(SHOWN, read(SHOWN)[:, unit], name=f"unit {unit}")


plots.play(unit_over_text, unit=ORDER, show=2)

# %% [markdown]
# **Figure 6.** A string, coloured by two units of the trained network. Above, the unit that follows the depth best: its colour changes at brackets, and hardly in between. Below, the most restless unit. Nobody told the network to use one unit for the depth, and the correlations show that it spreads the number over many. A unit of one colour everywhere is saturated: its tanh is flat, and hardly anything moves it.

# %% [markdown]
# <a id="s3"></a>
#
# ## Why is it hard to learn from far back?
#
# "In spring she had bought two **tickets**. Then came weeks of work, and rain, and a letter that changed her plans. ... In June, at the gate, she showed her ___." To learn the last word from this example, the loss at the end must change the weights *because of what happened forty words before*. The gradient has to come all the way back, through each state between.

# %%
story = ["two", "tickets", "…", "at", "the", "gate", "showed", "her"]
plots.network("transducer", story, path=(1, 7))

# %% [markdown]
# **Figure 7.** The way from the word that matters to the output that needs it. Going forward, information takes the strong arrows; going back, the gradient takes the same ones, one multiplication for each.

# %% [markdown]
# By the chain rule, each step on the way back is one factor, the *Jacobian* of a step:
#
# $$\frac{\partial\, \mathrm{cost}_N}{\partial h_t} = \frac{\partial\, \mathrm{cost}_N}{\partial h_N} \prod_{i=N}^{t+1} \frac{\partial h_i}{\partial h_{i-1}}$$
#
# With one unit the factor is a number, $u\,(1 - h_i^2)$. Fifty factors of one number are a power, and powers go to nothing or to infinity:

# %%
for factor in (0.5, 0.9, 1.0, 1.1, 2.0):
    print(f"{factor:3} to the power of 10: {factor**10:8.3g}   of 50: {factor**50:8.3g}")

# %% [markdown]
# With many units it is a matrix. For $h_i = \tanh(a_i)$ with $a_i = x_i W + h_{i-1} U + b$ there are two parts: tanh has the slope $1 - h_i^2$, for each unit alone, and $U$ mixes the units. Gradients are rows here, so the matrix stands to the right of them:
#
# $$g_{i-1} = g_i\, J_i \qquad J_i = \mathrm{diag}(1 - h_i \odot h_i)\; U^\top$$
#
# Is it right? Move the old state a little in each direction, and see how the new one moves:

# %%
def jacobian(h, U):
    """How the state h after a step answers to the state before it, (units, units)."""
    return np.diag(1 - h**2) @ U.T


def step(h):
    return np.tanh(inputs[0] @ W + h @ U + b)


before, nudge = np.tanh(np.linspace(-1, 1, 16)), 1e-6 * np.eye(16)  # each row moves one unit
measured = np.array([step(before + row) - step(before - row) for row in nudge]).T / 2e-6
difference = np.abs(measured - jacobian(step(before), U)).max()
print(f"largest difference between formula and measurement: {difference:.1e}")

# %% [markdown]
# Two things decide about the size of the product:
#
# - **$U$.** If its largest singular value is below 1, each factor makes every gradient shorter, and it *must* vanish. If it is above 1, the gradient *can* explode. The size of its largest eigenvalue tells what happens along a typical way of many steps.
# - **The states.** $1 - h^2$ is 1 where a unit is near 0, and near 0 where it is near $\pm 1$. Large inputs push tanh into its flat parts, and every factor shrinks.

# %% [markdown]
# ### Measured
#
# The next cell makes networks of 64 units that have learned nothing yet, and measures $\lVert \partial\, \mathrm{cost}_N / \partial h_t \rVert$ against the distance $N - t$. The cost is a random direction of the last state, so the norm is 1 at distance 0. $U$ is orthogonal (Keras's beginning) or Gaussian with a largest eigenvalue ("radius") of about 0.5, 1 or 2.

# %%
norms = experiments.gradients(seeds=(0,) if FAST else (0, 1, 2), steps=100, forget_biases=())
plots.curves(norms.series(), "distance (steps)", "norm of the gradient", log_y=True)

# %% [markdown]
# **Figure 8.** Gradients of untrained Elman networks. Above, with small inputs, $U$ alone decides: radius 0.5 halves the gradient at each step, radius 2 makes it explode. Below, inputs of standard deviation 1 saturate tanh: even the orthogonal $U$, which keeps every length, now loses the gradient, and radius 2 grows far more slowly.

# %%
def show_left(inputs, steps=(1, 10, 20, 50, 100)):
    for name, points in norms.series()[inputs].items():
        left = {int(distance): np.median(values) for distance, values in points}
        print(f"{name:>20}:", "  ".join(f"{left[n]:8.1e}" for n in steps if n in left))


print("after steps:               1        10        20        50       100")
for name in norms.series():
    print(name)
    show_left(name)

# %% [markdown]
# ### To play with
#
# Choose the radius of $U$ and the size of the inputs. Before you look: at which radius does the gradient of *small* inputs neither vanish nor explode? And when you make the inputs larger, do you need a larger or a smaller $U$ for that?

# %%
def random_network(radius, input_size, units=64, seed=3):
    """An untrained network over 51 random inputs: U, x W for each step, and the states from h_0."""
    generator = np.random.default_rng(seed)
    U = generator.normal(0, radius / units**0.5, (units, units))
    from_inputs = generator.normal(0, input_size, (51, units))
    states = accumulate(from_inputs, lambda h, a: np.tanh(a + h @ U), initial=np.zeros(units))
    return U, from_inputs, list(states)


def gradient_left(radius, input_size):
    U, _, states = random_network(radius, input_size)
    gradient, norms = np.ones(64) / 8, []  # of length 1
    for h in reversed(states[1:]):
        gradient = gradient @ jacobian(h, U)
        norms.append(float(np.linalg.norm(gradient)))
    return plots.gradient_norms({f"radius {radius:g}, inputs of size {input_size:g}": norms})


RADII, SIZES = [0.5, 2.0, 0.8, 1.0, 1.2, 1.5], [0.03, 0.3, 1.0, 3.0]
plots.play(gradient_left, radius=RADII, input_size=SIZES, show=2)

# %% [markdown]
# **Figure 9.** One network with a small $U$ and one with a large $U$, small inputs. On a logarithmic axis, a straight line is a power: the same factor at each step. Where the states have grown, the line bends, since $1 - h^2$ falls.

# %% [markdown]
# **What vanishing means.** The network still computes, and the loss still falls. But the sum of all gradients is made by the near steps, and what lies far back does not change the weights. The network learns "the verb agrees with the last noun" long before "the verb agrees with its subject".
#
# Vanishing says how learning *begins*. Weights change, and a network can find its way to long memory. Claim what is measured; [lecture 2](02_lstm.ipynb#s7) measures it.

# %% [markdown]
# ### What does an exploding gradient do?
#
# Take the smallest network: one unit, $h_t = \tanh(u\, h_{t-1} - 0.1)$, from $h_0 = 0.4$, with the loss $(h_N - 0.6)^2$. The only weight is $u$. How does the loss depend on it?

# %%
def loss_of(u, steps):
    h = 0.4
    for _ in range(steps):
        h = np.tanh(u * h - 0.1)
    return (h - 0.6) ** 2


weights = np.linspace(0.5, 2, 151)
losses = {f"after {n} steps": [(u, loss_of(u, n)) for u in weights] for n in (2, 10, 50)}
plots.curves(losses, "recurrent weight u", "loss")

# %% [markdown]
# **Figure 10.** After 2 steps the loss is a gentle valley. After 50 steps it has a **cliff**: a little to one side, the state grows a little at each step, and to the other it falls a little, fifty times. On the edge the slope is enormous, and the valley where we want to be lies right beside it.

# %% [markdown]
# Gradient descent near a cliff is thrown away by one long step. The remedy is to shorten a gradient that is too long, and keep its direction: **clipping by norm**,
#
# $$g \leftarrow g \cdot \min\left(1, \frac{\mathrm{limit}}{\lVert g \rVert}\right)$$
#
# where $\lVert g \rVert$ is the length of *all* gradients of the network as one long vector (the *global* norm).

# %%
def descend(limit, u=1.309, rate=0.05, steps=50, updates=15):
    """Gradient descent on the loss after 50 steps: points (update, loss)."""
    points = []
    for update in range(updates):
        points.append((update, float(loss_of(u, steps))))
        g = (loss_of(u + 1e-6, steps) - loss_of(u - 1e-6, steps)) / 2e-6
        if update == 0:
            print(f"limit {limit}: slope {g:.0f}", end="")
        u = u - rate * g * min(1.0, limit / max(abs(g), 1e-12))
        if update == 0:
            print(f", u goes from 1.309 to {u:.2f}")
    return points


plots.curves(
    {"without clipping": descend(np.inf), "clipped to norm 1": descend(1.0)}, "updates", "loss"
)

# %% [markdown]
# **Figure 11.** Both begin at the same place, on the edge of the cliff and close to the valley. Without clipping, the first update throws the weight so far that tanh is flat there: the slope is 0, and nothing brings it back. Clipped, the same update makes a small step in the same direction, and the next ones walk down into the valley.

# %% [markdown]
# In a network: why not clip each number for itself? Because that turns the gradient into another direction. In Keras, `global_clipnorm=1.0` clips by the global norm, `clipvalue` clips each number, and `clipnorm` each array of weights for itself.

# %%
g = np.array([6.0, 0.8])  # a gradient of two weights
by_norm = g * min(1.0, 1.0 / np.linalg.norm(g))
by_value = np.clip(g, -1.0, 1.0)
for name, clipped in [("by norm", by_norm), ("by value", by_value)]:
    angle = np.arctan2(g[1], g[0]) - np.arctan2(clipped[1], clipped[0])
    print(f"{name:>8}: {clipped.round(2)}, turned by {abs(np.degrees(angle)):.0f} degrees")

# %% [markdown]
# **What goes wrong.** Clipping mends explosions, and only these: nothing brings back what has vanished. A limit that is too low makes every step equally long, so print the norm now and then: it should be below the limit in most updates. And do not lengthen short gradients to the limit; then the network can never come to rest.

# %% [markdown]
# <a id="s4"></a>
#
# ## How does the gradient get back through time?
#
# Unrolled, a recurrent network is a deep feed-forward network with two peculiarities: all its layers share their weights, and each has an input, and perhaps an output, of its own. So ordinary back-propagation works. It is called *back-propagation through time* (BPTT), and two sentences hold all of it:
#
# 1. A weight is used at each step, so the gradients of all steps are **added up**.
# 2. A state acts on its own output *and* on the next state, so **two gradients arrive** at it.

# %% [markdown]
# In formulas, with $a_t = x_t W + h_{t-1} U + b$ and $h_t = \tanh(a_t)$, from the last step to the first:
#
# $$\frac{\partial L}{\partial h_t} = \underbrace{\frac{\partial L}{\partial o_t} V^\top}_{\text{own output}} + \underbrace{\frac{\partial L}{\partial a_{t+1}} U^\top}_{\text{next state}} \qquad \frac{\partial L}{\partial a_t} = \frac{\partial L}{\partial h_t} \odot (1 - h_t \odot h_t)$$
#
# $$\frac{\partial L}{\partial U} = \sum_t h_{t-1}^\top \frac{\partial L}{\partial a_t}$$
#
# and likewise $W$ with $x_t$ in the place of $h_{t-1}$, and $b$ with 1.

# %% [markdown]
# The ten lines, in the plainest case: one sentence, and a loss at the last step alone, $L = h_N \cdot v$ with a fixed vector $v$. Then the "own output" part is $v$ at the last step and nothing before. In the exercise you write the general case.

# %%
def gradient_of_U(states, U, v):
    """states: h_0 to h_N, each (units,). The part of each step, from the last to the first."""
    parts, d_state = [], v
    for before, h in zip(reversed(states[:-1]), reversed(states[1:])):
        d_sum = d_state * (1 - h**2)  # dL/da of this step
        parts.append(np.outer(before, d_sum))  # this step's part of dL/dU
        d_state = d_sum @ U.T  # goes on to the state before
    return parts


U_1, from_inputs, states_1 = random_network(radius=1.0, input_size=0.3)
v = np.random.default_rng(5).normal(size=64) / 8
by_hand = sum(gradient_of_U(states_1, U_1, v))
print("gradient of U:", by_hand.shape, "from", len(states_1) - 1, "steps")

# %% [markdown]
# Is it right? Two judges: TensorFlow's automatic differentiation, and the definition of a derivative (move one weight a little, run again).

# %%
def loss(U):
    h = ops.zeros(64, "float64")
    for a in from_inputs:
        h = ops.tanh(a + ops.matmul(h, U))
    return ops.sum(h * v)


autodiff = ops.convert_to_numpy(models.gradient(loss, U_1))
moved_up, moved_down = U_1.copy(), U_1.copy()
moved_up[2, 7] += 1e-6
moved_down[2, 7] -= 1e-6
slope = float(loss(moved_up) - loss(moved_down)) / 2e-6
print(f"by hand and by autodiff, largest difference: {np.abs(by_hand - autodiff).max():.1e}")
print(f"one weight: by hand {by_hand[2, 7]:.8f}, by moving it {slope:.8f}")

# %% [markdown]
# ### Which steps does the update hear?
#
# The gradient is a sum over steps. How long is the part of each?

# %%
parts = {}
for radius in (0.5, 0.8, 1.0):
    U_r, _, states_r = random_network(radius, input_size=0.3)
    sizes = [float(np.linalg.norm(part)) for part in gradient_of_U(states_r, U_r, v)]
    parts[f"radius {radius:g}"] = [(n, size) for n, size in enumerate(sizes[:-1])]
plots.curves(parts, "steps back from the loss", "size of the step's part", log_y=True)

# %% [markdown]
# **Figure 12.** What each step adds to the gradient of $U$. With a small radius, all but the last ten steps together add less than a thousandth: the update does not hear them. This is Figure 8 again, seen from the weights.

# %% [markdown]
# ### What if the text never ends?
#
# BPTT must keep all states until it goes back. For a text of a million characters, cut it into **windows**. The state goes on from one window to the next; the gradient stops at the border, where the incoming state is treated as a constant. This is **truncated BPTT**.

# %%
plots.network(
    "transducer",
    "sentence",
    path=(4, 7),
    title="the state crosses the border, the gradient does not",
)

# %% [markdown]
# **Figure 13.** Two windows of four steps. All arrows are computed on the way forward, so output 8 depends on input 1. On the way back, the gradient of output 8 stops at step 5, where its window begins. 

# %% [markdown]
# Many streams are read side by side as one batch. `models.windows` cuts a text such that row $r$ of a window goes on where row $r$ of the window before it stopped; the target is the next symbol. Follow one row through the windows:

# %%
for number, (inputs_w, targets_w) in enumerate(models.windows(range(17), batch=2, window=4), 1):
    print(f"window {number}: inputs {inputs_w.tolist()}  targets {targets_w.tolist()}")

# %% [markdown]
# ### What can it learn to remember?
#
# A task in which only memory counts: at each step comes a random bit, and the network must name the bit that came **8 steps ago**. Chance is one half. We train small networks (16 units) with windows of 16 and of 4 steps. `state` enters as a constant, and comes back for the next window: that is all there is to truncation.
#
# Before you run it: can a network with windows of 4 steps learn this, when it is asked for this bit alone? And when it must name *each* of the last 8 bits?

# %%
UNITS, STREAMS, BACK = 16, 32, 8
UPDATES, SEEDS = (30, (0,)) if FAST else (900, (0, 1, 2))


def make_update(cell, output, optimizer):
    """A function that trains on one window, and returns the state after it."""
    network = layers.Recurrence(cell)

    @tf.function
    def update(bits, answers, state):
        with tf.GradientTape() as tape:
            states, (last,) = network(bits, initial_states=(state,))
            scores = output(states)
            loss = ops.mean(ops.softplus(-answers * scores))  # logistic, answers are -1 or 1
        weights = [*cell.trainable_variables, *output.trainable_variables]
        optimizer.apply(tape.gradient(loss, weights), weights)
        return last, ops.mean(ops.cast(answers * scores > 0, "float32"), axis=(0, 1))

    return update

# %%
def learn_to_name(asked, window, carry, seed):
    """Train with one output for each of the steps back in asked; the share of right answers
    for the last of them, for each update."""
    keras.utils.set_random_seed(seed)
    output = keras.layers.Dense(len(asked))
    output.build((None, UNITS))
    update = make_update(layers.ElmanCell(UNITS), output, keras.optimizers.Adam(0.005))
    generator = np.random.default_rng(seed)
    bits = generator.choice([-1.0, 1.0], (STREAMS, BACK + UPDATES * window)).astype("float32")
    state, shares = np.zeros((STREAMS, UNITS), "float32"), []
    for begin in range(BACK, bits.shape[1], window):
        answers = [bits[:, begin - back : begin - back + window] for back in asked]
        first = state if carry else np.zeros_like(state)
        inputs = bits[:, begin : begin + window, None]
        state, right = update(inputs, np.stack(answers, axis=-1), first)
        shares.append(float(right[-1]))
    return shares


ALL = range(1, BACK + 1)
SETTINGS = {
    "bit 8 alone, windows of 16": ([BACK], 16, True),
    "bit 8 alone, windows of 4": ([BACK], 4, True),
    "bits 1 to 8, windows of 4": (ALL, 4, True),
    "the same, each from zeros": (ALL, 4, False),
}
learned = {}
for name, setting in SETTINGS.items():
    runs = np.array([learn_to_name(*setting, seed) for seed in SEEDS])
    parts = np.array_split(np.arange(UPDATES), 15)  # the mean of each part of the training
    learned[name] = [(int(part[-1]) + 1, runs[:, part].mean(axis=1).tolist()) for part in parts]
plots.curves(learned, "updates", "right for the bit 8 steps back", chance=0.5, y_limits=(0.4, 1.03))

# %% [markdown]
# **Figure 14.** Learning to name the bit 8 steps back. *Alone*, with windows of 4: the gradient never reaches the step that matters, so the network has only the faint traces that a random $U$ leaves by itself. With windows of 16 it learns to keep the bit. Asked for *all* 8 bits, windows of 4 are enough: the near bits teach how to pass a bit on from step to step, and this works for any number of steps, since the weights are the same at each. Started from zeros, the bit is simply not there.

# %%
for name, points in learned.items():
    median, lowest = np.median(points[-1][1]), min(points[-1][1])
    print(f"{name:>37}: {median:.2f} at the end (the worst of {len(SEEDS)} seeds: {lowest:.2f})")

# %% [markdown]
# So truncation does not cut the *memory* at the border, but the *teaching*: what near steps can teach is used far beyond the window, and what only far steps could teach is not learned. Text is kind in this: most of what must be remembered is also needed soon.

# %% [markdown]
# **What goes wrong.** Three slips look alike in the loss curve. Each window begins from zeros: the first symbols of each window are guessed. The rows of a window do not continue those of the window before: the state of one text is given to another. The state is kept from one *text* to the next, or from training to evaluation, where it should begin anew.

# %% [markdown]
# <a id="s39"></a>
#
# ## Why is a recurrent network slow?
#
# Step $t$ needs the state of step $t - 1$, which needs that of $t - 2$, and so on. Nothing can be computed before what it waits for. Within a step, all units, and all sentences of a batch, are computed at the same time, as one matrix product. But the steps themselves stand in a queue: **recurrence cannot run in parallel over time**, however many processors there are.

# %%
plots.network("transducer", ["the", "bank", "closed", "early"], layers=3, path=(0, 3))

# %% [markdown]
# **Figure 15.** The longest chain of waiting in a network of three layers over four words. Boxes that are not joined by a way can run at the same time: layer 1 of "closed" beside layer 2 of "bank". How many boxes lie on the strong way?

# %% [markdown]
# ### Measured
#
# The time of one forward pass on your machine, first against the length, then against the width. "No recurrence" is a layer of the same width whose steps do not wait for each other.

# %%
times = experiments.time_per_step(repeats=3 if FAST else 9)
plots.curves(
    times.by_length,
    f"length (steps), {times.width} units",
    "time of a forward pass (ms)",
    log_x=True,
    log_y=True,
)

# %% [markdown]
# **Figure 16.** Time against length, both on logarithmic axes. A line that rises as fast as the length means: twice as long takes twice the time. The layer without recurrence stays far below, and rises late.

# %%
plots.curves(
    times.by_width,
    f"width (units), {times.length} steps",
    "time of a forward pass (ms)",
    log_x=True,
    log_y=True,
)

# %% [markdown]
# **Figure 17.** Time against width. Twice the units are four times the numbers in $U$, and yet the time hardly rises as long as a step is small: it goes into *starting* the step, not into its numbers.

# %%
for name, series in (("length", times.by_length), ("width", times.by_width)):
    for net, points in series.items():
        (small, first), (large, final) = points[0], points[-1]
        times_more = f"{name} {small} to {large}, times {large / small:.0f}"
        print(f"{times_more}: {net} takes {final / first:.1f} times as long")

# %% [markdown]
# **What follows.** Read many sentences at once: a batch costs little more than one sentence. Make networks wide before you make texts long. On a GPU the difference is larger still: it has thousands of arithmetic units, and a recurrence over short vectors leaves most of them idle. This, more than accuracy, is why Transformers took over: their training sees all positions at once.

# %% [markdown]
# ## Quick questions
#
# **1.** A network of 64 units reads a text of 10 words, and then one of 10,000. How many more weights does it need for the second?
#
# <details><summary>Answer</summary>
#
# None. $W$, $U$ and $b$ are used again at each step. It needs more time, and for training more memory: BPTT keeps the states of all steps of a window.
#
# </details>

# %% [markdown]
# **2.** An acceptor reads "the film was not good" and gets a loss at the end. Which steps contribute to the gradient of $W$?
#
# <details><summary>Answer</summary>
#
# All five. There is one loss, but $W$ was used five times, and each use is a term of the sum. The terms of early steps have passed through more Jacobians, so they may be small.
#
# </details>

# %% [markdown]
# **3.** $U$ is orthogonal: it keeps the length of every vector. Can the gradient still vanish?
#
# <details><summary>Answer</summary>
#
# Yes. Each factor is $\mathrm{diag}(1 - h^2)\, U^\top$, and $1 - h^2$ is below 1 wherever a unit is not exactly 0. The lower panel of Figure 8 shows it. It cannot explode.
#
# </details>

# %% [markdown]
# **4.** Your loss is fine for 2,000 updates, then it jumps up within one and stays there. What do you look at first?
#
# <details><summary>Answer</summary>
#
# The global norm of the gradient at that update. If it is far above all others, clip by the global norm. If it is not, look at the data of that batch, and at the learning rate.
#
# </details>

# %% [markdown]
# ## Common mistakes
#
# | what you see | why | where |
# | --- | --- | --- |
# | works only if all sizes are equal | `W @ x` with rows, or $W$ and $U$ swapped | questions [1, 2](../exercises/01_rnn/01_rnn.ipynb) |
# | all states look as if they were the first | the new state is not passed on | question 3 |
# | the last state of short sentences is off | it was taken at the last column, which is padding; or at place *length*, not *length* − 1 | question 5 |
# | an influence far back is missing | `np.isclose`, or an input "changed" to the 0 that it was | question 6 |

# %% [markdown]
# | what you see | why | where |
# | --- | --- | --- |
# | $V$ and $c$ right, $U$ wrong | $h_t$ in the place of $h_{t-1}$; at the first step, Python's `states[-1]` is the *last* | question 7 |
# | gradients too small | `=` in the place of `+=`; nothing comes back from later steps; divided by $N$ twice | question 7 |
# | gradients nearly right | $1 - \tanh(h)^2$: but $h$ is the tanh already; $U$ not transposed | questions 7, 10 |
# | the loss never gets below a floor | windows from zeros, or cut across the streams | questions 8, 9 |
# | clipping changes the direction | each number or each array is clipped for itself; or the root is missing | question 12 |

# %% [markdown]
# ## Summary
#
# - A recurrent network is one function used at each step: $s_t = R(s_{t-1}, x_t)$, $y_t = O(s_t)$. Acceptor, encoder, transducer: the same states, used differently.
# - Elman: $h_t = \tanh(x_t W + h_{t-1} U + b)$.
# - BPTT is back-propagation in the unrolled network: sum over steps, two gradients at each state. Truncated: the state is carried, the gradient stops.
# - The gradient is a product of Jacobians $\mathrm{diag}(1 - h^2)\,U^\top$. It vanishes or explodes with distance; clipping by the global norm mends the second.
# - Units run in parallel, steps do not.

# %% [markdown]
# ## How old is this?
#
# Elman's network is from 1990, and today hardly anything for text is trained with it. Transformers (2017) replaced recurrence in language models: attention joins any two words directly, and training sees all positions at once.
#
# What carries over: one function with shared weights for every position; acceptor, encoder and transducer as ways to use it; clipping by the global norm, which most large Transformers are trained with; carried states across windows, which came back in Transformer-XL (2019).

# %% [markdown]
# What still uses recurrence: small devices and live signals, where each input must be answered at once with a state of fixed size; control and time series. And since 2021, a new family: state-space models (S4, Mamba), RWKV, xLSTM. Most leave out the tanh *between* states: a linear recurrence can be computed for all steps at once by a parallel scan, and so avoids the queue of [section s39](#s39). They still live with its product of factors, and choose these so that it neither vanishes nor explodes.

# %% [markdown]
# ## Where to go on
#
# The [exercise](../exercises/01_rnn/01_rnn.ipynb): step and loop (questions 1–4), three uses and influence (5, 6), BPTT, windows, truncation (7–9), Jacobians and clipping (10–12), waiting (13, 14). At its end, your own gradients train a network on program text. Then [lecture 2](02_lstm.ipynb): gates.

# %% [markdown]
# Papers and books:
#
# - J. L. Elman, 1990, *Finding structure in time*.
# - P. J. Werbos, 1990, *Backpropagation through time: what it does and how to do it*.
# - R. J. Williams and J. Peng, 1990, *An efficient gradient-based algorithm for on-line training of recurrent network trajectories* (truncation).
# - Y. Bengio, P. Simard and P. Frasconi, 1994, *Learning long-term dependencies with gradient descent is difficult*.
# - R. Pascanu, T. Mikolov and Y. Bengio, 2013, *On the difficulty of training recurrent neural networks* (clipping, the cliff).
# - Y. Goldberg, 2017, *Neural network methods for natural language processing*, chapter 14 (acceptor, encoder, transducer).
