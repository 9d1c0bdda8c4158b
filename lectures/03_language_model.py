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
# # Lecture 3: language models
#
# A language model answers one question, again and again: *what comes next?* That sounds small. But who can say what comes next in any text must know spelling, grammar, a good deal about the world, and what was said ten lines ago. This lecture trains recurrent networks to answer the question, measures how well they do, lets them write, and then looks for what they have understood.

# %% [markdown]
# ## What you will be able to do
#
# After this lecture you can
#
# 1. write down what a recurrent language model computes and what it minimises, and turn the loss into perplexity and into bits for each character;
# 2. let a model write: greedy, by sampling with a temperature, with top-k and top-p, by beam search, and say what each does to the text;
# 3. compare a model that learns with a model that counts, so that the comparison is fair;
# 4. search a network for cells that follow a property of the text, and say what such a cell proves, and what it does not;
# 5. test what a model knows about words that stand far apart.

# %% [markdown]
# ## Set-up
#
# You need: lectures 1 and 2: recurrent networks and their training; what a probability and a logarithm are. Run the cells from top to bottom. The whole lecture takes two to three minutes on two processor cores; it needs no network and no GPU. The exercise that belongs to it is [exercise 3](../exercises/03_language_model/03_language_model.ipynb).

# %%
import os
from collections import Counter, defaultdict

# First, because it tells TensorFlow and Keras how to start.
from rnnkit import data, decoding, experiments, metrics, models, plots, text
from rnnkit.experiments.agreement import verb_accuracy
from rnnkit.experiments.character_model import (
    WARM_UP,
    memory_over_text,
    train_character_model,
)

import keras
import numpy as np
from scipy.stats import rankdata

FAST = os.environ.get("RNNKIT_FAST") == "1"  # shorter training, for our own tests
keras.utils.set_random_seed(3)
print("Keras", keras.__version__, "- in the", "short" if FAST else "full", "setting")

# %% [markdown]
# ## Symbols of this lecture
#
# Vectors are rows, as in the code. All symbols of the course, with those of other texts beside them, are in the [table of notation](notation.ipynb).
#
# | symbol | in the code | shape | what it is |
# | --- | --- | --- | --- |
# | $w_t$ | `ids` | (batch, time) | the symbols of a text, as whole numbers |
# | $\lvert V \rvert$ | `len(characters)` | | how many symbols the vocabulary has |
# | $x_t$ | `x` | (batch, features) | the vector of symbol $w_t$ |
# | $h_t$ | `h` | (batch, units) | the state after reading $w_1 \dots w_t$ |
# | $o_t = h_t V + c$ | `o`, `logits` | (batch, $\lvert V \rvert$) | the scores of the next symbol |
# | $p(w_t \mid w_{<t})$ | `p` | | the probability of a symbol after all those before it |
# | $J$ | `J` | | the loss: the mean of $-\log p$ |
# | $T$ | `temperature` | | temperature; in section s8, the length of a text |

# %% [markdown]
# <a id="s8"></a>
#
# ## What can a network learn from plain text?
#
# Nobody has to label anything: each symbol of a text is the right answer to the question what comes after the symbols before it. So every text that was ever written is training data. A symbol may be a word or a character; the model is the same.
#
# The probability of a whole text is a product, by the chain rule of probability, and nothing is lost in it:
#
# $$p(w_1, w_2, \dots, w_T) = \prod_{t=1}^{T} p(w_t \mid w_{<t})$$
#
# A recurrent network gives these factors one after the other, while it reads.

# %%
plots.network("language model", ["the", "writer", "is", "here"], path=(1, 3))

# %% [markdown]
# **Figure 1.** A recurrent language model, unrolled. Below stands what it reads, above what it must predict: the same words, one step earlier. The strong path shows how *the* can help to predict *here*. No arrow leads from a word to a prediction of that word or of an earlier one: otherwise the model could copy, and would learn nothing.

# %% [markdown]
# ### The formula
#
# The state is the one of [lecture 1](01_rnn.ipynb#s2) (any cell of [lecture 2](02_lstm.ipynb#s6) may take its place); new is the softmax over the vocabulary:
#
# $$h_t = \tanh(x_t W + h_{t-1} U + b) \qquad o_t = h_t V + c$$
#
# $$p(w_{t+1} = v \mid w_1 \dots w_t) = \frac{\exp o_t[v]}{\sum_{u} \exp o_t[u]}$$
#
# The loss is the **cross-entropy** between this distribution and the symbol that came. All other symbols have the target 0, so one term is left of each sum:
#
# $$J = -\frac{1}{T} \sum_{t=1}^{T} \log p(w_t \mid w_{<t})$$

# %%
letters, word = "ehlo", "hello"
rng = np.random.default_rng(0)
X, W, U, V = (rng.normal(0, 0.5, shape) for shape in [(4, 3), (3, 5), (5, 5), (5, 4)])
b, c, h, losses = np.zeros(5), np.zeros(4), np.zeros(5), []
for now, following in zip(word[:-1], word[1:]):
    x = X[letters.index(now)]  # (3,)
    h = np.tanh(x @ W + h @ U + b)  # (5,)
    o = h @ V + c  # (4,)
    p = np.exp(o) / np.exp(o).sum()  # (4,)
    losses.append(-np.log(p[letters.index(following)]))
    print(f"after {now!r}: p({following!r}) = {p[letters.index(following)]:.3f}")
J = np.mean(losses)
print(f"J = {J:.3f} nats for each letter; equally probable letters: log 4 = {np.log(4):.3f}")

# %% [markdown]
# ### Why the logarithm?
#
# Without it, the loss would be the mean of $-p$. Then a model that gives 0.001 in place of 0.0001 to what came would gain almost nothing, although it is ten times less wrong. With the logarithm, each factor of ten counts the same, the product of the text becomes a sum, and a model that calls something impossible is punished without limit when it comes.
#
# The logarithm is the natural one, and the unit of $J$ is the *nat*. With the logarithm to the base 2 the unit is the *bit*: one nat is 1.44 bits.

# %% [markdown]
# ### Perplexity
#
# A loss of 1.7 nats says little. Its exponential is easier to read:
#
# $$\mathrm{PP} = \exp(J)$$
#
# As many equally probable symbols would surprise the model as much as the text did. A model that is always sure and right has the perplexity 1. A model that takes all symbols for equally probable has $p = 1/\lvert V \rvert$ everywhere, so $J = \log \lvert V \rvert$ and the perplexity is $\lvert V \rvert$. The next cell checks this.

# %%
for size in (2, 27, 10_000):
    uniform = np.full(50, -np.log(size))  # log p of each of 50 symbols
    print(f"|V| = {size:>6}: perplexity {metrics.perplexity(uniform):.1f}")

# %% [markdown]
# ### A text, and its batches
#
# Our text is Python's own library, and a symbol is a character. To keep the computer busy, several parts of the text are read side by side: the text is cut into *streams*, and the streams into *windows* of equal length. Row $r$ of a window goes on where row $r$ of the window before it ended. So the state can be carried on: the model never starts from nothing in the middle of a text. Only the gradient stops at the border of a window ([truncation, lecture 1](01_rnn.ipynb#s4)).

# %%
sentence = "each symbol is the answer to those before"
ids = [ord(letter) for letter in sentence]
for number, (inputs, targets) in enumerate(models.windows(ids, batch=2, window=5), start=1):
    for row in range(2):
        read, wanted = ("".join(map(chr, part[row])) for part in (inputs, targets))
        print(f"window {number}, row {row}: reads {read!r}, is to say {wanted!r}")

# %% [markdown]
# Read row 0 from window to window: it is the first half of the sentence, without a gap. Row 1 is the second half. Each target is the input, one symbol later; the last target of a window is the first input of the next.

# %% [markdown]
# ### Training
#
# The next cell trains an LSTM on some modules of the library and measures it on others, which it never reads. It uses the same loss, batches and carried state as question 4 of the exercise. After each epoch we note the perplexity of the new text.

# %%
LEARNED, UNITS, EPOCHS, WINDOW = (30_000, 32, 1, 10) if FAST else (400_000, 128, 4, 64)
BEGIN, END = 24_000, 30_000 if FAST else 56_000  # the first part of the new text is one comment

learned = data.program_text("train", LEARNED).text
whole = data.program_text("test")
new = data.ProgramText(*(part[BEGIN:END] for part in whole[:-1]), whole.modules)
characters = text.Vocabulary.from_texts([learned])
learned_ids, new_ids = (characters.encode([each])[0][0] for each in (learned, new.text))
trained = train_character_model(
    learned_ids, new_ids, len(characters), UNITS, EPOCHS, seed=3, rate=0.01, window=WINDOW
)
model = trained.model
print(f"{len(learned_ids):,} characters, |V| = {len(characters)}, {model.count_params():,} weights")
print(f"after the last epoch: perplexity {2 ** trained.bits[-1]:.2f} on new text")

# %%
keras.utils.set_random_seed(3)
untrained = models.LanguageModel(len(characters), units=UNITS, embedding=64, cell="lstm")
before = metrics.perplexity(untrained.log_probabilities(new_ids[:6_000].reshape(-1, 200)))
epochs = range(EPOCHS + 1)
lines = {"equally probable characters": [(epoch, len(characters)) for epoch in epochs]}
for order, name in ((1, "frequency of characters"), (2, "pairs of characters")):
    counted = models.KneserNey(order).fit([learned_ids], len(characters)).perplexity([new_ids])
    lines[name] = [(epoch, counted) for epoch in epochs]
lines["LSTM"] = [(0, before), *((number, 2**bits) for number, bits in enumerate(trained.bits, 1))]
plots.curves(
    lines,
    x_label="epochs of training",
    y_label="perplexity of new text",
    log_y=True,
    title="The surprise of the model at new program text",
)

# %% [markdown]
# **Figure 2.** An untrained network starts where equally probable characters are. Compare it with the flat lines: a model that knows only how frequent each character is, and one that knows only which character follows which. What the LSTM gains below the lower one, it can only get from a longer memory.

# %% [markdown]
# ### Where is it surprised?
#
# The mean hides the most interesting part. The next cell takes $-\log_2 p$ of *each* character of a piece of new text. Which characters do you expect to be hard: the first letters of a word, or the last?

# %%
ROW, SKIPPED = 300, 100  # each row begins 100 characters early, so that the state is filled


def each_bits(language_model, ids):
    """Bits of each character of a text from number SKIPPED on, (characters,)."""
    starts = range(0, len(ids) - ROW, ROW - SKIPPED)
    rows = np.stack([ids[start : start + ROW] for start in starts])
    logs = language_model.log_probabilities(rows)  # (rows, ROW - 1)
    return -logs[:, SKIPPED - 1 :].ravel() / np.log(2)


def find_piece(begin, end, lines=8):
    """Where new.text has many quotation marks in few lines, some of them in an `if`."""
    starts = begin + np.flatnonzero(new.line_position[begin:end] == 0)
    best, piece = -1, (begin, begin + 300)
    for start, stop in zip(starts[:-lines], starts[lines:]):
        if max(map(len, new.text[start:stop].split("\n"))) > 64:
            continue  # does not fit into the picture
        quotes, share = new.inside_quotes[start:stop], new.inside_if[start:stop].mean()
        changes = np.abs(np.diff(quotes.astype(int))).sum()
        score = changes * (0.2 < share < 0.8) * (quotes.mean() < 0.5)
        if score > best:
            best, piece = score, (int(start), int(stop))
    return piece


surprise = each_bits(model, new_ids)  # of new.text[SKIPPED:]
first, last = find_piece(len(surprise) // 2, len(surprise))
piece = new.text[first:last]
plots.coloured_text(
    piece,
    np.clip(surprise[first - SKIPPED : last - SKIPPED] / 4 - 1, -1, 1),
    name="surprise: -1 is 0 bits, 0 is 4 bits, 1 is 8 bits or more",
    title="New program text, coloured by the surprise of the model",
)

# %% [markdown]
# **Figure 3.** Orange, with a line below, is surprising; purple, dotted, was nearly certain. Surprise is high where something new begins: the first letters of a name, the content of a string, a number. The rest of a frequent word and the indentation cost almost nothing.

# %% [markdown]
# ### What goes wrong
#
# - **Rows of another stream.** If the windows are cut so that neighbours of the text stand side by side in a batch, the carried state belongs to another place of the text. Nothing fails; the model is just worse.
# - **Another vocabulary.** A word model with perplexity 100 is not worse than a character model with perplexity 3: with 6 characters a word, $\log_2 100 / 6 = 1.1$ bits for each character beat $\log_2 3 = 1.6$. Compare only over the same text, in one unit.
# - **Text that was learned.** Measure on new text alone; section s10 shows why.

# %% [markdown]
# <a id="s9"></a>
#
# ## How does a model write, and why not always the best symbol?
#
# The model gives a probability to each next symbol. Choose one, let the model read it, and ask again. A model whose own output is its next input is called *autoregressive*. The only question is how to choose:
#
# | way | the next symbol is |
# | --- | --- |
# | greedy | the most probable one |
# | ancestral sampling | drawn, as probable as the model says |
# | temperature $T$ | drawn from sharper ($T < 1$) or flatter ($T > 1$) probabilities |
# | top-k | drawn among the $k$ most probable ones |
# | top-p | drawn among the fewest that together have the probability $p$ |
# | beam search | part of the most probable whole text that was found |

# %% [markdown]
# ### The formulas
#
# The logits are divided by the temperature before the softmax:
#
# $$p_v = \frac{\exp(o[v] / T)}{\sum_u \exp(o[u] / T)}$$
#
# $T \to 0$ gives greedy, $T = 1$ the model itself, $T \to \infty$ equal probabilities. Top-k and top-p set all but the best to 0 and divide what is left by its sum. For one row, sorted from the best down, this is all:

# %%
o = np.log([0.40, 0.25, 0.15, 0.10, 0.06, 0.04])  # one row of logits, the best first
for T in (0.5, 1.0, 2.0):
    p = np.exp(o / T) / np.exp(o / T).sum()
    print(f"T = {T}:    ", p.round(3))
p = np.exp(o)
k = 3
print(f"top-k, {k}:   ", np.concatenate([p[:k] / p[:k].sum(), 0 * p[k:]]).round(3))
n = 1 + np.searchsorted(np.cumsum(p), 0.6)  # so many reach a sum of 0.6
print("top-p, 0.6: ", np.concatenate([p[:n] / p[:n].sum(), 0 * p[n:]]).round(3))

# %% [markdown]
# Now on our model. After `if self.` many characters are possible. What do the settings do to them?

# %%
prompt, _ = characters.encode(["\n        if self."])
last_id, state = decoding.read_prompt(model.step, model.first_state(1), prompt)
logits, _ = model.step(last_id, state)
logits = np.array(logits)
logits[:, :4] = -np.inf  # the ids 0 to 3 are reserved and stand for no character
settings = {
    "temperature 0.5": {"temperature": 0.5},
    "temperature 1": {},
    "temperature 2": {"temperature": 2.0},
    "top-k, k = 5": {"top_k": 5},
    "top-p, p = 0.5": {"top_p": 0.5},
}
shown = ["PAD", "UNK", "BOS", "EOS", *characters.symbols]
plots.next_symbols(
    {name: decoding.next_probabilities(logits, **each)[0] for name, each in settings.items()},
    shown,
    count=14,
    title="The next character after: if self.",
)

# %% [markdown]
# **Figure 4.** The temperature moves probability between frequent and rare characters and never forbids one. Top-k and top-p cut the tail (crosses): top-k always after the same number, top-p earlier where the model is sure, later where it is not.

# %% [markdown]
# ### To play with
#
# Let the model go on from a beginning. At a low temperature it repeats itself; at a high one it no longer keeps to any rule. Where do you like it best? A small model that was trained for a minute will not write a program that runs.


# %%
LENGTH = 60 if FAST else 200  # characters


def write(temperature, beginning, top_p=1.0):
    """A beginning, and some characters after it."""
    ids, _ = characters.encode([f"\n{beginning}"])
    last_id, state = decoding.read_prompt(model.step, model.first_state(1), ids)
    drawn = decoding.sample(
        model.step, state, 1, last_id, None, LENGTH, temperature=temperature, top_p=top_p, seed=1
    )
    return beginning + characters.decode(drawn)[0]


plots.play(
    write,
    show=3,
    temperature=[0.3, 0.7, 1.0, 1.5],
    beginning=["def ", "class ", "    if ", "import "],
    top_p=[1.0, 0.9, 0.5],
)

# %% [markdown]
# ### Why greedy is not always good: two reasons
#
# **It repeats itself.** Real text is not a chain of most probable characters. It says something new, so improbable characters come regularly: about as often as their probability says. The next cell continues 8 pieces of new text in three ways, and lets the model say how surprised it is by each continuation, and by the real one.

# %%
CONTEXT, WRITTEN, PIECES = (60, 40, 4) if FAST else (100, 160, 8)
places = np.linspace(0, len(new_ids) - CONTEXT - WRITTEN, PIECES).astype(int)
real = np.stack([new_ids[place : place + CONTEXT + WRITTEN] for place in places])
last_ids, state = decoding.read_prompt(model.step, model.first_state(PIECES), real[:, :CONTEXT])
texts = {"real text": real}
for name, temperature in (("temperature 1", 1.0), ("temperature 0.5", 0.5), ("greedy", 0.0)):
    drawn = decoding.sample(
        model.step, state, PIECES, last_ids, None, WRITTEN, temperature=temperature
    )
    texts[name] = np.concatenate([real[:, :CONTEXT], drawn], axis=1)
BLOCK = WRITTEN // 8
own = {}
for name, rows in texts.items():
    bits = -model.log_probabilities(rows)[:, CONTEXT - 1 :] / np.log(2)  # (pieces, WRITTEN)
    blocks = bits.reshape(PIECES, 8, BLOCK).mean(axis=(0, 2))
    own[name] = [(BLOCK * number, value) for number, value in enumerate(blocks, start=1)]
plots.curves(
    own,
    x_label="characters written",
    y_label="bits for each character",
    title="The surprise of the model at what it wrote",
)

# %%
visible = characters.decode(texts["greedy"][:2, CONTEXT - 20 :])
print("\n=====\n".join(each.replace(" ", "·") for each in visible))

# %% [markdown]
# **Figure 5**, and two greedy texts (a dot is a space; they begin with 20 real characters). The model is surprised by real text again and again, by its greedy text hardly ever: it has fallen into a circle. A low temperature is little better. Sampling at temperature 1 stays near the surprise of real text. Holtzman et al. (2020) found the same in large models, and proposed top-p as the cure.

# %% [markdown]
# **It cannot go back.** Greedy takes the best *next* symbol, not the beginning of the best *text*. Here is a language with sentences of two words:
#
# | first word | probability | second word after it |
# | --- | --- | --- |
# | *it* | 0.5 | *rains* 0.4, *snows* 0.35, *works* 0.25 |
# | *well* | 0.3 | *done* 0.95, *well* 0.05 |
# | *in* | 0.2 | *time* 0.6, *town* 0.4 |
#
# Greedy begins with *it* and ends at "it rains": 0.5 · 0.4 = 0.20. But "well done" has 0.3 · 0.95 = 0.285. **Beam search** keeps the best few beginnings at each step, here two:

# %%
FIRST = {"it": 0.5, "well": 0.3, "in": 0.2}
SECOND = {
    "it": {"rains": 0.4, "snows": 0.35, "works": 0.25},
    "well": {"done": 0.95, "well": 0.05},
    "in": {"time": 0.6, "town": 0.4},
}
kept, rounds = [((), 0.0)], []  # beginnings, each with the logarithm of its probability
for _ in range(2):
    longer = [
        ((*words, word), total + np.log(p))
        for words, total in kept
        for word, p in (SECOND[words[0]] if words else FIRST).items()
    ]
    kept = sorted(longer, key=lambda each: -each[1])[:2]  # the width of the beam
    rounds.append(kept)
plots.beam_tree(rounds, title="Beam search of width 2")

# %% [markdown]
# **Figure 6.** After the first word the beam keeps *it* and *well*, and so it can still find the better sentence. A width of 1 is greedy; a width of all sentences would be exact, and too slow: their number grows exponentially with the length.

# %%
prompt, _ = characters.encode(["\n    def "])
last_id, state = decoding.read_prompt(model.step, model.first_state(1), prompt)
for width in (1, 4, 16):
    found = decoding.beam_search(
        model.step, state, 1, last_id, None, 20 if FAST else 60, width=width
    )
    bits = -found.scores[0, 0] / found.ids.shape[-1] / np.log(2)
    print(f"width {width:>2}, {bits:.2f} bits a character: {characters.decode(found.best)[0]!r}")

# %% [markdown]
# A wider beam nearly always finds a text that is more probable, and seldom one that is more interesting. So beam search is for tasks where the input fixes what must be said, such as [translation](05_seq2seq.ipynb#s21). For open writing, draw.

# %% [markdown]
# <a id="s10"></a>
#
# ## Is learning better than counting?
#
# Before networks, language models counted. An **n-gram** model looks back $n - 1$ symbols and asks how often each symbol followed them in the training text:
#
# $$p(w_t \mid w_{t-n+1} \dots w_{t-1}) = \frac{\mathrm{count}(w_{t-n+1} \dots w_t)}{\mathrm{count}(w_{t-n+1} \dots w_{t-1})}$$
#
# There is no training and no gradient. But what never came has the probability 0, and one such character in a new text makes its perplexity infinite. So a little is taken from each count and given to shorter contexts.

# %% [markdown]
# With a discount $D$ between 0 and 1, $n(cv)$ for how often $v$ followed the context $c$, $n(c)$ for how often $c$ came, $k(c)$ for how many *different* symbols followed it, and $c'$ for $c$ without its first symbol:
#
# $$p(v \mid c) = \frac{\max(n(cv) - D, 0)}{n(c)} + \frac{D \, k(c)}{n(c)} \, p(v \mid c')$$
#
# The second part is exactly what was taken away, so the sum over $v$ stays 1. (Kneser-Ney smoothing, which we use below, counts in the shorter contexts after how many different symbols $v$ came, not how often.)

# %%
D, sample_text = 0.75, learned[:20_000]
follow = defaultdict(Counter)  # for each context, how often each symbol followed it
for length in range(3):
    for i in range(length, len(sample_text)):
        follow[sample_text[i - length : i]][sample_text[i]] += 1


def p_next(v, c):
    """The probability of the symbol v after the context c, a string."""
    shorter = p_next(v, c[1:]) if c else 1 / len(characters)
    if c not in follow:
        return shorter
    n, n_cv, kinds = follow[c].total(), follow[c][v], len(follow[c])
    return max(n_cv - D, 0) / n + D * kinds / n * shorter


for v in "frxZ":
    print(f"p({v} | 'de') = {p_next(v, 'de'):.4f}, counted {follow['de'][v]} times")
total = sum(p_next(v, "de") for v in follow[""])  # over all characters of the text
print(f"sum over all characters: {total:.4f}")

# %% [markdown]
# ### Side by side
#
# Models of characters are compared in **bits for each character**, $J / \log 2$: as many bits as a perfect code, made from the model, needs. Both kinds of model get the same training text and are asked about the same new characters.

# %%
ORDERS = [1, 2, 3, 4, 6] if FAST else [1, 2, 3, 4, 5, 6, 8, 10]
ngrams = {order: models.KneserNey(order).fit([learned_ids], len(characters)) for order in ORDERS}
counted_bits = {order: each_bits(ngram, new_ids) for order, ngram in ngrams.items()}
plots.curves(
    {
        "n-grams": [(order, bits.mean()) for order, bits in counted_bits.items()],
        "LSTM": [(order, surprise.mean()) for order in ORDERS],
    },
    x_label="order of the n-grams (characters)",
    y_label="bits for each character",
    title="New program text",
)

# %%
for order in ORDERS:
    different = len({learned[i : i + order] for i in range(len(learned) - order + 1)})
    bits = counted_bits[order].mean()
    print(f"{order:>2}-grams: {bits:.2f} bits, {different:>9,} different n-grams")
print(f"    LSTM: {surprise.mean():.2f} bits, {model.count_params():>9,} weights")

# %% [markdown]
# **Figure 7**, and its numbers. Counting is a strong opponent. Beyond order 5 or 6, n-grams gain little, because most longer contexts of a new text were never seen; what they gain, they pay for with memory. The LSTM holds what it knows in one table of weights, and its state has no border at $n - 1$.

# %% [markdown]
# With more text and more training, over three seeds, on two kinds of text (bits for each character; median, smallest and largest):
#
# | text | LSTM, 6 epochs | 4-gram | 5-gram | best n-gram |
# | --- | --- | --- | --- | --- |
# | program text | 2.34 (2.31 to 2.37) | 2.44 | 2.31 | 2.14 (order 15) |
# | Shakespeare | 2.66 (2.65 to 2.69) | 2.71 | 2.56 | 2.56 (orders 5 and 6) |
#
# `python benchmarks/lecture_numbers.py against_ngrams` and `… against_ngrams_shakespeare`: half a million characters, 192 units, about a minute of training. In this setting the LSTM is better than 4-grams with each seed, and the best n-grams are better than the LSTM. Karpathy et al. (2016) trained larger networks for much longer, and there the LSTMs won.

# %% [markdown]
# ### Who knows what?
#
# A mean hides that the two are good at different things. Colour each character by the *difference*: how many bits the LSTM saves against the 5-gram.

# %%
OPPONENT = 4 if FAST else 5
saved = counted_bits[OPPONENT] - surprise if OPPONENT in counted_bits else 0 * surprise
plots.coloured_text(
    piece,
    np.clip(saved[first - SKIPPED : last - SKIPPED] / 3, -1, 1),
    name=f"bits saved by the LSTM against the {OPPONENT}-gram; 1 is 3 bits or more",
    title="LSTM or n-gram: the better prediction",
)

# %%
here = np.array(list(new.text[SKIPPED : SKIPPED + len(saved)]))
earlier = np.array(list(new.text[SKIPPED - 1 : SKIPPED - 1 + len(saved)]))
is_letter, after_letter = np.char.isalnum(here), np.char.isalnum(earlier)
kinds = {
    "indentation": (here == " ") & np.isin(earlier, ["\n", " "]),
    "line break": here == "\n",
    "first letter of a word": is_letter & ~after_letter,
    "letter inside a word": is_letter & after_letter,
    "sign": ~is_letter & ~np.isin(here, [" ", "\n"]),
}
print(f"{'kind of character':>24}   count    LSTM  {OPPONENT}-gram")
for name, chosen in kinds.items():
    numbers = surprise[chosen].mean(), counted_bits[OPPONENT][chosen].mean()
    print(f"{name:>24}   {chosen.sum():>5}   {numbers[0]:.2f}    {numbers[1]:.2f} bits")

# %% [markdown]
# **Figure 8**, and the mean bits by kind of character. Compare the rows: how far a line is indented, and where it ends, depends on what stood many characters ago, and there a memory helps. Inside a word, the last four characters say nearly everything, and counting remembers every name it has seen.

# %% [markdown]
# ### What goes wrong
#
# A model that has seen the text looks perfect. The next cell asks n-grams about the text that they have counted.

# %%
for order in ORDERS[-3:]:
    on_old = each_bits(ngrams[order], learned_ids[: len(new_ids)]).mean()
    on_new = counted_bits[order].mean()
    print(f"{order:>2}-gram: {on_old:.2f} bits on text it counted, {on_new:.2f} on new text")

# %% [markdown]
# <a id="s11"></a>
#
# ## Does a network know that it is inside quotes?
#
# To predict program text well, something in the network must keep track: is a quotation mark open, how far has the line come, is this the body of an `if`? Nobody tells the network about quotes. Perhaps a memory cell $c_t[i]$ of the LSTM has learned to follow them all the same. Karpathy et al. (2016) found such cells in large networks, by looking. We search by measuring.

# %% [markdown]
# ### A number for each cell
#
# Take the value of one cell after each character, and a property that is true or false there. The **area under the ROC curve** is the probability that the cell is higher at a place where the property is true than at a place where it is not:
#
# $$A_i = \frac{1}{N_1 N_0} \sum_{t:\, q_t = 1} \; \sum_{u:\, q_u = 0} \left[\, c_t[i] > c_u[i] \,\right]$$
#
# 0.5 is chance, 1 a perfect cell, and 0 just as perfect: a cell that falls where the property holds. For a number, such as the position in the line, take the correlation. Two things are left out: strings of several lines, which hold prose, and indentation, which is never inside quotes: every cell that notices it would look good.

# %%
cell = np.array([-0.9, -0.8, 0.4, 0.7, -0.2, -0.9])  # one cell, after each character of: a="b";
inside = np.array([False, False, True, True, True, False])
higher = cell[inside][:, None] > cell[~inside][None, :]  # each true place with each false one
print("area under the ROC curve:", higher.mean())

# %%
def is_code():
    """Two arrays: True outside strings of several lines (prose); and True for indentation."""
    edges = np.diff(np.concatenate([[0], new.inside_quotes.astype(int), [0]]))
    code, indentation = np.ones(len(new.text), bool), np.zeros(len(new.text), bool)
    for begin, end in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)):
        code[begin:end] = "\n" not in new.text[begin:end]
    for place, symbol in enumerate(new.text):
        blank_before = new.line_position[place] == 0 or indentation[place - 1]
        indentation[place] = symbol == " " and blank_before
    return code, indentation


cells = memory_over_text(model, new_ids)  # (characters, units): tanh(c)
read = slice(WARM_UP, WARM_UP + len(cells))  # the characters after which these are the states
code, indentation = (each[read] for each in is_code())


def best_cells(states, name, count):
    """The cells that go best with a property of program text."""
    here = code if name == "position in line" else code & ~indentation
    return metrics.rank_cells(states[here], new.properties[name][read][here], count=count)


plots.cell_ranking(
    best_cells(cells, "inside quotes", 8),
    "area under the ROC curve",
    chance=0.5,
    title="Inside quotes: the best cells",
)

# %% [markdown]
# **Figure 9.** The best cells were chosen on the first half of the text (rings) and measured again on the second (bars). The bars are what counts: the best of many cells is also a lucky one, so its ring may be too good to be true.

# %% [markdown]
# ### To play with: which cell, which property?
#
# The picture colours the piece of new text by a cell; 1 is the highest value that this cell ever takes, -1 the lowest. `rank 1` is the best cell for the property.

# %%
ranks = 2 * (rankdata(cells, axis=0) - 1) / (len(cells) - 1) - 1  # -1 the lowest, 1 the highest
PROPERTIES = ["inside quotes", "position in line", "inside an if"]
ranked = {name: best_cells(cells, name, 5) for name in PROPERTIES}


def show_cell(follows, rank):
    """The piece of text, coloured by one of the best cells."""
    found = ranked[follows][rank - 1]
    values = found.sign * ranks[first - WARM_UP : last - WARM_UP, found.cell]
    turned = ", turned" if found.sign < 0 else ""
    return plots.coloured_text(
        piece, values, name=f"cell {found.cell}{turned}", title=f"{follows}: score {found.score:.2f}"
    )


plots.play(show_cell, show=3, follows=PROPERTIES, rank=[1, 2, 3, 4, 5])

# %% [markdown]
# **Figures 10 to 12.** The same lines of text, by the best cell for each property. Do not expect a switch that goes on and off exactly at the marks: in a model of this size a cell follows a property roughly, and does other things beside it. Most cells follow nothing that has a name.

# %% [markdown]
# ### Was it learned?
#
# An *untrained* memory is not at chance: it fills up while a line goes on, and so it knows the place in the line for free. Only what goes beyond it was learned.

# %%
untrained_cells = memory_over_text(untrained, new_ids)
panels = {name: {} for name in PROPERTIES}
for name in PROPERTIES:
    for which, each in (("trained", cells), ("random weights", untrained_cells)):
        found = best_cells(each, name, 8)
        panels[name][which] = [(rank, cell.score) for rank, cell in enumerate(found, start=1)]
plots.curves(
    panels,
    x_label="rank of the cell",
    y_label="score on new text",
    title="The best cells, with and without training",
)

# %% [markdown]
# **Figure 13.** One seed, one small model. Look where the two curves part; where they do not, nothing was learned that a random memory does not have. (For quotes and `if` the score is the area, and chance is 0.5; for the position it is the correlation, and chance is 0.) Over three seeds, with a larger model and over all characters, the best cell reaches:
#
# | property | trained | untrained |
# | --- | --- | --- |
# | inside quotes | 0.78 (0.70 to 0.83) | 0.67 (0.64 to 0.70) |
# | position in line | 0.64 (0.63 to 0.65) | 0.59 (0.54 to 0.59) |
# | inside an `if` | 0.65 (0.57 to 0.80) | 0.59 (0.58 to 0.60) |
#
# `python benchmarks/lecture_numbers.py structure_cells`. For quotes and for the position in the line, no trained network falls below the best untrained one. For `if` they differ: one seed has such a cell, another has none.

# %% [markdown]
# ### What goes wrong
#
# - **Choosing and measuring on the same text.** With 128 cells, one is good by chance.
# - **No comparison.** Without the untrained network, Figure 13 would look like a discovery everywhere.
# - **"The network uses it."** A cell that goes *with* quotes need not be the cell with which the network *decides*. To show that, one must change the cell and see whether the predictions change.

# %% [markdown]
# <a id="s12"></a>
#
# ## Does it know which noun the verb belongs to?
#
# "The **writer** of the *books* **is** here." The verb agrees with *writer*, the subject, and not with *books*, which stands beside it. A noun of the other number between subject and verb is an **attractor**. Two ways of going wrong or right:
#
# - **sequential recency**: agree with the nearest noun; wrong here;
# - **syntactic recency**: agree with the noun that is nearest in the structure of the sentence, the subject; right.
#
# Linzen, Dupoux and Goldberg (2016) asked LSTMs this question, and found that language models make more errors the more attractors there are.

# %% [markdown]
# ### The test
#
# The model only has to find the right form more probable than the wrong one, after the same words $w_{<t}$:
#
# $$\log p(\text{is} \mid w_{<t}) > \log p(\text{are} \mid w_{<t})$$
#
# Nobody tells the model what a subject is. It reads sentences, now with a *word* as a symbol, and predicts the next word; nothing else changes. Each test sentence has a twin with all numbers turned round, so who only knows which form is frequent gets one half right.

# %%
known = data.agreement(200 if FAST else 16_000, (0, 0, 0, 0, 1, 1, 2), "train", seed=1)
tests = {n: data.agreement(40 if FAST else 300, [n], "test", seed=2) for n in range(5)}
sentences = [" ".join(sentence) for sentence in known.sentences]
vocabulary = text.Vocabulary.from_texts(sentences, split=text.words, joiner=" ")
sentence_ids, _ = vocabulary.encode(sentences, bos=True, eos=True)
print(len(sentences), "sentences,", len(vocabulary), "ids. Most have no attractor, few have two.")
for number in (0, 2, 4):
    print(f"{number} attractors:", *tests[number].prefixes[1], "...", tests[number].right[1])

# %%
WORD_EPOCHS = 2 if FAST else 6
word_models, weights, accuracy = {}, {}, {}
for name, kind in (("Elman", "elman"), ("LSTM", "lstm"))[1 if FAST else 0 :]:
    keras.utils.set_random_seed(0)
    net = models.LanguageModel(len(vocabulary), units=64, embedding=32, cell=kind)
    net.compile(
        keras.optimizers.Adam(0.003, global_clipnorm=1.0),
        loss=models.masked_cross_entropy,
        run_eagerly=FAST,  # to make a graph takes longer than a short training
    )
    word_models[name], weights[name], accuracy[name] = net, [], []
    for _ in range(WORD_EPOCHS):
        net.fit(sentence_ids[:, :-1], sentence_ids[:, 1:], batch_size=64, verbose=0)
        weights[name].append(net.get_weights())
        accuracy[name].append([verb_accuracy(net, vocabulary, test) for test in tests.values()])
five_gram = models.KneserNey(5).fit(sentence_ids, len(vocabulary))
counted = [verb_accuracy(five_gram, vocabulary, test) for test in tests.values()]
print("5-gram, 0 to 4 attractors:", "  ".join(f"{share:.2f}" for share in counted))

# %%
plots.curves(
    {
        name: {
            f"{number} attractor{'' if number == 1 else 's'}": [
                (epoch, shares[number]) for epoch, shares in enumerate(each, start=1)
            ]
            for number in (0, 1, 2, 3, 4)
        }
        for name, each in accuracy.items()
    },
    x_label="epochs of training",
    y_label="right verb wins",
    chance=0.5,
    y_limits=(-0.03, 1.03),
    title="First the nearest noun, then the subject",
)

# %% [markdown]
# **Figure 14.** A network that agrees with the nearest noun has all right without attractors, 1/2 with one, 1/4, 1/8, and *none* with four. Look for the epoch where the curves lie like this: below chance means that the network has learned a rule, the wrong one. Later the curves meet at the top: the rule for the nearest noun has given way to the right one.

# %% [markdown]
# Three seeds, after the last of 6 epochs (`python benchmarks/lecture_numbers.py agreement`):
#
# | attractors | 0 | 1 | 2 | 3 | 4 |
# | --- | --- | --- | --- | --- | --- |
# | Elman | 1.00 | 1.00 | 1.00 | 1.00 | 1.00 |
# | LSTM | 1.00 | 1.00 | 1.00 | 1.00 | 1.00 (0.99 to 1.00) |
# | 5-gram | 0.91 | 0.50 | 0.37 | 0.26 | 0.10 |
#
# In the training text there were at most two attractors: what was learned is no list of cases. The 5-gram sees four words, and often no subject among them. In *this* language the plain net learns the rule too, and sooner. Real language is harder: more words and structures, and few sentences that show the difference.

# %% [markdown]
# ### To play with: ask it about a sentence
#
# Which verb comes next? The panels show the 5-gram, and the LSTM after each of two epochs. Try a plural subject, and more attractors.

# %%
VERBS = ["is", "are", "was", "were", "has", "have", "needs", "need"]
verb_ids = [int(vocabulary.encode([verb])[0][0, 0]) for verb in VERBS]
MIDDLE = (WORD_EPOCHS + 1) // 2 + (0 if FAST else 1)


def ask(between, subject):
    """The probabilities of some verbs after "the writer of the books"."""
    ids, _ = vocabulary.encode([f"the {subject} {between}".strip()], bos=True)
    rows = np.concatenate([np.repeat(ids, len(VERBS), axis=0), np.array(verb_ids)[:, None]], axis=1)
    panels = {"5-gram": five_gram.log_probabilities(rows)[:, -1]}
    net = word_models["LSTM"]
    for epoch in (MIDDLE, WORD_EPOCHS):
        net.set_weights(weights["LSTM"][epoch - 1])
        panels[f"LSTM, epoch {epoch}"] = net.log_probabilities(rows)[:, -1]
    shares = {name: np.exp(logs) / np.exp(logs).sum() for name, logs in panels.items()}
    return plots.next_symbols(
        shares, VERBS, title=f"Verbs after: the {subject} {between}", sort=False
    )


plots.play(
    ask,
    show=2,
    between=[
        "near the key",
        "near the keys",
        "of the books near the keys",
        "that the nurses know",
        "of the books near the keys behind the doors",
    ],
    subject=["writer", "writers"],
)

# %% [markdown]
# **Figures 15 and 16.** Of these eight verbs, how probable is each? The subject is singular in both, so *is, was, has, needs* are right. Compare the panels when an attractor stands before the verb.

# %% [markdown]
# <a id="s13"></a>
#
# ## How far back can it reach?
#
# "anna promised to bring the **tickets** . it rained . the train stopped in the valley . … at last anna brought the **tickets**". The last word was said once, long before. To predict it, the network must keep one of 16 things in mind, while it reads everything else. In principle its state can; lectures [1](01_rnn.ipynb#s3) and [2](02_lstm.ipynb#s7) showed why it may fail to *learn* it: the gradient from the last word back to the first mention shrinks with each step.
#
# We measure the probability of the right word, $p(w_T \mid w_{<T})$, as a mean over new stories, against the distance.

# %%
trained_on, tested_on = ((8,), (8, 16)) if FAST else ((8, 12, 16, 24, 32), (8, 16, 32, 64, 128))
reach = experiments.long_range(seeds=(0,), trained=trained_on, tested=tested_on, quiet=True)
for training in reach.trainings:
    print(f"{training.model}: {training.weights:,} weights, trained in {training.seconds:.0f} s")
plots.curves(
    reach.series(),
    x_label="distance (words)",
    y_label="probability of the right word",
    log_x=True,
    chance=reach.chance,
    y_limits=(-0.03, 1.03),
    title="A word that was said once, long ago",
)

# %% [markdown]
# **Figure 17.** The 5-gram cannot see the word, and stays at 1/16. The stories to learn from have up to 32 words between; farther to the right is what the networks were never trained for. This is one seed: before you conclude anything about the two networks, look at three.

# %% [markdown]
# Three seeds (`python benchmarks/lecture_numbers.py long_range`; median, smallest and largest):
#
# | distance | 8 | 16 | 32 | 64 | 128 |
# | --- | --- | --- | --- | --- | --- |
# | Elman | 0.99 | 0.98 | 0.97 (0.92 to 1.00) | 0.94 (0.68 to 1.00) | 0.90 (0.49 to 1.00) |
# | LSTM, forget bias 3 | 1.00 | 1.00 | 0.99 (0.99 to 1.00) | 0.86 (0.85 to 0.93) | 0.47 (0.42 to 0.72) |
# | 5-gram | 0.06 | 0.06 | 0.06 | 0.06 | 0.06 |
#
# All seeds keep the word over all distances of the training. Beyond, they differ, and the LSTM is *not* ahead: its memory fades a little in each step, and 128 steps are many. "An LSTM remembers longer" is no law; it depends on how the weights begin and how one trains.

# %% [markdown]
# ### What was done to make it learn
#
# Three things, for both networks alike: short distances first, one more in each epoch; the last word counts 30 times, because it is one of some 40 and would be lost in the mean; and the matrix $U$ begins orthogonal. The LSTM's forget gates begin nearly open, $\sigma(3) = 0.95$. In plain text nobody does this for the model. Khandelwal et al. (2018) measured what trained LSTM language models use: about 200 words back, and the order of words only in the last 50.

# %% [markdown]
# ## Quick questions
#
# **1.** A model has the perplexity 8 on a text of characters. How many bits for each character is that? How large is its loss?
#
# <details><summary>Answer</summary>
#
# $\log_2 8 = 3$ bits for each character. The loss is $\log 8 = 2.08$ nats.
#
# </details>
#
# **2.** Two models write. One has a vocabulary of 10,000 words and the perplexity 90, the other one of 50,000 word pieces and the perplexity 40. Which is better?
#
# <details><summary>Answer</summary>
#
# Nobody can tell from this. The second makes more and shorter steps through the same text. Divide the total $-\log_2 p$ of the same text by its number of *characters* in both cases, and compare.
#
# </details>

# %% [markdown]
# **3.** What does a temperature of 0.5 do to two symbols with the probabilities 0.4 and 0.1?
#
# <details><summary>Answer</summary>
#
# Dividing the logits by 0.5 squares the probabilities (before they are divided by their sum): 0.16 and 0.01. The first was 4 times as probable as the second, now 16 times.
#
# </details>
#
# **4.** A cell has an area of 0.2 for "inside quotes". Is it useless?
#
# <details><summary>Answer</summary>
#
# No. It is as good as one with 0.8: it is lower inside quotes. Only 0.5 says nothing.
#
# </details>

# %% [markdown]
# ## Common mistakes
#
# | what you see | why | in the exercise |
# | --- | --- | --- |
# | the carried state does not help, or harms | neighbouring windows stand in neighbouring *rows*, or the state is reset at each window | questions 1, 5 |
# | the loss falls to 0 within an epoch | the targets are the inputs, or the model reads both ways | questions 1, 4 |
# | a loss of NaN or infinity | `exp` of large logits; subtract the largest of *each* row first | question 2 |
# | the loss never goes below a certain value | a softmax is taken twice | question 2 |
# | the perplexity is too low | padding counts in the mean; or 2 to the power of nats | questions 2, 3 |
# | the perplexity is below 1 | the minus is missing | question 3 |

# %% [markdown]
# | what you see | why | in the exercise |
# | --- | --- | --- |
# | bits that are half of what they should be | multiplied by $\log 2$ instead of divided | question 6 |
# | probabilities that do not sum to 1 | after top-k, top-p or the temperature, the sum was not divided by, or that of the whole batch was | questions 8, 9, 10 |
# | a low temperature makes the text wilder | multiplied by $T$, or the *probabilities* were divided by it | question 8 |
# | top-p leaves out the symbol that reaches the mass | the sum was compared with itself in it, not before it | question 10 |
# | the text ignores the beginning, or begins with a stutter | the prompt is not read, or its last symbol is read twice | question 11 |
# | the best cell is the worst | `argsort` sorts upwards, or the sign of the correlation was kept | question 13 |
# | a probability of the last word near 1 for short stories | the last *column* is padding | question 15 |

# %% [markdown]
# ## Summary
#
# - A language model factors the probability of a text into next-symbol probabilities; a recurrent one computes them from a state that has seen everything before.
# - It minimises the cross-entropy $J$, the mean of $-\log p$. Perplexity is $\exp J$, bits are $J / \log 2$; equally probable symbols have the perplexity $\lvert V \rvert$.
# - Greedy text repeats itself and misses the best whole text. Sampling with temperature, top-k or top-p is for writing; beam search is for tasks where the input fixes the content.
# - Counting is a strong baseline: here n-grams of high order beat an LSTM that was trained for a minute.
# - Single cells can follow a property of the text; compare with an untrained network, and measure where you did not choose.
# - Networks learn the nearest noun first and the subject later. How far they reach depends on training as much as on the cell.

# %% [markdown]
# ## How old is this?
#
# **What was replaced.** From about 2018 on, Transformers took over: attention looks at all earlier symbols directly, and training runs in parallel over time. Nobody trains a large LSTM language model on text today.
#
# **What stayed.** The objective is the same, to the letter: next symbol, cross-entropy, perplexity. So are temperature, top-k, top-p and beam search, tests of agreement, probing for properties, and their warnings. "Pretraining" is what this lecture did, at scale.
#
# **What still recurs.** Models whose state does not grow with the text are back, since attention pays for its whole past at each step: RWKV (Peng et al., 2023), Mamba (Gu and Dao, 2023), xLSTM (Beck et al., 2024).

# %% [markdown]
# ## Where to go on
#
# - [Exercise 3](../exercises/03_language_model/03_language_model.ipynb): batches, loss and perplexity (questions 1 to 5), bits and n-grams (6, 7), writing (8 to 12), cells (13), agreement (14), long range (15).
# - Next: [lecture 4](04_bidirectional.ipynb), networks that may look at the right context too.
#
# Papers, in the order of the sections:
#
# - Bengio, Ducharme, Vincent, Jauvin (2003), *A neural probabilistic language model*. Mikolov et al. (2010), *Recurrent neural network based language model*.
# - Holtzman et al. (2020), *The curious case of neural text degeneration*. Fan, Lewis, Dauphin (2018), *Hierarchical neural story generation* (top-k).
# - Chen, Goodman (1999), *An empirical study of smoothing techniques for language modeling*.
# - Karpathy, Johnson, Fei-Fei (2016), *Visualizing and understanding recurrent networks*.
# - Linzen, Dupoux, Goldberg (2016), *Assessing the ability of LSTMs to learn syntax-sensitive dependencies*. Gulordava et al. (2018), *Colorless green recurrent networks dream hierarchically*.
# - Khandelwal et al. (2018), *Sharp nearby, fuzzy far away: how neural language models use context*.
