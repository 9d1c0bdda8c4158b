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
# # Lecture 2: gates, LSTM and GRU
#
# The network of [lecture 1](01_rnn.ipynb) writes over its whole state at each step. This lecture shows how a network learns to leave a part of its memory alone, what this does for the gradient, and when it helps.
#
# You need lecture 1: the Elman step, and why gradients vanish. Reading and running take about 90 minutes. The exercise that belongs to it is [exercises/02_lstm](../exercises/02_lstm/02_lstm.ipynb).

# %% [markdown]
# ## What you will be able to do
#
# - Say what a gate is, and why a gate that is to be learned must be soft.
# - Write one step of an LSTM and of a GRU, and check them against Keras.
# - Read both in the notation of other texts, and turn weights of one form into those of another.
# - Explain what the forget gate does to the gradient of the memory, and what its bias has to do with it.
# - Judge the sentence "an LSTM remembers, a simple network forgets" by measurements.

# %%
import os

# First, because it tells TensorFlow and Keras how to start.
from rnnkit import data, experiments, layers, models, plots, text

import keras
import numpy as np
import tensorflow as tf
from keras import ops

FAST = os.environ.get("RNNKIT_FAST") == "1"  # our own quick tests; shorter training
tf.get_logger().setLevel("ERROR")  # no notes about each new graph
keras.utils.set_random_seed(2)

# %% [markdown]
# ## Symbols of this lecture
#
# | symbol | in the code | shape | what it is |
# | --- | --- | --- | --- |
# | $x_t$ | `x` | (features,) | the input of step $t$ |
# | $h_t$ | `h` | (units,) | the state after step $t$; $s_t$ for a network of nothing but gates |
# | $c_t$ | `c` | (units,) | the memory of an LSTM after step $t$ |
# | $i, f, o$; $r, z$ | `i`, `f`, `o`, `r`, `z` | (units,) | gates, from 0 to 1 |
# | $g$ | `g` | (units,) | what may be written, the candidate; some texts: $\tilde c$ |
# | $\sigma$ | `sigmoid` | | $\sigma(a) = 1 / (1 + e^{-a})$ |
# | $\odot$ | `*` | | the product, number by number |
#
# $W$, $U$, $b$ as in lecture 1, one of each for each gate: $W_f$. See [notation](notation.ipynb).

# %% [markdown]
# <a id="s5"></a>
#
# ## How can a network keep something while it reads on?
#
# An Elman network reads *all* of its state and writes *all* of it, at each step. To keep one number for forty steps, its matrix $U$ must give this number back forty times, whatever else comes in.
#
# A computer's memory works otherwise: a place is written when it is addressed, and else it stays. For this we need a switch for each place of the memory, a **gate**.

# %% [markdown]
# A gate $g$ holds a 1 where the input is written, and a 0 where the memory stays:
#
# $$s' = g \odot x + (1 - g) \odot s$$
#
# For example, this one writes the second place:
#
# $$\begin{pmatrix} 8 \\ 11 \\ 3 \end{pmatrix} = \begin{pmatrix} 0 \\ 1 \\ 0 \end{pmatrix} \odot \begin{pmatrix} 10 \\ 11 \\ 12 \end{pmatrix} + \begin{pmatrix} 1 \\ 0 \\ 1 \end{pmatrix} \odot \begin{pmatrix} 8 \\ 9 \\ 3 \end{pmatrix}$$

# %%
g, x, s = np.array([0, 1, 0]), np.array([10, 11, 12]), np.array([8, 9, 3])
print("written:", g * x, " kept:", (1 - g) * s, " together:", g * x + (1 - g) * s)

# %% [markdown]
# With the right gates, this is a small machine. Here are three places of memory, and gates that are set by hand: the first place is written at each capital letter, the second at each digit, the third always. The content of a place is a letter's code.

# %%
string = "abC4de7FghJkl2m"
memory = np.array([ord("-")] * 3)
gates = []
for letter in string:
    g = np.array([letter.isupper(), letter.isdigit(), True], dtype=int)
    memory = g * ord(letter) + (1 - g) * memory
    gates.append(g)
    print(letter, "gates", g, " memory", " ".join(map(chr, memory)))

# %%
plots.gates_over_time({"gates set by hand": np.array(gates)}, string)

# %% [markdown]
# **Figure 1.** Hard gates over a string; dark is 1. Unit 0 is open at capitals, unit 1 at digits: each holds the *last* one that it saw, as long as it likes. Unit 2 is always open, and knows the last symbol only.

# %% [markdown]
# ### Can a network learn when to open them?
#
# Somebody must compute the gates. Let the network do it, from the input and the state. But a **hard** gate, "1 where $xW + sU + b > 0$, else 0", cannot be learned by gradient descent: move a weight a little, and nearly always nothing changes. Its slope is 0 everywhere, except at the jump, where it has none. The way out is a **soft** gate: the sigmoid rises smoothly from 0 to 1, and has a slope.

# %%
def sigmoid(a):
    return 1 / (1 + np.exp(-np.asarray(a, dtype="float64")))


values = np.linspace(-6, 6, 121)
plots.curves(
    {
        "value": {
            "hard gate": [(a, float(a > 0)) for a in values],
            "soft gate": [(a, sigmoid(a)) for a in values],
        },
        "slope": {
            "hard gate": [(a, np.nan if abs(a) < 0.01 else 0.0) for a in values],
            "soft gate": [(a, sigmoid(a) * (1 - sigmoid(a))) for a in values],
        },
    },
    "a = x W + s U + b",
    "value or slope",
)

# %% [markdown]
# **Figure 2.** Above, the value of a gate; below, its slope. The soft gate learns best near the middle, where its slope is 1/4. A gate that is wide open or shut hardly learns any more: it is saturated.

# %% [markdown]
# So the smallest recurrent network with a gate is
#
# $$g_t = \sigma(x_t W + s_{t-1} U + b) \qquad s_t = g_t \odot x_t + (1 - g_t) \odot s_{t-1}$$
#
# Where $g_t$ is near 0, the old state goes on *as it is*: no matrix stands between $s_{t-1}$ and $s_t$, and no tanh. In the package, `layers.SoftGateCell` is this with one more matrix, which turns an input of any size into what is written: $x_t W_x + b_x$ in the place of $x_t$.

# %% [markdown]
# ### Does it learn to copy?
#
# One of eight symbols stands somewhere among blanks; at the end, the network must say it. It should open its gates at the symbol, and shut them at blanks. We train the soft gate and an Elman network on strings of 20 steps, the same way and from three seeds.

# %%
SYMBOLS, BLANK, LENGTH = 8, 9, 8 if FAST else 20


def hidden_symbols(count, length, seed, at_first=False):
    """Ids (count, length) with one symbol among blanks, and the symbols (count,)."""
    generator = np.random.default_rng(seed)
    ids = np.full((count, length), BLANK, dtype="int32")
    answers = generator.integers(1, SYMBOLS + 1, count)
    places = np.zeros(count, int) if at_first else generator.integers(0, length, count)
    ids[np.arange(count), places] = answers
    return ids, answers


def copier(cell, seed, epochs=1 if FAST else 6):
    keras.utils.set_random_seed(seed)
    ids = keras.Input((None,), dtype="int32")
    vectors = keras.layers.Embedding(BLANK + 1, 16)(ids)
    _, (last, *_) = layers.Recurrence(cell)(vectors)
    model = keras.Model(ids, keras.layers.Dense(SYMBOLS + 1)(last))
    model.compile(
        optimizer=keras.optimizers.Adam(0.01, global_clipnorm=1.0),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    inputs, answers = hidden_symbols(1024, LENGTH, seed)
    model.fit(inputs, answers, batch_size=32, epochs=epochs, verbose=0)
    return model

# %%
SEEDS = (0,) if FAST else (0, 1, 2)
CELLS = {"soft gate": lambda: layers.SoftGateCell(16), "Elman": lambda: layers.ElmanCell(16)}
copiers = {name: [copier(make(), seed) for seed in SEEDS] for name, make in CELLS.items()}


def share_right(model, wait):
    inputs, answers = hidden_symbols(100, wait + 1, seed=9, at_first=True)
    return float(np.mean(ops.convert_to_numpy(model(inputs)).argmax(-1) == answers))


WAITS = (3, 7, 14) if FAST else (5, 19, 40, 80, 160)
plots.curves(
    {
        name: [(wait, [share_right(model, wait) for model in trained]) for wait in WAITS]
        for name, trained in copiers.items()
    },
    "blanks after the symbol (steps)",
    "right answers (share)",
    chance=round(1 / SYMBOLS, 3),
    y_limits=(-0.03, 1.03),
)

# %% [markdown]
# **Figure 3.** Copying after a wait. In training, no wait was longer than the 19 steps that a string of 20 has room for. Look what becomes of longer waits: a gate that is shut keeps what it holds for *any* number of steps, if it is shut well enough.

# %%
def gates_of(model, ids):
    """The gates of a soft-gate network while it reads, (time, units)."""
    _, embedding, recurrence, _ = model.layers
    cell = recurrence.cell
    vectors = embedding(ids[None])
    states, _ = recurrence(vectors)
    before = ops.pad(states[:, :-1], [(0, 0), (1, 0), (0, 0)])  # zeros before the first step
    from_input = cell.project(vectors)[..., : cell.units]
    return ops.convert_to_numpy(ops.sigmoid(from_input + before @ cell.recurrent_kernel))[0]


shown = np.full(16, BLANK)
shown[5] = 3
names = ["C" if symbol == 3 else "·" for symbol in shown]
plots.gates_over_time({"soft gates after training": gates_of(copiers["soft gate"][0], shown)}, names)

# %% [markdown]
# **Figure 4.** The 16 gates of one trained network over fifteen blanks and one symbol, C. At the symbol many are open, and write it; at the blanks after it, most of these are shut, and keep it. Nobody set them. Some others are open at blanks. Why does this do no harm?

# %% [markdown]
# **What goes wrong.** A gate that is shut from the beginning never learns to open, since its slope is 0; so biases begin near 0, or where the design wants them. And mind the direction: here a 1 lets the *input* in. Other texts turn it round, and the GRU below does too.

# %% [markdown]
# <a id="s6"></a>
#
# ## What is an LSTM?
#
# The *long short-term memory* (Hochreiter and Schmidhuber, 1997) has two states: a **memory** $c$, which only gates can change, and a **state** $h$, which the rest of the network sees. It splits one gate into two, for writing and for keeping, and adds a third for reading:
#
# | gate | decides | if it is 0 |
# | --- | --- | --- |
# | input gate $i$ | what of the candidate $g$ is written | nothing new is stored |
# | forget gate $f$ | what of the memory is kept | all is forgotten |
# | output gate $o$ | what of the memory is shown | the memory is hidden, but still there |

# %% [markdown]
# The whole step. All gates see the input and the old state $h_{t-1}$:
#
# $$i_t = \sigma(x_t W_i + h_{t-1} U_i + b_i) \qquad f_t = \sigma(x_t W_f + h_{t-1} U_f + b_f)$$
#
# $$o_t = \sigma(x_t W_o + h_{t-1} U_o + b_o) \qquad g_t = \tanh(x_t W_g + h_{t-1} U_g + b_g)$$
#
# $$c_t = f_t \odot c_{t-1} + i_t \odot g_t \qquad h_t = o_t \odot \tanh(c_t)$$
#
# The first forms of 1997 had no forget gate: $f = 1$, always. It came in 2000 (Gers and others).

# %%
words = ["the", "bank", "closed", "early", "today"]
n = len(words)
plots.draw_network(
    plots.Network(
        rows=[
            plots.Row("x", "input", words, look="word"),
            plots.Row("h", "state", "h" * n),
            plots.Row("c", "memory", "c" * n, look="vector"),
        ],
        links=[
            plots.Link("x", "h", "up"),
            plots.Link("h", "h", "next"),
            plots.Link("c", "h", "up"),
            plots.Link("c", "c", "next"),
        ],
        description="An LSTM over five words, with a row of states h and a row of memories c.",
    ),
    path=(("c", 0), ("c", n - 1)),
    title="the memory has a way of its own",
)

# %% [markdown]
# **Figure 5.** Two states go from step to step. Along the strong way there are no matrices and no tanh, only forget gates. What is written into $c$ comes from the input and the old $h$ (not drawn, to keep the picture clear); what $h$ shows comes from $c$.

# %% [markdown]
# The formula in code: one sentence, weights in a dictionary, gate by gate. Keras keeps the four blocks side by side in one matrix, in the order **i, f, g, o**; the first two lines cut them apart.

# %%
units, features, steps = 6, 4, 7
keras_lstm = keras.layers.LSTM(units, return_sequences=True)
inputs = np.random.default_rng(0).normal(size=(steps, features)).astype("float32")
from_keras = ops.convert_to_numpy(keras_lstm(inputs[None]))[0]


def cut(weights, blocks):
    """The blocks of a matrix or of a bias, by name."""
    return dict(zip(blocks, np.split(weights, len(blocks), axis=-1)))


W, U, b = (cut(weights, "ifgo") for weights in keras_lstm.get_weights())
h = c = np.zeros(units)
for x in inputs:
    a = {gate: x @ W[gate] + h @ U[gate] + b[gate] for gate in "ifgo"}
    c = sigmoid(a["f"]) * c + sigmoid(a["i"]) * np.tanh(a["g"])
    h = sigmoid(a["o"]) * np.tanh(c)
print("the last state:", h.round(4))
print(f"largest difference from keras.layers.LSTM: {np.abs(h - from_keras[-1]).max():.1e}")
print("biases of the four gates in Keras, before training:", {g: b[g][0].item() for g in "ifgo"})

# %% [markdown]
# ### And a GRU?
#
# The *gated recurrent unit* (Cho and others, 2014) does with one state and two gates. One gate, $z$, both keeps and writes: what it does not keep, it writes. The reset gate $r$ decides how much of the old state the candidate sees. In Keras's form:
#
# $$z_t = \sigma(x_t W_z + b_z + h_{t-1} U_z + b'_z) \qquad r_t = \sigma(x_t W_r + b_r + h_{t-1} U_r + b'_r)$$
#
# $$g_t = \tanh\bigl(x_t W_g + b_g + r_t \odot (h_{t-1} U_g + b'_g)\bigr) \qquad h_t = z_t \odot h_{t-1} + (1 - z_t) \odot g_t$$

# %% [markdown]
# Three places where texts and libraries differ, and where weights of one are wrong for the other:
#
# - **$z$ keeps the old state** here (Cho and others, Keras, PyTorch). Chung and others wrote $h_t = (1 - z_t) \odot h_{t-1} + z_t \odot g_t$.
# - **Two biases**, $b$ and $b'$: for $z$ and $r$ only their sum counts, but $b'_g$ stands inside the reset gate.
# - **Where the reset gate acts**: after the product with $U_g$ (Keras's `reset_after=True`), or before it, $(r_t \odot h_{t-1})\, U_g$, as in the first paper.

# %%
keras_gru = keras.layers.GRU(units, return_sequences=True)
keras_gru.build((None, None, features))
random = np.random.default_rng(1)  # biases that are not 0, so that a wrong one is seen
keras_gru.set_weights([random.normal(0, 0.5, w.shape) for w in keras_gru.get_weights()])
kernel, recurrent_kernel, biases = keras_gru.get_weights()
W, U = cut(kernel, "zrg"), cut(recurrent_kernel, "zrg")
b, b2 = cut(biases[0], "zrg"), cut(biases[1], "zrg")


def gru(reset_after=True, z_keeps=True):
    h = np.zeros(units)
    for x in inputs:
        z = sigmoid(x @ W["z"] + b["z"] + h @ U["z"] + b2["z"])
        r = sigmoid(x @ W["r"] + b["r"] + h @ U["r"] + b2["r"])
        past = r * (h @ U["g"] + b2["g"]) if reset_after else (r * h) @ U["g"] + b2["g"]
        g = np.tanh(x @ W["g"] + b["g"] + past)
        h = z * h + (1 - z) * g if z_keeps else (1 - z) * h + z * g
    return h


expected = ops.convert_to_numpy(keras_gru(inputs[None]))[0, -1]
for form in ({}, {"reset_after": False}, {"z_keeps": False}):
    difference = np.abs(gru(**form) - expected).max()
    print(f"{form or 'as above'}: difference from keras.layers.GRU {difference:.1e}")

# %% [markdown]
# ### How do other texts write it?
#
# | | here and Keras | Jurafsky, Martin | Goldberg | Eisenstein |
# | --- | --- | --- | --- | --- |
# | vectors | rows | columns | rows | columns |
# | state, memory | $h_t$, $c_t$ | $h_t$, $c_t$ | $h_j$, $c_j$ | $h_m$, $c_m$ |
# | input | $x_t W_f$ | $W_f x_t$ | $x_j W^{xf}$ | $\Theta^{(x \to f)} x_{m+1}$ |
# | old state | $h_{t-1} U_f$ | $U_f h_{t-1}$ | $h_{j-1} W^{hf}$ | $\Theta^{(h \to f)} h_m$ |
# | candidate | $g$ | $g_t$ | $z$ | $\tilde c_{m+1}$ |
# | biases | yes | left out | left out | yes |
# | weights | side by side: i, f, g, o | one for each gate | one for each gate | one for each gate |

# %% [markdown]
# Two traps in this table. Goldberg's $z$ is the candidate of an LSTM; here, $z$ is the update gate of a GRU. And libraries put the blocks in different orders: Keras and PyTorch have i, f, g, o for the LSTM; for the GRU Keras has z, r, g, and PyTorch r, z, g.
#
# The same step with columns, from Keras's weights: each matrix is the transpose.

# %%
W, U, b = (cut(weights, "ifgo") for weights in keras_lstm.get_weights())
x, h, c = inputs[0], from_keras[0], np.linspace(-1, 1, units)
rows = sigmoid(x @ W["f"] + h @ U["f"] + b["f"])
W_f, U_f = W["f"].T, U["f"].T  # as in a textbook with columns
columns = sigmoid(U_f @ h[:, None] + W_f @ x[:, None] + b["f"][:, None])
print(f"forget gate, rows and columns: largest difference {np.abs(rows - columns[:, 0]).max():.1e}")

# %% [markdown]
# ### What does it cost?
#
# More blocks are more weights, and more time for each step. The next cell counts the numbers that a layer of each kind learns. Compare the ratios with the number of blocks: 1, 3 and 4.

# %%
for kind in ("elman", "gru", "lstm"):
    layer = layers.Recurrence(layers.make_cell(kind, 100))
    layer.build((None, None, 50))
    count = sum(int(np.prod(weight.shape)) for weight in layer.trainable_weights)
    print(f"{kind:>6}: 50 inputs, 100 units: {count:7,} weights")

# %% [markdown]
# ### What does a memory do that a state cannot?
#
# $c$ has no tanh around it on its way, so it can grow: it can **count**. We train a small LSTM to predict the next symbol of strings like `#aaabbb#aabb`: a number of a's, and then as many b's. When the b's will end, only a counter can tell. In training, there are at most 10 of each.

# %%
COUNT_IDS = {"a": 1, "b": 2, "#": 3}


def blocks_of_ab(count, length, most, seed):
    """Ids (count, length + 1) of strings #aabb#ab#aaabbb."""
    generator = np.random.default_rng(seed)
    rows = []
    for _ in range(count):
        row = []
        while len(row) <= length:
            number = int(generator.integers(1, most + 1))
            row += [3] + [1] * number + [2] * number
        rows.append(row[: length + 1])
    return np.array(rows, dtype="int32")


keras.utils.set_random_seed(1)
ids = keras.Input((None,), dtype="int32")
embedding, counting = keras.layers.Embedding(4, 8), layers.Recurrence(layers.LSTMCell(8))
counter = keras.Model(ids, keras.layers.Dense(4)(counting(embedding(ids))[0]))
counter.compile(
    optimizer=keras.optimizers.Adam(0.01, global_clipnorm=1.0),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
strings = blocks_of_ab(64 if FAST else 512, 8 if FAST else 40, most=10, seed=1)
counter.fit(
    strings[:, :-1],
    strings[:, 1:],
    batch_size=32,
    epochs=1 if FAST else 25,
    verbose=0,
    callbacks=[plots.TrainingCurve("Next symbol of #aabb")],
);

# %% [markdown]
# The next cell reads a string with the trained weights, by the formula, and keeps the memory and the gates of each step. Then it looks for the unit whose memory follows the count (a's minus b's) most closely.

# %%
def watch(string):
    """The formula, with the trained weights: all c, and all gates, (time, units) each."""
    W, U, b = (cut(weights, "ifgo") for weights in counting.get_weights())
    vectors = ops.convert_to_numpy(embedding(np.array([COUNT_IDS[s] for s in string])))
    h = c = np.zeros(8)
    memories, gates = [], {"input gate i": [], "forget gate f": [], "output gate o": []}
    for x in vectors:
        a = {gate: x @ W[gate] + h @ U[gate] + b[gate] for gate in "ifgo"}
        c = sigmoid(a["f"]) * c + sigmoid(a["i"]) * np.tanh(a["g"])
        h = sigmoid(a["o"]) * np.tanh(c)
        memories.append(c)
        for name, rows in gates.items():
            rows.append(sigmoid(a[name[-1]]))
    return np.array(memories), {name: np.array(rows) for name, rows in gates.items()}


def count_of(string):
    return np.cumsum([(s == "a") - (s == "b") for s in string])


probe = "#" + "a" * 10 + "b" * 10
follows = [abs(np.corrcoef(memory, count_of(probe))[0, 1]) for memory in watch(probe)[0].T]
COUNTING_UNIT = int(np.nanargmax(follows))
print(f"unit {COUNTING_UNIT} follows the count best: correlation {follows[COUNTING_UNIT]:.2f}")


def ends_right(number):
    """Whether it says # after the last b, and b after each b before it."""
    string = "#" + "a" * number + "b" * number
    said = ops.convert_to_numpy(counter(np.array([[COUNT_IDS[s] for s in string]])))[0].argmax(-1)
    return bool((said[number + 1 : -1] == 2).all() and said[-1] == 3)


print("ends at the right place:", {number: ends_right(number) for number in (2, 5, 10, 12, 15, 20)})

# %%
def memory_of(how_many):
    string = "#" + "a" * how_many + "b" * how_many
    c = watch(string)[0][:, COUNTING_UNIT]
    lines = {
        "a's minus b's": count_of(string),
        f"memory c of unit {COUNTING_UNIT}": c,
        "tanh(c), all that h can show": np.tanh(c),
    }
    series = {name: list(enumerate(line.tolist(), 1)) for name, line in lines.items()}
    return plots.curves(series, "step", "value", title=f"{how_many} a's, {how_many} b's")


plots.play(memory_of, how_many=[8, 16, 3, 12, 24], show=2)

# %% [markdown]
# **Figure 6.** One number of the memory while the network reads a's and then b's. It goes one way at each a, and back at each b: a counter, which nobody built in. The second string is longer than all in the training. What reaches $h$ passes through a tanh and is squeezed; the count itself lives in $c$ alone. An Elman network has no such place.

# %%
string = "#" + "a" * 6 + "b" * 6
plots.gates_over_time(watch(string)[1], string)

# %% [markdown]
# **Figure 7.** All gates of the same network. Look at the forget gate of the unit in Figure 6: to count, it must stay dark, near 1, at a's and b's. At `#` a unit may forget, and begin again.

# %% [markdown]
# **What goes wrong.** Shapes forgive nearly every slip here: blocks in a wrong order, $h$ and $c$ exchanged, a missing tanh around $c$, the memory of the step *before* used for $h$. All give numbers of the right shape, and even train. Only a comparison with a known layer under the same weights shows it. Check with biases that are not zero.

# %% [markdown]
# <a id="s7"></a>
#
# ## Why does an LSTM keep gradients?
#
# Take the memory's own way from step to step, $c_t = f_t \odot c_{t-1} + i_t \odot g_t$, with the gates as they are. Back along it goes one factor for each step, for each unit alone:
#
# $$\frac{\partial c_t}{\partial c_{t-1}} = f_t \qquad\text{so}\qquad \frac{\partial c_N}{\partial c_t} = f_{t+1} \odot \dots \odot f_N$$
#
# In an Elman network the factor is $\mathrm{diag}(1 - h^2)\, U^\top$. Here it is a number that the network *chooses*. **With a forget gate of 1 the gradient comes back whole**, from any distance.

# %% [markdown]
# But what is the forget gate at the beginning? Weights are small, so it is about $\sigma(b_f)$, the same at each step. Keras begins with $b_f = 1$ and zeros for the other gates. How much is left after $n$ steps?

# %%
BIASES = (1, 5) if FAST else (0, 1, 3, 5)
for bias in BIASES:
    left = "  ".join(f"{n}: {sigmoid(bias) ** n:8.1e}" for n in (1, 10, 50, 100))
    print(f"forget bias {bias}: gate {sigmoid(bias):.3f}, left after steps  {left}")
plots.curves(
    {f"forget bias {bias}": [(n, sigmoid(bias) ** n) for n in range(101)] for bias in BIASES},
    "steps",
    "what is left of a memory",
)

# %% [markdown]
# **Figure 8.** The power $\sigma(b_f)^n$. A gate of 0.73 sounds like "mostly kept", and after ten steps nearly all is gone. "An LSTM remembers" is true of what it *can* do. What it does at the beginning of training is decided by one number.

# %% [markdown]
# ### Measured
#
# The product above holds all gates fixed. In a real LSTM a change of $c_t$ also changes $h_t$, and so all gates after it. The next cell measures the whole gradient in networks that have learned nothing yet (64 units, three seeds): as in lecture 1, but for LSTMs with four forget biases, beside an Elman network with an orthogonal $U$.

# %%
STEPS = 8 if FAST else 50
norms = experiments.gradients(
    seeds=(0,) if FAST else (0, 1, 2), steps=STEPS, forget_biases=BIASES
)
STATES = {"memory c": "c", "state h": "h"}
INPUTS = ["inputs of standard deviation 1", "small inputs"]


def gradients_of(inputs, state):
    panels = norms.by_forget_bias(STATES[state], inputs)
    return plots.curves(panels, "distance (steps)", f"norm, {state}", log_y=True, title=inputs)


plots.play(gradients_of, inputs=INPUTS, state=list(STATES), show=2)

# %% [markdown]
# **Figure 9.** What is left of a gradient, by forget bias and by how $U$ begins. With the biases 0 and 1 it falls from step to step, with 3 and 5 it stays. In the first picture (inputs of standard deviation 1) the Elman network vanishes too. In the second (small inputs) it keeps its gradient better than an LSTM with Keras's bias of 1. (Its line shows its $h$.) Choose "state h" for the $h$ of the LSTMs.

# %%
for inputs in INPUTS:
    print(f"{inputs}, memory c, distance {STEPS}; the product σ(b)^n stands at the right")
    for panel, lines in norms.by_forget_bias("c", inputs).items():
        for name, points in lines.items():
            median = np.median(dict(points)[STEPS])
            bias = name.removeprefix("LSTM, forget bias ")
            product = f"{sigmoid(float(bias)) ** STEPS:.1e}" if bias != name else ""
            print(f"  {panel:>22}, {name:<19}: {median:.1e}  {product}")

# %% [markdown]
# Two things to read from the table:
#
# - Over a long way, the measured norms are *larger* than the product. The gradient comes through the gates and $h$ too, and these ways add to the memory's own.
# - So they can also grow: look for norms above 1 where inputs are small and the bias is large. **An LSTM can explode**, and is trained with clipping like any other network. Gates make vanishing a matter of choice. They do not abolish it.

# %% [markdown]
# ### Does it remember better, then?
#
# What counts is what is learned. The task: one of eight symbols, then 49 blanks, then say the symbol. Elman networks and LSTMs (32 units), with two beginnings of $U$, four forget biases, and two sizes of embeddings, each from three seeds. The networks of one kind are trained side by side. This takes about half a minute.

# %%
copies = experiments.copying_together(
    seeds=(0,) if FAST else (0, 1, 2), forget_biases=BIASES, updates=4 if FAST else 300
)
plots.curves(
    copies.series(), "forget bias", "accuracy", chance=copies.chance, y_limits=(-0.03, 1.03)
)

# %% [markdown]
# **Figure 10.** Which networks learn to copy, by how they begin; a band goes from the worst to the best seed. An Elman network has no forget gate, so its line is level. Where does "an LSTM remembers, a simple network forgets" hold, and where not?

# %% [markdown]
# The same with 64 units, a wait of 100 steps, and a GRU beside them takes several minutes. Median (smallest to largest) over 6 seeds, for LSTMs over 24, from `python benchmarks/lecture_numbers.py copying`:
#
# | | embeddings as Keras makes them | of standard deviation 1 |
# | --- | --- | --- |
# | Elman, orthogonal $U$ | 1.00 (0.12 to 1.00) | 0.12 (0.12 to 0.12) |
# | GRU, orthogonal | 1.00 (1.00 to 1.00) | 1.00 (0.12 to 1.00) |
# | LSTM, orthogonal, forget bias 1 | 0.12 (0.12 to 0.12) | 0.12 (0.12 to 0.12) |
# | LSTM, orthogonal, forget bias 3 | 1.00 (1.00 to 1.00) | 1.00 (0.38 to 1.00) |
# | LSTM, orthogonal, forget bias 5 | 1.00 (1.00 to 1.00) | 1.00 (1.00 to 1.00) |

# %% [markdown]
# What these figures allow us to say:
#
# - LSTMs with a **large forget bias** (5) learn it from every seed, with all beginnings that we tried.
# - LSTMs with a bias of 0 or 1, which is Keras's, mostly stay at chance. They are not unable to remember; their gradient does not reach the symbol.
# - The plain network **can win**: with small embeddings and an orthogonal $U$ it sits where tanh is straight, and keeps gradients as well as any gate. With inputs of size 1 it fails from every seed.
#
# It is not the kind of network that decides, but whether the gradient survives the wait at the beginning.

# %% [markdown]
# **What goes wrong.** Setting the forget bias in a wrong block (the order is i, **f**, g, o), or adding it on top of Keras's 1. And a large bias is no gift for every task: a memory that keeps everything must first learn to forget. Where the wait is unknown, begin biases at different values for different units, such as $b_f = \log n$ for waits $n$ from 1 to the longest that you expect.

# %% [markdown]
# ## Quick questions
#
# **1.** What does an LSTM do when $f = 1$ and $i = 0$ at each step? When $f = 0$ and $i = 1$?
#
# <details><summary>Answer</summary>
#
# First: the memory stays exactly as it is, and so does its gradient. Second: the memory is the candidate of this step, $c_t = g_t$; nothing is kept in it, and the network is an Elman network with an output gate and one more tanh.
#
# </details>

# %% [markdown]
# **2.** Why does a GRU with $z$ = 0.99 keep a gradient, though it has no memory $c$?
#
# <details><summary>Answer</summary>
#
# $h_t = z \odot h_{t-1} + (1 - z) \odot g_t$ has the same straight way: along it, the factor is $z$. It needs no second state for this, but what it keeps is also what it shows, and it cannot count: $h$ is a mean of values between −1 and 1.
#
# </details>

# %% [markdown]
# **3.** You load LSTM weights from another library. The shapes fit, no error comes, and the outputs are wrong. Name three suspects.
#
# <details><summary>Answer</summary>
#
# The order of the blocks; a recurrent matrix that should be transposed (it is square, so its shape fits both ways); two bias vectors that should be added up, or a forget bias that the code adds on its own.
#
# </details>

# %% [markdown]
# **4.** A forget bias of 5 means a gate of 0.993. After how many steps is half of the memory gone?
#
# <details><summary>Answer</summary>
#
# About 100: $0.993^{100} \approx 0.5$. In the exercise you write the formula for any bias.
#
# </details>

# %% [markdown]
# ## Common mistakes
#
# | what you see | why | where |
# | --- | --- | --- |
# | the gate keeps where it should write | the direction is turned round; or (1 + g), a misprint that goes round | questions [1, 2](../exercises/02_lstm/02_lstm.ipynb) |
# | the loss of the gate model does not fall | the last layer looks at the first state, or at all states | question 3 |
# | right shapes, wrong numbers | blocks in the order i, f, o, g or i, g, f, o; a sigmoid for the candidate; no tanh around $c$; the old memory in $h$ | question 5 |

# %% [markdown]
# | what you see | why | where |
# | --- | --- | --- |
# | it forgets everything at each step | $c$ is not passed on; or $c$ comes back in the place of $h$ | question 6 |
# | a GRU that is nearly right | one row of biases not used; reset before the product; $z$ lets the new in | questions 7, 9 |
# | weights of a textbook do not work | not transposed ($U$ is square!), reshaped, or in another order | question 8 |
# | a count that is a little off | one bias vector in the GRU, or two in the LSTM | question 10 |
# | the product of gates is off by one step | the gate of step $t$ itself is in it | question 12 |

# %% [markdown]
# ## Summary
#
# - A gate decides number by number what is written and what is kept: $s' = g \odot x + (1 - g) \odot s$. Soft gates can be learned.
# - LSTM: $c_t = f_t \odot c_{t-1} + i_t \odot g_t$, $h_t = o_t \odot \tanh(c_t)$. GRU: one state, two gates, $h_t = z_t \odot h_{t-1} + (1 - z_t) \odot g_t$.
# - Texts differ in rows and columns, orders, names, and in what $z$ keeps.
# - On the memory's own way the gradient is multiplied by $f$ alone. What $f$ is at the beginning, the forget bias decides.
# - Claim what several seeds show: with Keras's beginning, the plain network can win.

# %% [markdown]
# ## How old is this?
#
# The LSTM is from 1997, its forget gate from 2000, the GRU from 2014. From about 2013 to 2017 LSTMs were the best that there was for speech, handwriting, translation, parsing and language models. Then Transformers took these over, one after the other: attention reaches any place in one step, so nothing has to survive a long way, and training runs in parallel over positions.
#
# Vanishing gradients did not go away with them: they moved from time to depth.

# %% [markdown]
# What carries over: the straight way past the matrices. A residual connection, $h + F(h)$, in every Transformer and deep image network, is a memory with $f = i = 1$; highway networks (2015) had the gates as well. Gates came back in feed-forward layers (GLU, SwiGLU).
#
# What still uses it: LSTMs and GRUs in small devices, speech and sensors, time series, control. And new recurrent networks for long texts are gates again: Mamba, RWKV, Griffin, minLSTM and xLSTM (2023 and 2024) keep $c_t = f_t \odot c_{t-1} + \dots$, mostly with gates that see the input alone, so that all steps can be computed in parallel.

# %% [markdown]
# ## Where to go on
#
# The [exercise](../exercises/02_lstm/02_lstm.ipynb): gates that learn (questions 1–4), LSTM and GRU (5–7), notations and counts (8–10), forget gates and half-lives (11–13), the long wait and what may be claimed (14, 15). At its end, your LSTM reads a program. Then [lecture 3](03_language_model.ipynb): language models.

# %% [markdown]
# Papers and books:
#
# - S. Hochreiter and J. Schmidhuber, 1997, *Long short-term memory*.
# - F. A. Gers, J. Schmidhuber and F. Cummins, 2000, *Learning to forget: continual prediction with LSTM*.
# - K. Cho and others, 2014, *Learning phrase representations using RNN encoder-decoder for statistical machine translation* (GRU).
# - J. Chung and others, 2014, *Empirical evaluation of gated recurrent neural networks on sequence modeling* (the other $z$).
# - R. Jozefowicz, W. Zaremba and I. Sutskever, 2015, *An empirical exploration of recurrent network architectures* (forget bias).
# - G. Weiss, Y. Goldberg and E. Yahav, 2018, *On the practical computational power of finite precision RNNs for language recognition* (counting).
# - C. Tallec and Y. Ollivier, 2018, *Can recurrent neural networks warp time?* (biases for a range of waits).
