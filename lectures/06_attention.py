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
# # Lecture 6: attention
#
# [Lecture 5](05_seq2seq.ipynb) ended at a bottleneck: one vector had to hold the whole source. This lecture removes it. The decoder may look at all states of the encoder, before each step, and learns by itself where to look.
#
# The exercise is [exercises/06_attention](../exercises/06_attention/06_attention.ipynb). All numbers below are measured while this notebook runs, or stand beside the command that measured them.

# %% [markdown]
# ## What you will be able to do
#
# 1. Compute scores, weights and context of one decoder step, with padding left out.
# 2. Compare additive, multiplicative and dot-product scores.
# 3. Count the arrows between an input and an output, and measure what this does to gradients.
# 4. Read an alignment out of a trained model, and judge it with the alignment error rate.
# 5. Say what attention mends, what it costs, and what it does not explain.

# %%
import os

# First, because it tells TensorFlow and Keras how to start.
from rnnkit import data, layers, metrics, models, plots, text

import keras
import numpy as np

FAST = os.environ.get("RNNKIT_FAST") == "1"  # our own tests: shorter training
PAD_ID, UNK_ID, BOS_ID, EOS_ID = 0, 1, 2, 3  # padding, unknown, start token, end token
keras.utils.set_random_seed(6)
print("Training in the", "short" if FAST else "full", "setting")

# %% [markdown]
# ### Symbols of this lecture
#
# | symbol | in the code | shape | what it is |
# | --- | --- | --- | --- |
# | $h_j$ | `h[j]`, `keys` | (key_units,) | the encoder's state at source position $j$ |
# | $s_{i-1}$ | `s`, `query` | (units,) | the decoder's state *before* step $i$ |
# | $e_{ij}$ | `scores` | (source,) | how well position $j$ fits step $i$ |
# | $\alpha_{ij}$ | `weights` | (source,) | the attention weights of step $i$; their sum is 1 |
# | $c_i$ | `context` | (key_units,) | the context vector of step $i$ |
# | $V$, $b_o$ | `V`, `b_o` | (units + key_units, vocabulary) | the output layer |
# | $m_j$ | `mask` | (source,) | 1 for a real symbol, 0 for padding |
#
# All lectures share one notation: [notation](notation.ipynb).

# %% [markdown]
# <a id="s25"></a>
#
# ## Why should the decoder look only once?
#
# A person who translates a long sentence reads it, and then looks back at it again and again, each time at another part. The decoder of lecture 5 cannot: it gets one vector, and the encoder's other states are thrown away.
#
# **Attention** keeps them all. Before each step, the decoder makes a new context for itself: a weighted sum of the encoder's states. The weights say where it looks, and they depend on where the decoder stands.

# %%
plots.unrolled("chat", "tahc", attention=True)

# %% [markdown]
# **Figure 1.** An encoder-decoder with attention, which writes `chat` backwards. Each context $c_i$ (circle) gets an arrow from every encoder state. There is no longer *one* context: each step has its own. (Not drawn: the arrows from each $s_{i-1}$ to $c_i$, by which the decoder says where it stands.)

# %% [markdown]
# ### The formula
#
# Step $i$ looks first, with the state *before* the step, and moves then:
#
# $$e_{ij} = \mathrm{score}(s_{i-1}, h_j) \qquad
# \alpha_{ij} = \frac{\exp(e_{ij})}{\sum_{k=1}^{n} \exp(e_{ik})} \qquad
# c_i = \sum_{j=1}^{n} \alpha_{ij} h_j$$
#
# $$s_i = \mathrm{step}([y_{i-1}; c_i],\ s_{i-1}) \qquad o_i = [s_i; c_i]\, V + b_o$$
#
# The weights are positive and sum to 1 over the source. Why $s_{i-1}$ and not $s_i$? Because $c_i$ is an input of step $i$: it must be ready before $s_i$ exists.

# %%
rng = np.random.default_rng(6)
units, features, vocabulary = 4, 3, 6
h = rng.normal(size=(5, units))  # the encoder's states of five source symbols
s, y_before = rng.normal(size=units), rng.normal(size=features)
W, U, b = rng.normal(size=(features + units, units)), rng.normal(size=(units, units)), np.zeros(units)
V, b_o = rng.normal(size=(2 * units, vocabulary)), np.zeros(vocabulary)

scores = h @ s  # (5,): here the score is a dot product
weights = np.exp(scores - scores.max())
weights = weights / weights.sum()
context = weights @ h  # (units,)
s_new = np.tanh(np.concatenate([y_before, context]) @ W + s @ U + b)
logits = np.concatenate([s_new, context]) @ V + b_o
print("weights", weights.round(3), " sum", weights.sum().round(6))

# %%
kit_context, kit_weights = layers.DotProductAttention()(s[None], h[None])
print("largest difference to rnnkit's layer:")
print("    weights", float(np.abs(np.asarray(kit_weights)[0] - weights).max().round(6)))
print("    context", float(np.abs(np.asarray(kit_context)[0] - context).max().round(6)))

# %% [markdown]
# ### A soft look-up
#
# A dictionary compares a question with its keys, and returns the value of the one key that is equal. Attention does the same, softly: the **query** $s_{i-1}$ is compared with all **keys** $h_j$, and the result is a mixture of all values (here the values are the keys themselves).
#
# How soft? Scores that lie close together give a mixture of everything; scores far apart give nearly a choice. The network learns the size of its scores, so it learns this too. All of it has a gradient.

# %%
KEYS = ["d", "o", "g", "s"]
vectors = np.eye(4) + 0.3 * rng.normal(size=(4, 4))  # one key for each letter, nearly at right angles


def look_up(score_size):
    """Each letter asks for itself; its scores are multiplied by this number."""
    scores = score_size * vectors @ vectors.T
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=1, keepdims=True)
    return plots.attention_map(weights, KEYS, KEYS, title=f"scores times {score_size:g}")


plots.play(look_up, show=2, score_size=[1.0, 6.0, 0.0, 0.5, 3.0, 20.0])

# %% [markdown]
# **Figure 2.** Four queries (rows) look at four keys (columns). With small scores each query takes a mixture of all keys; with large scores nearly the one that fits best.

# %% [markdown]
# ### What goes wrong: padding
#
# The sentences of a batch differ in length. Padding has encoder states too, and they must get the weight 0. The mask belongs *inside* the softmax:
#
# $$\alpha_{ij} = \frac{m_j \exp(e_{ij})}{\sum_k m_k \exp(e_{ik})}$$
#
# A common slip: take the softmax first and set padding to 0 after it. Then the real weights no longer sum to 1. Another: $\exp$ of a large score overflows, so subtract the largest *real* score first; the weights do not change by this.

# %%
scores = np.array([[2.0, 1.0, 3.0]])  # the third position is padding
mask = np.array([[True, True, False]])
plain = np.exp(scores) / np.exp(scores).sum()
print("mask left out     ", plain.round(3), " sum over real positions", plain[mask].sum().round(3))
print("mask after softmax", (plain * mask).round(3), " sum over real positions", (plain * mask).sum().round(3))
inside = np.asarray(layers.masked_softmax(scores, mask))
print("mask inside       ", inside.round(3), " sum over real positions", inside[mask].sum().round(3))

# %% [markdown]
# <a id="s26"></a>
#
# ## How are a query and a key compared?
#
# Three scores are in use:
#
# | name | score | its weights |
# | --- | --- | --- |
# | additive (Bahdanau, Cho and Bengio, 2015) | $\tanh(s_{i-1} W + h_j U)\, v$ | $W$, $U$, $v$ |
# | multiplicative, bilinear (Luong, Pham and Manning, 2015) | $s_{i-1} W h_j^\top$ | $W$ |
# | dot product | $s_{i-1} \cdot h_j$ | none |

# %% [markdown]
# The first is a small network with one hidden layer. The second lets query and key differ in size. The third needs both of one size, and trusts encoder and decoder to find a common language. (Vectors are rows here, as in the code. With columns, as in the papers, the first is $v^\top \tanh(W s_{i-1} + U h_j)$.)

# %%
query, keys = rng.normal(size=3), rng.normal(size=(5, 4))  # query and keys differ in size
W_add, U_add, v = rng.normal(size=(3, 6)), rng.normal(size=(4, 6)), rng.normal(size=6)
W_mul = rng.normal(size=(3, 4))

additive = np.tanh(query @ W_add + keys @ U_add) @ v  # (5,)
multiplicative = query @ W_mul @ keys.T  # (5,)
dot = query @ keys[:, :3].T  # (5,): only where the sizes are equal
print("scores of five positions:", additive.shape, multiplicative.shape, dot.shape)

# %% [markdown]
# ### One interface, one task
#
# In `rnnkit.layers` the three are layers with one interface: query, keys and mask go in, context and weights come out. So a model can be built with any of them.
#
# The task: read a date as people write it, in ten languages, and write it in ISO form. "Freitag, 27. November 2026" becomes "2026-11-27". After each epoch, each model reads 200 dates that it has never seen.

# %%
known = data.dates(64 if FAST else 4000, seed=1)
new = data.dates(30 if FAST else 200, seed=2, exclude=known.sources)
reads = text.Vocabulary.from_texts(known.sources)
writes = text.Vocabulary.from_texts(known.targets)
SOURCE_LENGTH = 36  # no date is longer


def date_arrays(dates):
    """The model's inputs, and what it should predict."""
    source, _ = reads.encode(dates.sources, length=SOURCE_LENGTH)
    written, _ = writes.encode(dates.targets, bos=True, eos=True)
    return {"source": source, "previous": written[:, :-1]}, written[:, 1:]


date_inputs, date_following = date_arrays(known)
new_inputs, new_following = date_arrays(new)
DIGITS = [0, 1, 2, 3, 5, 6, 8, 9]  # rows of year, month and day; hyphens have no gold links


def read_all(model, inputs, dates):
    """After the true symbols: the best symbol of each step, and its weights without padding."""
    logits, weights = model.teacher_forced(model.encode(inputs["source"]), inputs["previous"])
    weights = [each[:10, : len(source)] for each, source in zip(np.asarray(weights), dates.sources)]
    return np.asarray(logits).argmax(axis=-1), weights


def error_rate(weights, dates):
    """The alignment error rate over the digits (section s28)."""
    return metrics.alignment_error_rate(
        [metrics.links_from_weights(each)[DIGITS] for each in weights],
        [each.sure[DIGITS] for each in dates.alignments],
        [each.possible[DIGITS] for each in dates.alignments],
    )

# %%
class MeasureDates(keras.callbacks.Callback):
    """After each epoch: exact matches, and the alignment error rate."""

    def __init__(self):
        super().__init__()
        self.exact, self.errors = [], []

    def on_epoch_end(self, epoch, logs=None):
        ids = self.model.decode(new_inputs["source"], BOS_ID, EOS_ID, max_length=11)
        self.exact.append((epoch + 1, metrics.exact_match(writes.decode(ids), new.targets)))
        self.best, self.weights = read_all(self.model, new_inputs, new)
        self.errors.append((epoch + 1, error_rate(self.weights, new)))


SCORES = {
    "additive": lambda: layers.AdditiveAttention(64),
    "multiplicative": layers.MultiplicativeAttention,
    "dot product": layers.DotProductAttention,
}
if FAST:
    del SCORES["multiplicative"]
measured = {}
for name, make in SCORES.items():
    keras.utils.set_random_seed(6)
    attention = make()
    model = models.EncoderDecoder(len(reads), len(writes), 64, 32, attention=attention)
    # For the few steps of our own tests, a graph would cost more than it saves.
    model.compile(keras.optimizers.Adam(0.005, global_clipnorm=1.0), models.masked_cross_entropy, run_eagerly=FAST)
    measured[name] = MeasureDates()
    callbacks = [plots.TrainingCurve(f"Dates, {name}"), measured[name]]
    model.fit(date_inputs, date_following, batch_size=64, epochs=1 if FAST else 5, verbose=0, callbacks=callbacks)
    own = sum(int(np.prod(weight.shape)) for weight in attention.weights)
    print(f"    the score has {own:,} of the model's {model.count_params():,} weights")

# %%
plots.curves(
    {name: each.exact for name, each in measured.items()},
    x_label="epoch",
    y_label="exact matches, new dates",
    y_limits=(-0.03, 1.03),
)

# %% [markdown]
# **Figure 3.** Three scores on one task: the share of new dates read exactly right, after each epoch. All three learn it. Which one is ahead in the first epochs changes with the seed, so one run is no ranking.

# %% [markdown]
# ### Measured with twelve seeds
#
# Share of 200 new dates read exactly right, after 5 epochs with 6,400 dates; median, smallest, largest:
#
# | score | exactly right |
# | --- | --- |
# | additive, 64 units | 0.985 (0.965 to 1.000) |
# | multiplicative, 96 units | 0.965 (0.930 to 1.000) |
# | dot product, 64 units | 1.000 (0.990 to 1.000) |
#
# `python benchmarks/date_thresholds.py --seeds 12`, in [date_thresholds](../docs/reports/date_thresholds.md). The models differ in size, so this says that all three work, not which is best. The dot product is the cheapest: one matrix product for all positions.

# %% [markdown]
# ### What goes wrong: large dot products
#
# A dot product adds up as many products as there are units. For random vectors its spread grows with the square root of the number of units $d$. Large scores make the softmax nearly a choice, and a choice has hardly any gradient. So Transformers divide:
#
# $$e_{ij} = \frac{s_{i-1} \cdot h_j}{\sqrt{d}}$$

# %%
def largest_weight(units, divide):
    """The largest of the weights over 20 random keys: the mean of 200 draws."""
    draws = np.random.default_rng(0)
    query, keys = draws.normal(size=(200, units)), draws.normal(size=(200, 20, units))
    scores = np.einsum("qu,qku->qk", query, keys) / (np.sqrt(units) if divide else 1)
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    return float((exponentials / exponentials.sum(axis=1, keepdims=True)).max(axis=1).mean())


SIZES = [1, 4, 16, 64, 256]
plots.curves(
    {
        "dot product": [(units, largest_weight(units, False)) for units in SIZES],
        "divided by the root of the units": [(units, largest_weight(units, True)) for units in SIZES],
    },
    x_label="units",
    y_label="largest of 20 weights",
    log_x=True,
    y_limits=(0, 1.03),
)

# %% [markdown]
# **Figure 4.** The largest attention weight over 20 random keys, against the number of units. Without the division, one random key gets nearly everything as soon as there are many units, before anything is learned.

# %% [markdown]
# <a id="s27"></a>
#
# ## How far is it from an output back to an input?
#
# Count the arrows between the input `c` and the loss of the last output. Gradients take the same way back, and each arrow is a chance to fade ([lecture 1](01_rnn.ipynb)).
#
# Without attention the way leads through all the rest of the encoder and through the whole decoder. With attention it goes through one context: $x_j \to h_j \to c_i \to s_i \to y_i \to$ loss.

# %%
display(plots.unrolled("chat", "chat", attention=False, path=(0, 3), loss=True))
display(plots.unrolled("chat", "chat", attention=True, path=(0, 3), loss=True))

# %% [markdown]
# **Figure 5.** The way from the first input to the last loss: 10 arrows without attention, 5 with it. (In our decoder the context goes straight into the output layer too; that way is even one shorter. It is not drawn.)

# %%
def count_ways(length, attention):
    """From the first input to the last loss: the arrows of a shortest way, and all ways."""
    rows = [plots.Row(key, key, key * length) for key in "xhcsyL"]
    rules = [("x", "h", "up"), ("h", "h", "next"), ("h", "s", "last to first"), ("s", "s", "next")]
    rules += [("s", "y", "up"), ("y", "L", "up")]
    rules += [("h", "c", "all"), ("c", "s", "up")] if attention else []
    net = plots.Network(rows, [plots.Link(*rule) for rule in rules], "An encoder-decoder.")
    arrows, ways = net.arrows(), {("x", 0): 1}
    nodes = sorted({end for _, end in arrows}, key=lambda node: ("xhcsyL".index(node[0]), node[1]))
    for node in nodes:  # each node after all that lead to it
        ways[node] = sum(ways.get(begin, 0) for begin, end in arrows if end == node)
    end = ("L", length - 1)
    return len(net.shortest_path(("x", 0), end)), ways[end]


print("symbols   without attention       with attention")
for length in (4, 8, 16):
    (short, ways), (short_a, ways_a) = (count_ways(length, attention) for attention in (False, True))
    print(f"{length:>7}   {short:>3} arrows, {ways} way      {short_a} arrows, {ways_a} ways")

# %% [markdown]
# The way with attention does not grow with the text. And there is not only *one* short way: each state of the encoder reaches each context, so the number of ways grows too. Long ways still exist; the gradient is the sum over all of them, and the short ones carry most.
#
# Does more gradient arrive? Measure it in models that have not been trained yet, at the source symbol that an output must copy when a string is written backwards.

# %%
letters = text.Vocabulary("abcdefghijkl")
N = 6 if FAST else 12
SEEDS = range(1 if FAST else 3)
probe_source, _ = letters.encode(["abcdefghijkl"[:N]])
probe_target, _ = letters.encode(["abcdefghijkl"[:N][::-1]], bos=True, eos=True)


OUTPUTS = [1, 6] if FAST else [1, 4, 8, 12]


def norms(attention, seed):
    """For the loss of each output: the norms of its gradient at each source vector, (source,)."""
    keras.utils.set_random_seed(seed)
    layer = layers.AdditiveAttention(32) if attention else None
    model = models.EncoderDecoder(
        len(letters), len(letters), 32, 16, attention=layer, bidirectional=False
    )
    previous, following = probe_target[:, :-1], probe_target[:, 1:]
    return {
        i: np.linalg.norm(
            models.source_gradients(model, probe_source, previous, following, i - 1)[0], axis=-1
        )
        for i in OUTPUTS
    }


all_norms = {
    name: [norms(attention, seed) for seed in SEEDS]
    for name, attention in (("with attention", True), ("without attention", False))
}
plots.curves(
    {
        name: [(2 * i + 1, [found[i][N - i] for found in each_seed]) for i in OUTPUTS]
        for name, each_seed in all_norms.items()
    },
    x_label="arrows without attention, from input to output",
    y_label="norm of the gradient",
    log_y=True,
)

# %% [markdown]
# **Figure 6.** The gradient that reaches the symbol to be copied, on a logarithmic scale. Output $i$ must copy symbol $n + 1 - i$, which is $2i + 1$ arrows away without attention. Without attention the gradient fades with the way; with attention it keeps its size.

# %%
def gradient_by_position(output):
    """The norms at each source position, for one output."""
    return plots.curves(
        {
            name: [(j + 1, [found[output][j] for found in each_seed]) for j in range(N)]
            for name, each_seed in all_norms.items()
        },
        x_label="source position",
        y_label="norm of the gradient",
        title=f"loss at output {output}",
        log_y=True,
    )


plots.play(gradient_by_position, show=2, output=[OUTPUTS[0], OUTPUTS[-1], *OUTPUTS[1:-1]])

# %% [markdown]
# **Figure 7.** The gradient at each source position, for an early and a late output. Without attention, only the end of the source is within reach, and for late outputs everything is far.

# %% [markdown]
# <a id="s28"></a>
#
# ## What does the model look at?
#
# Nobody told the date models which part of a source belongs to which part of the target. But to write the day, a model must find the day. The weights show where it looked: an **alignment**, for free.
#
# Each row is a step of the decoder, each column a character of the source. Dark cells have a large weight. The outline marks links that are possible; they were never shown to the model.

# %%
date_weights = measured["additive"].weights  # after the last epoch
by_length = np.argsort([-len(source) for source in new.sources], kind="stable")
shown = list(dict.fromkeys(new.languages[row] for row in by_length))
longest_of = {language: next(row for row in by_length if new.languages[row] == language) for language in shown}


def alignment(language):
    """The longest new date of a language."""
    row = longest_of[language]
    gold = new.alignments[row].possible
    return plots.attention_map(date_weights[row], new.sources[row], new.targets[row], gold=gold)


plots.play(alignment, show=2, language=shown)

# %% [markdown]
# **Figure 8.** Where the model looks when it reads a date. Read row by row: for the year it looks at the end of the source, then mostly at the month, then at the day. The order of the target is not the order of the source.

# %% [markdown]
# ### How good is an alignment?
#
# Compare the model's links $A$ (for each step, the position with the largest weight) with gold links: sure ones $S$, and possible ones $P$, which include $S$. The **alignment error rate** is
#
# $$\mathrm{AER} = 1 - \frac{|A \cap S| + |A \cap P|}{|A| + |S|}$$
#
# 0 is perfect. A missing sure link costs, and so does a link that is not even possible.

# %%
sure = np.array([[1, 0, 0], [0, 1, 0]], dtype=bool)  # (target, source)
possible = np.array([[1, 0, 0], [0, 1, 1]], dtype=bool)
found = np.array([[1, 0, 0], [0, 0, 1]], dtype=bool)
upper = np.sum(found & sure) + np.sum(found & possible)
print("by hand", 1 - upper / (found.sum() + sure.sum()), " rnnkit", metrics.alignment_error_rate(found, sure, possible))
for name, each in measured.items():
    rates = ", ".join(f"{rate:.2f}" for _, rate in each.errors)
    print(f"{name:>15}: error rate after each epoch {rates}")

# %%
plots.curves(
    {
        "dates read exactly right": measured["additive"].exact,
        "alignment error rate": measured["additive"].errors,
    },
    x_label="epoch",
    y_label="share",
    y_limits=(-0.03, 1.03),
)

# %% [markdown]
# **Figure 9.** The model learns to read and to align at the same time, from one loss that says nothing about alignments (additive score, new dates).

# %% [markdown]
# ### Summaries align too
#
# The second task is a summary: a report of one sentence becomes a headline of four words. Here a symbol is a word. Which words of the report does the headline come from?

# %%
reports = data.text_to_text(32 if FAST else 2000, ("summarise",), seed=1)
new_reports = data.text_to_text(100, ("summarise",), split="test", seed=2)
report_words, headline_words = (
    text.Vocabulary.from_texts(texts, split=text.words, joiner=" ")
    for texts in (reports.sources, reports.targets)
)
longest = max(len(source.split()) for source in reports.sources + new_reports.sources)


def report_arrays(pairs):
    """The model's inputs, and what it should predict."""
    source, _ = report_words.encode(pairs.sources, length=longest)
    written, _ = headline_words.encode(pairs.targets, bos=True, eos=True)
    return {"source": source, "previous": written[:, :-1]}, written[:, 1:]


keras.utils.set_random_seed(6)
summariser = models.EncoderDecoder(
    len(report_words), len(headline_words), 32, 16, attention=layers.AdditiveAttention(32)
)
summariser.compile(keras.optimizers.Adam(0.01, global_clipnorm=1.0), models.masked_cross_entropy, run_eagerly=FAST)
summariser.fit(
    *report_arrays(reports), batch_size=32, epochs=1 if FAST else 4, verbose=0,
    callbacks=[plots.TrainingCurve("Summaries")],
)
report_inputs, _ = report_arrays(new_reports)
headlines = headline_words.decode(summariser.decode(report_inputs["source"], BOS_ID, EOS_ID, max_length=6))
print(f"exactly right: {metrics.exact_match(headlines, new_reports.targets):.2f} of {len(headlines)} new reports")
report_weights = np.asarray(summariser.attention_weights(report_inputs["source"], report_inputs["previous"]))

# %%
def summary_map(report):
    """Where the headline of one report comes from."""
    words = new_reports.sources[report].split()
    headline = [*new_reports.targets[report].split(), "EOS"]
    return plots.attention_map(report_weights[report, : len(headline), : len(words)], words, headline)


plots.play(summary_map, show=1, report=list(range(8)))

# %% [markdown]
# **Figure 10.** A headline (rows) and the report that it comes from (columns). The verb changes its form ("opened" becomes "opens"), and the order changes: the city comes first. Compare the darkest cells with the words you would choose: the names are found, but some words look elsewhere, and are right all the same.

# %% [markdown]
# ### What goes wrong: a map is not an explanation
#
# It is tempting to say "the model wrote this digit *because* of that letter". But $h_j$ is not symbol $j$: the encoder is recurrent in both directions, so a state also knows its neighbours. A model can look one place beside a symbol and lose nothing.
#
# Measure it: of the digits that are right, how many had their largest weight *outside* the possible links?

# %%
def beside(best, weights):
    """Among right digits, the share whose largest weight lies on no possible link; how many."""
    outside = []
    for row, gold in enumerate(new.alignments):
        for step in DIGITS:
            if best[row, step] == new_following[row, step]:
                outside.append(not gold.possible[step, weights[row][step].argmax()])
    return float(np.mean(outside)) if outside else 0.0, len(outside)


for name, each in measured.items():
    share, count = beside(each.best, each.weights)
    print(f"{name:>15}: {share:.2f} of {count} right digits were written while looking beside them")

# %% [markdown]
# <a id="s29"></a>
#
# ## Does attention mend the bottleneck?
#
# The task of [section s23](05_seq2seq.ipynb#s23): write a random string backwards. Without attention each letter must pass through one vector. With attention the encoder keeps one state for each letter: the memory grows with the input, and each step reads what it needs.
#
# The two models differ in attention alone. The one without gets more epochs, because its steps are cheaper.

# %%
LONGEST = 6 if FAST else 16  # letters
EDGES = [3, 4, 5, 7] if FAST else [3, 6, 9, 12, 15, 17]
strings = data.reversals(32 if FAST else 4096, seed=1, maximum=LONGEST)
new_strings = data.reversals(400, seed=2, maximum=LONGEST)


def reverser(attention, epochs):
    """An encoder-decoder that learns to write strings backwards."""
    keras.utils.set_random_seed(6)
    model = models.EncoderDecoder(len(letters), len(letters), 48, 16, attention=attention)
    rate = keras.optimizers.schedules.CosineDecay(0.01, epochs * len(strings[0]) // 32)
    model.compile(keras.optimizers.Adam(rate, global_clipnorm=1.0), models.masked_cross_entropy, run_eagerly=FAST)
    source, _ = letters.encode(strings[0], length=LONGEST)
    written, _ = letters.encode(strings[1], length=LONGEST + 2, bos=True, eos=True)
    previous = np.where(written == EOS_ID, PAD_ID, written)[:, :-1]
    name = f"Backwards, {'without' if attention is None else 'with'} attention"
    model.fit(
        {"source": source, "previous": previous}, written[:, 1:], batch_size=32, epochs=epochs,
        verbose=0, callbacks=[plots.TrainingCurve(name)],
    )
    return model


reversers = {
    "with attention": reverser(layers.MultiplicativeAttention(), 1 if FAST else 4),
    "without attention": reverser(None, 1 if FAST else 6),
}

# %%
def by_length_of_string(model):
    """Exact matches for each range of lengths, against its middle."""
    source, _ = letters.encode(new_strings[0], length=LONGEST)
    written = letters.decode(model.decode(source, BOS_ID, EOS_ID, max_length=LONGEST + 1))
    lengths = [len(each) for each in new_strings[1]]
    table = metrics.accuracy_by_length(written, new_strings[1], lengths, EDGES)
    return [((low + high) / 2, accuracy) for low, high, _, accuracy in table]


plots.accuracy_curves({name: by_length_of_string(model) for name, model in reversers.items()})

# %% [markdown]
# **Figure 11.** The bottleneck again, with attention and without: strings written backwards without a fault, against their length.

# %% [markdown]
# ### Measured with three seeds
#
# Strings up to 24 letters; median, smallest, largest:
#
# | letters | 3 to 8 | 9 to 13 | 14 to 18 | 19 to 24 |
# | --- | --- | --- | --- | --- |
# | without attention | 0.91 (0.88 to 0.92) | 0.27 (0.26 to 0.28) | 0.00 (0.00 to 0.00) | 0.00 (0.00 to 0.00) |
# | with attention | 1.00 (1.00 to 1.00) | 1.00 (1.00 to 1.00) | 1.00 (0.99 to 1.00) | 0.99 (0.98 to 0.99) |
#
# Weights: 19,200 without, 29,184 with; 10 and 5 epochs. `python benchmarks/lecture_numbers.py bottleneck`, in [lecture_numbers](../docs/reports/lecture_numbers.md).

# %% [markdown]
# ### What it costs, and what goes wrong
#
# **Cost.** Each of $m$ steps looks at all of $n$ states: $n \cdot m$ scores, where one vector needed none. And all states must be kept until the last step. For a sentence this is nothing; for a book it is much.
#
# **It is no cure for new lengths.** Attention makes every position reachable; the model must still learn *which* one. Strings longer than all in training are new to it. Try them below.

# %%
longer = data.reversals(200, seed=3, minimum=LONGEST + 1, maximum=LONGEST + 8)
source, _ = letters.encode(longer[0], length=LONGEST + 8)
for name, model in reversers.items():
    written = letters.decode(model.decode(source, BOS_ID, EOS_ID, max_length=LONGEST + 9))
    share = metrics.exact_match(written, longer[1])
    print(f"{name:>18}: {share:.2f} of strings with {LONGEST + 1} to {LONGEST + 8} letters, longer than in training")

# %%
reversal_model = reversers["with attention"]


def reversal_map(string):
    """Where the model looks while it writes a string backwards."""
    source, _ = letters.encode([string], length=max(LONGEST, len(string)))
    target, _ = letters.encode([string[::-1]], bos=True)
    weights = np.asarray(reversal_model.attention_weights(source, target))[0]
    return plots.attention_map(weights[: len(string), : len(string)], string, string[::-1])


first_strings = [each for each in new_strings[0] if len(each) > LONGEST - 3][:3]
plots.play(reversal_map, show=2, string=[first_strings[0], longer[0][0], *first_strings[1:], longer[0][1]])

# %% [markdown]
# **Figure 12.** Where the model looks when it writes a string backwards: above a string as in training, below one that is longer than all of them. For a task like this, a good map is a line from the upper right to the lower left.

# %% [markdown]
# ## Quick questions
#
# **1.** A source has three real symbols and two places of padding. The weights are 0.2, 0.2, 0.2, 0.2, 0.2. What is wrong?
#
# <details><summary>Answer</summary>
#
# The mask was left out: padding got 0.4 of the weight. With equal scores, the three real symbols should get 1/3 each.
#
# </details>
#
# **2.** You add 100 to all scores of one step. What happens to the weights?
#
# <details><summary>Answer</summary>
#
# Nothing. $\exp(100)$ stands above and below the line. This is why the largest score may be subtracted first.
#
# </details>

# %% [markdown]
# **3.** How many arrows are there from the first of 50 inputs to the output of step 30, without attention and with it?
#
# <details><summary>Answer</summary>
#
# Without: 1 up, 49 along the encoder, 1 into the decoder, 29 along the decoder, 1 up: 81. With: $x \to h \to c \to s \to y$, 4, for any length.
#
# </details>
#
# **4.** A map shows the largest weight of a step on a comma. Did the model use the comma to write this symbol?
#
# <details><summary>Answer</summary>
#
# You cannot tell. The state at the comma was read. It also knows what stands before and after the comma.
#
# </details>

# %% [markdown]
# ## Common mistakes
#
# | what you see | why | exercise |
# | --- | --- | --- |
# | weights sum to 1 over the sentences of the batch | the softmax runs over the wrong axis | question 5 |
# | real weights sum to less than 1 | padding was set to 0 after the softmax | question 5 |
# | `nan` in the weights | $\exp$ overflows, or the largest score was taken over padding too | question 5 |
# | shapes fit only where query and key are equally large | `W` is transposed | question 3 |
# | a score without a curve in it | `tanh` is missing, or `W` and `U` are swapped | question 4 |

# %% [markdown]
# | what you see | why | exercise |
# | --- | --- | --- |
# | the context does not change with the source | the decoder's state was averaged, not the keys | questions 6, 7 |
# | the model is one step late | it attends with the new state $s_i$, or writes from the old one | question 7 |
# | the same symbol again and again | the new state, or the new symbol, is not passed on | question 8 |
# | an error rate that is too high | possible links were left out above the line | question 10 |
# | a path that is one too short | the arrow from the encoder into the decoder was forgotten | question 14 |

# %% [markdown]
# ## Summary
#
# - Before each step, the decoder compares its state with all encoder states. A masked softmax turns the scores into weights, and the weighted sum of the states is the context of this step.
# - The score is a small network, a bilinear form, or a plain dot product. All three work.
# - Every input is a few arrows away from every output. Gradients arrive.
# - The weights are an alignment that nobody taught. They are a hint, not a proof.
# - The memory grows with the input: the bottleneck is gone. The price is $n \cdot m$ scores.

# %% [markdown]
# ## How old is this?
#
# Attention came in 2014, as an addition to recurrent translators. In 2017 the Transformer kept the addition and left out the recurrence: each position asks all others (self-attention), with scaled dot products, in many heads at once. Nearly all language models since then are made so.

# %% [markdown]
# **What carries over unchanged:** query, keys, weighted sum; the mask inside the softmax; dot products divided by $\sqrt{d}$; heat maps, and the warning about them.
#
# **What changed:** keys and values are projected separately, and positions must be told, since nothing reads in order.
#
# **What still uses recurrence:** its cost per step does not grow with the text. So state-space models and hybrids return to it, often with some attention layers in between.

# %% [markdown]
# ## Where to go on
#
# - Exercise: [06_attention](../exercises/06_attention/06_attention.ipynb). Questions 2 to 7 belong to s25 and s26, 9 to s26, 10 and 11 to s28, 12 and 13 to s29, 14 and 15 to s27; 1 and 8 repeat lecture 5.

# %% [markdown]
# Papers:
#
# - Bahdanau, Cho and Bengio (2015), *Neural Machine Translation by Jointly Learning to Align and Translate*: attention.
# - Luong, Pham and Manning (2015), *Effective Approaches to Attention-based Neural Machine Translation*: the other scores.
# - Rush, Chopra and Weston (2015), *A Neural Attention Model for Abstractive Sentence Summarization*.
# - Jain and Wallace (2019), *Attention is not Explanation*, and Wiegreffe and Pinter (2019), *Attention is not not Explanation*.
# - Vaswani et al. (2017), *Attention Is All You Need*.
