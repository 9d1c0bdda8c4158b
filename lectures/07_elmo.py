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
# # Lecture 7: ELMo, a vector for each word in its sentence
#
# A language model learns from plain text, which costs nothing. What it has learned can help a task whose labels are dear. This lecture looks into a trained model, word by word and layer by layer, and puts it to use.
#
# The exercise is [exercises/07_elmo](../exercises/07_elmo/07_elmo.ipynb). Numbers below are measured while this notebook runs, or stand beside the command that measured them.

# %% [markdown]
# ## What you will be able to do
#
# 1. Say what a static vector cannot know, and find a word's neighbours in its sentence.
# 2. Compute the losses of a forward and of a backward language model.
# 3. List the $2L + 1$ representations of a word, and mix them to one vector.
# 4. Put frozen vectors into a network for a task, and choose the place.
# 5. Fine-tune a language model as a classifier, and say when this helps.

# %%
import os

# First, because it tells TensorFlow and Keras how to start.
from rnnkit import data, elmo, metrics, models, plots, text

import keras
import numpy as np

FAST = os.environ.get("RNNKIT_FAST") == "1"  # our own tests: shorter training
keras.utils.set_random_seed(7)
# (With FAST, training runs without a graph, which pays only when training is long.)
print("Training in the", "short" if FAST else "full", "setting")

# %% [markdown]
# ### Symbols of this lecture
#
# | symbol | in the code | shape | what it is |
# | --- | --- | --- | --- |
# | $w_k$ | `ids[k]` | a number | word $k$ of a sentence of $n$ words, marks included |
# | $x_k$ | `tokens[k]` | (size,) | its vector, made from its characters |
# | $\overrightarrow{h}_{k,j}$, $\overleftarrow{h}_{k,j}$ | `ahead[j - 1][k]`, `back[j - 1][k]` | (size,) | output of forward (backward) layer $j$, of $L$ |
# | $h_{k,j}$ | `layers[j, k]` | (2 · size,) | both, joined; $h_{k,0}$ is the token layer |
# | $s_j$, $\gamma$ | `s`, `gamma` | numbers | weight of layer $j$ in a task; scale |
# | $\lambda$ | `regularization` | a number | how strongly the weights are held equal |
#
# All lectures share one notation: [notation](notation.ipynb#elmo).

# %% [markdown]
# <a id="s30"></a>
#
# ## How many vectors does a word have?
#
# word2vec (2013) and GloVe (2014) give each word **one** vector, learned from the words around it in a large text. Words that keep the same company get vectors of nearly the same direction, measured by the cosine:
#
# $$\cos(u, v) = \frac{u \cdot v}{\lVert u \rVert \, \lVert v \rVert}$$
#
# Such vectors are **static**: a table, looked up by the word's spelling. So "bank" has one vector for the river and for the money: a mean of its uses, weighted by how often they come.

# %%
u, v = np.array([1.0, 2.0, 0.0]), np.array([2.0, 4.0, 1.0])
cosine = u @ v / (np.linalg.norm(u) * np.linalg.norm(v))
print(
    f"cosine {cosine:.3f}; of a vector with itself times 5: {u @ (5 * u) / (np.linalg.norm(u) * np.linalg.norm(5 * u)):.3f}"
)

# %% [markdown]
# ### Static neighbours
#
# The kit comes with a small trained biLM, the model of the next section. To predict words, it holds an output vector for each of its 10,000 words. That is a static table, learned from text, so we can ask it for neighbours.

# %%
training = elmo.load_pretrained_training()  # the biLM, its word list and its output layer
bilm, vocabulary = training.bilm, training.words
output_vectors = np.asarray(training.softmax.vectors, dtype="float64")
output_bias = np.asarray(training.softmax.bias, dtype="float64")
directions = output_vectors / np.linalg.norm(output_vectors, axis=1, keepdims=True)

for word in ("Monday", "letter", "party", "play"):
    cosines = directions @ directions[vocabulary.ids([word])[0]]
    best = np.argsort(cosines)[::-1][1:8]  # the nearest of all is the word itself
    print(f"{word:>7}:", ", ".join(vocabulary.words[row] for row in best))

# %% [markdown]
# "Monday" has one use, and its neighbours are fine. "letter" is written paper here: the one of the alphabet is lost. And "play" is mostly a verb; nothing is left of the theatre. A table cannot do better: it must decide before it has seen the sentence.
#
# **Contextual** vectors are a function of word *and* sentence. So a word has as many vectors as it has occurrences.

# %%
BANKS = {
    "river": "We sat on the bank of the river .",
    "lake": "Trees grow along the bank of the lake .",
    "water": "The boat came to the left bank of the water .",
    "loan": "The bank gave them a loan for the house .",
    "credit": "The bank wants more for its credit .",
    "cash": "Every bank has to keep some cash .",
}


def at_word(sentence, word):
    """All layers of one word in its sentence, as directions: (layers, size)."""
    words = sentence.split()
    vectors = bilm.embed([words])[0][:, words.index(word)]
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


BANK_VECTORS = np.stack([at_word(each, "bank") for each in BANKS.values()])


def near_banks(asked):
    """How near each "bank" is to the one in the sentence that is asked about."""
    cosines = (BANK_VECTORS * at_word(asked, "bank")).sum(axis=-1)
    names = ("static (characters)", "in context, layer 1", "in context, layer 2")
    return plots.over_words(
        dict(zip(names, cosines.T)), list(BANKS), "cosine", title=asked, y_limits=(0, 1.05)
    )


plots.play(
    near_banks,
    show=2,
    asked=[
        "They walked along the bank of the river .",
        "The bank paid for the new house .",
        "The bank was open .",
    ],
)

# %% [markdown]
# **Figure 1.** How near "bank" in six sentences (named by their telling word) is to "bank" in the sentence above each panel. The static vector is always the same: cosine 1. In context, the banks of one kind stand nearer to each other.

# %% [markdown]
# <a id="s31"></a>
#
# ## What is a biLM, and how does it learn?
#
# A **bidirectional language model** is two language models over one sentence:
#
# - the forward one predicts each word from those before it;
# - the backward one predicts each word from those after it.
#
# Each is a stack of $L = 2$ LSTM layers. They share the vectors of the words and the output layer, nothing else. Neither may see what it must predict, so they **never mix**: a [bidirectional network](04_bidirectional.ipynb) like that of lecture 4, whose upper layers read both directions, would find the answer in its input.

# %%
plots.network("biLM", ["the", "bank", "closed"], layers=2)

# %% [markdown]
# **Figure 2.** A biLM of two layers. Follow the arrows from a word: to the right in one network, to the left in the other. No arrow leads from one to the other.

# %% [markdown]
# ### The two losses
#
# Mean surprise, in nats, with $o_k$ the scores that a direction gives at word $k$:
#
# $$J_{\rightarrow} = -\frac{1}{n-1} \sum_{k=1}^{n-1} \log p(w_{k+1} \mid w_1 \dots w_k)
# \qquad
# J_{\leftarrow} = -\frac{1}{n-1} \sum_{k=2}^{n} \log p(w_{k-1} \mid w_k \dots w_n)$$
#
# $$p = \mathrm{softmax}(o_k), \qquad o_k = h_{k,L}\, V + b_o \text{, of one direction}$$
#
# Training lowers the sum of both; $e^J$ is the perplexity. Mind the shift: the same word is a target at one place for one model, and at another for the other.


# %%
def log_softmax(scores):
    scores = scores - scores.max(axis=-1, keepdims=True)
    return scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))


def both_models(sentence):
    """The words with their marks, their ids, and log p of all words at each place, both ways."""
    words = ["<S>", *sentence.split(), "</S>"]
    top = np.asarray(bilm(elmo.character_ids([sentence.split()])))[0, -1]  # (time, 2 * size)
    logs = [
        log_softmax(half @ output_vectors.T + output_bias) for half in np.split(top, 2, axis=-1)
    ]
    return words, vocabulary.ids(words), *logs


def surprises(sentence):
    """-log p of each word, by the words before it, and by those after it."""
    words, ids, forward, backward = both_models(sentence)
    ahead = [-forward[k - 1, ids[k]] for k in range(1, len(ids))]
    back = [-backward[k + 1, ids[k]] for k in range(len(ids) - 1)]
    return words, ahead, back


asked = "They sat on the bank of the river ."
_, ahead, back = surprises(asked)
forward, backward = np.exp(np.mean(ahead)), np.exp(np.mean(back))
print(f"by hand: perplexity {forward:.2f} forwards, {backward:.2f} backwards")
training.run_eagerly = FAST
measured = training.perplexity([asked.split()])
print(f"the kit: perplexity {measured.forward:.2f} forwards, {measured.backward:.2f} backwards")


# %%
def surprise_curve(sentence):
    """Both surprises at each word."""
    words, ahead, back = surprises(sentence)
    lines = {"by the words before it": [np.nan, *ahead], "by the words after it": [*back, np.nan]}
    return plots.over_words(lines, words, "surprise, -log p (nats)")


plots.play(
    surprise_curve,
    show=2,
    sentence=[
        "The president of the United States was born in New York .",
        "He is one of the best players in the world .",
        "They sat on the bank of the river .",
        "They sat on the bank of the loan .",
        "They sat on bank the of river the .",
    ],
)

# %% [markdown]
# **Figure 3.** How surprised each model is at each word. Look at "United States" and "New York": whoever comes first in the order of reading pays for both. After "United", "States" costs the forward model nearly nothing; the backward model, which meets "States" first, gets "United" for nothing. Try the shuffled sentence.

# %% [markdown]
# ### Two halves of the context
#
# Cover a word, and ask both models for it. Each knows one half of the context. The sum of the two log probabilities is a simple guess from both halves.


# %%
def guesses(sentence):
    """The best words for the hole: by each model, and by the sum of their logarithms."""
    _, _, forward, backward = both_models(sentence.replace("___", "the"))  # any word will do
    k = sentence.split().index("___") + 1  # it counts for neither: nobody reads it before k
    rows = {"words before": forward[k - 1], "words after": backward[k + 1]}
    rows["both"] = rows["words before"] + rows["words after"]
    lines = [sentence]
    for name, logs in rows.items():
        best = [vocabulary.words[row] for row in np.argsort(logs)[::-1]]
        best = [each for each in best if each.isalpha()][:7]
        lines.append(f"  {name:>12}: {', '.join(best)}")
    return "\n".join(lines)


plots.play(
    guesses,
    show=2,
    sentence=[
        "He is ___ of the best players .",
        "She lives on the north ___ of the river .",
        "I do ___ think so .",
        "He was born in ___ York .",
        "We saw a new ___ at the theater .",
    ],
)

# %% [markdown]
# ### Where does $x_k$ come from? Characters
#
# The biLM has no table of input words. It reads the **bytes** of a word, between a mark for its begin and one for its end, padded to 50:

# %%
for word in ("at", "Zürich"):
    print(f"{word:>7}:", elmo.word_ids(word, max_characters=10))

# %% [markdown]
# Each id gets a vector $c_t$. A **filter** $F$ of width $m$ looks at $m$ neighbours at a time and keeps the strongest match in the word, wherever it is:
#
# $$f = g\Big(\max_t \sum_{i=0}^{m-1} c_{t+i} \cdot F_i + b\Big)$$
#
# Many filters, of widths 1 to 7 in the published model, give many such numbers. Two highway layers (gates as in [lecture 2](02_lstm.ipynb)) and a projection make $x_k$ of them.

# %%
rng = np.random.default_rng(7)
characters = rng.normal(size=(10, 4))  # c: ten characters, four numbers each
F, bias = rng.normal(size=(3, 4)), 0.1  # one filter of width 3
matches = [(characters[t : t + 3] * F).sum() for t in range(len(characters) - 2)]
print(
    f"one number of the word: {max(0.0, max(matches) + bias):.3f}, from place {int(np.argmax(matches))}"
)

# %% [markdown]
# So there are **no unknown words** at the input, and words that are spelled alike begin alike. That is good for "unplayable" and "playing", and misleading for others. What the letters cannot tell, the LSTMs must find in the context.

# %%
listed = vocabulary.words[3:]
if FAST:
    listed = listed[:500]
token_vectors = np.concatenate(
    [
        np.asarray(
            bilm.characters(
                np.stack([elmo.word_ids(word) for word in listed[start : start + 2000]])
            )
        )
        for start in range(0, len(listed), 2000)
    ]
)
token_vectors = token_vectors / np.linalg.norm(token_vectors, axis=1, keepdims=True)
for word in ("Monday", "play", "unplayable", "Grishkowa"):
    query = np.asarray(bilm.characters(elmo.word_ids(word)[None]))[0]
    best = [row for row in np.argsort(token_vectors @ query)[::-1] if listed[row] != word][:6]
    in_list = "in the list" if word in vocabulary else "not in the list of words"
    print(f"{word:>11} ({in_list}): {', '.join(listed[row] for row in best)}")

# %% [markdown]
# ### Train one
#
# A very small biLM (32 cells, 16 numbers in each output), trained here on generated sentences. After each epoch it is tested on new ones.

# %%
known, new = (
    data.acceptability(count, part, seed=1)
    for part, count in (("train", 100 if FAST else 3000), ("test", 30 if FAST else 300))
)
plain, held_out = (
    [words for words, label in zip(each.sentences, each.labels) if label == 1]
    for each in (known, new)
)
keras.utils.set_random_seed(7)
small = elmo.BiLM(elmo.BiLMOptions(memory=32, projection=16, filters=((1, 8), (2, 8), (3, 16))))
small_training = elmo.BiLMTraining(
    small,
    elmo.WordList.from_sentences(plain),
    batch=16,
    unroll=10,
    negatives=None,
    optimizer=keras.optimizers.Adam(0.005),
)
small_training.run_eagerly = FAST
first = small_training.perplexity(held_out)
results = small_training.fit(plain, epochs=1 if FAST else 5, validation=held_out, quiet=True)
print(f"{len(small_training.words)} words; {len(plain)} sentences, such as:", " ".join(plain[0]))
plots.curves(
    {
        name: [
            (0, getattr(first, name)),
            *((n, getattr(each.validation, name)) for n, each in enumerate(results, 1)),
        ]
        for name in ("forward", "backward")
    },
    x_label="epoch",
    y_label="perplexity of new sentences",
    log_y=True,
    chance=len(small_training.words),
)

# %% [markdown]
# **Figure 4.** Perplexity of new sentences, on a logarithmic axis. The dotted line is a model that finds all words equally probable: its perplexity is the number of words. Both directions fall together: language can be predicted from either end.

# %% [markdown]
# ### Two models, three sizes
#
# | | the published ELMo | the kit's |
# | --- | --- | --- |
# | text | 1 billion words, 10 epochs | 1.1 million words, 10 epochs |
# | numbers of each direction | 512 | 64 |
# | cells of an LSTM | 4,096 | 256 |
# | perplexity, mean of both directions | 39.7 | 92 to 104, other text and other words |
#
# Ours: `python benchmarks/pretrain_bilm.py CHECKPOINTS`, about 40 minutes on 2 cores; see [its card](../rnnkit/elmo/pretrained/README.md). On the same three texts and word list, a 5-gram model (Kneser-Ney) has 131 to 171.

# %% [markdown]
# <a id="s32"></a>
#
# ## What does the biLM know of a word?
#
# For word $k$: the token vector, and for each of $L$ layers the output of both directions. That is $2L + 1$ vectors:
#
# $$R_k = \{x_k,\ \overrightarrow{h}_{k,j},\ \overleftarrow{h}_{k,j} \mid j = 1 \dots L\}$$
#
# Joined to $L + 1$ layers of one size:
#
# $$h_{k,0} = [x_k; x_k] \qquad h_{k,j} = [\overrightarrow{h}_{k,j}; \overleftarrow{h}_{k,j}]$$
#
# The token vector stands twice, so that all layers can be added.

# %%
sentence = ["We", "sat", "on", "the", "bank", "of", "the", "river", "."]
tokens = bilm.characters(elmo.character_ids([sentence]))  # x: (1, time, size)
ahead, back, _ = bilm.run(tokens)  # lists of layers, both in the order of the sentence
x, ahead, back = np.asarray(tokens)[0], np.asarray(ahead)[:, 0], np.asarray(back)[:, 0]

k = 1 + sentence.index("bank")  # 1 for the mark <S>
R = [x[k], *ahead[:, k], *back[:, k]]
print(f"R_k for 'bank': {len(R)} vectors of {R[0].shape}")
layers = np.stack([np.hstack([x, x]), *(np.hstack(pair) for pair in zip(ahead, back))])
print("layers, with the sentence marks:", layers.shape)
print(
    "largest difference from embed:",
    float(np.abs(layers[:, 1:-1] - bilm.embed([sentence])[0]).max().round(5)),
)

# %% [markdown]
# ### The directions never mix
#
# If this is true, then a change of a word reaches forward halves only at this word and later, and backward halves only at this word and earlier. Change one word, and measure how far each half of layer 2 moves.


# %%
def moved(change):
    """How far both halves of layer 2 move at each word, when one word is replaced."""
    old, new = change.split(" to ")
    changed = [new if word == old else word for word in sentence]
    one, other = (vectors[2] for vectors in bilm.embed([sentence, changed]))
    ahead, back = np.linalg.norm((one - other).reshape(len(sentence), 2, -1), axis=-1).T
    lines = {"forward half": ahead, "backward half": back}
    return plots.over_words(lines, changed, "moved (length of the difference)", title=change)


plots.play(moved, show=2, change=["river to city", "sat to stood", "bank to table", "We to Dogs"])

# %% [markdown]
# **Figure 5.** How far each half of layer 2 moves when one word is replaced. Exactly 0 means: this half has not read the word. Both lines meet at one place only. Which? And how far does the change reach, before it is forgotten?

# %% [markdown]
# **What goes wrong.** The backward LSTM gives its outputs in the order in which *it* reads: the last word first. Whoever joins them as they come puts the end of the sentence beside its beginning. With padding there is a second trap: first turn round the *real* words only, then join ([lecture 4](04_bidirectional.ipynb)).

# %% [markdown]
# <a id="s33"></a>
#
# ## Which layer should a task take?
#
# All of them: a weighted sum, whose weights the task learns.
#
# $$\mathrm{ELMo}_k = \gamma \sum_{j=0}^{L} s_j\, h_{k,j} \qquad s = \mathrm{softmax}(w)$$
#
# $w$ has $L + 1$ numbers and begins with zeros: all layers count the same. $\gamma$ scales the mixture to the size that the task's network likes. For our biLM these are four weights, $w_0, w_1, w_2$ and $\gamma$, and not one for each number of the vector.

# %%
w, gamma = np.array([0.0, 1.0, -1.0]), 2.0
s = np.exp(w) / np.exp(w).sum()
mixed = gamma * (s[0] * layers[0, k] + s[1] * layers[1, k] + s[2] * layers[2, k])

mix = elmo.ScalarMix(3)
mix.set_weights([w, np.array(gamma)])
difference = np.abs(np.asarray(mix(layers[None]))[0, k] - mixed).max()
print(
    "s =",
    s.round(3),
    "  one vector:",
    mixed.shape,
    "  largest difference:",
    float(difference.round(5)),
)

# %% [markdown]
# ### Held together by $\lambda$
#
# The loss of the task grows by
#
# $$\lambda \sum_j w_j^2$$
#
# Its gradient, $2 \lambda w_j$, pulls every $w_j$ to 0, and so the weights $s_j$ to the same value. A large $\lambda$ makes ELMo the plain mean of the layers; a small one lets the task prefer a layer. Note that $w$ is pulled, not $s$: the sum of the $s_j$ is always 1.
#
# We see it in a small task: is "walk" a noun or a verb *here*?

# %%
ambiguous = {
    ("noun or verb", part): data.nouns_and_verbs(24 if FAST else count, part, seed=1)
    for part, count in (("train", 384), ("valid", 48), ("test", 144))
}
ambiguous |= {
    ("meaning of a noun", part): data.word_senses(count, part, seed=1)
    for part, count in (("train", 96), ("valid", 24), ("test", 72))
}
read = dict(zip(ambiguous, map(bilm.embed, (each.sentences for each in ambiguous.values()))))
at_place = {  # all layers of the ambiguous word: (sentences, layers, size)
    key: np.stack([vectors[:, place] for vectors, place in zip(read[key], each.positions)])
    for key, each in ambiguous.items()
}
for words, place, label in list(zip(*ambiguous["noun or verb", "train"]))[:3]:
    print(f"{label}: {words[place]!r} in", " ".join(words))


# %%
class MixAndSoftmax(keras.Model):
    """A mixture of the layers of one word, and a linear softmax."""

    def __init__(self, classes, strength):
        super().__init__()
        self.mix = elmo.ScalarMix(3, regularization=strength)
        self.to_logits = keras.layers.Dense(classes)

    def call(self, vectors):  # (batch, layers, size)
        return self.to_logits(self.mix(vectors[:, :, None])[:, 0])


def learn_mixture(vectors, labels, strength):
    """The weights of the layers that a task learns."""
    keras.utils.set_random_seed(7)
    names, label_ids = np.unique(labels, return_inverse=True)
    model = MixAndSoftmax(len(names), strength)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(0.02), loss, jit_compile=False, run_eagerly=FAST)
    for _ in range(2 if FAST else 300):
        model.train_on_batch(vectors, label_ids)
    return model.mix.layer_weights().tolist()


STRENGTHS = [1, 0.001] if FAST else [1, 0.1, 0.01, 0.001]
use_of_word = np.array(ambiguous["noun or verb", "train"].labels)
learned = {
    strength: learn_mixture(at_place["noun or verb", "train"], use_of_word, strength)
    for strength in STRENGTHS
}
plots.layer_weights({f"λ = {strength}": s for strength, s in learned.items()})

# %% [markdown]
# **Figure 6.** The weights that one task learns, for several $\lambda$. Above, they stay equal; below, the layers that have read the sentence gain, and the token layer, which cannot know the use of a word, loses.

# %% [markdown]
# ### Does $\lambda$ matter? Measured
#
# | 1,000 labelled sentences | $\lambda = 1$ | $\lambda = 0.001$ | difference, seed by seed |
# | --- | --- | --- | --- |
# | parts of speech, share right | 0.912 | 0.913 | +0.001 (−0.000 to +0.003) |
# | names, F1 | 0.493 | 0.509 | +0.016 (−0.009 to +0.042) |
#
# `python benchmarks/elmo_tables.py regularization`: mean of 5 seeds, 95 % interval. The weights do differ; the *result* does **not** show a difference at our size. Peters et al. report a small one (SQuAD 85.0 and 85.2, SNLI 89.3 and 89.5, SRL 84.6 and 84.8).

# %% [markdown]
# <a id="s34"></a>
#
# ## How is ELMo put into a network?
#
# The recipe:
#
# 1. **Pretrain** a biLM on plain text, once.
# 2. **Freeze** it: no task moves its weights.
# 3. **Extract**: it reads the sentences of the task once; keep all layers.
# 4. **Mix** them, with weights that the task learns.
# 5. **Join** the mixture to the static vector, $[x_k; \mathrm{ELMo}_k]$, and train the task's own network on top.
#
# Static here means word2vec, GloVe or a table that the task trains. Only the blocks of the task are new; any network that reads word vectors will do.

# %%
recipe = plots.Network(
    rows=[
        plots.Row("w", "word", ["They", "walk", "home"], look="word"),
        plots.Row("b", "biLM, frozen", "bbb", side=1),
        plots.Row("m", "mixture", "mmm", look="vector", side=1),
        plots.Row("x", "static", "xxx", look="vector", side=-1),
        plots.Row("h", "task's RNN", "hhh"),
        plots.Row("y", "output", ["PRON", "VERB", "ADV"], look="word"),
    ],
    links=[
        plots.Link("w", "b", "up"),
        plots.Link("b", "b", "next"),
        plots.Link("b", "b", "before"),
        plots.Link("b", "m", "up"),
        plots.Link("w", "x", "up"),
        plots.Link("m", "h", "up"),
        plots.Link("x", "h", "up"),
        plots.Link("h", "h", "next"),
        plots.Link("h", "y", "up"),
    ],
    description="A tagger whose RNN reads the static vector and ELMo's mixture of each word.",
)
plots.draw_network(recipe)

# %% [markdown]
# **Figure 7.** ELMo at the input of a tagger. Each word goes two ways: to its static vector, and through the frozen biLM (one box stands for all its layers, both directions) to the mixture.

# %% [markdown]
# ### A tagger with and without ELMo
#
# The task is again "noun or verb", now with a recurrent tagger that can use the context itself. In both settings it reads a static vector of each word (here the token layer). In one it reads ELMo's mixture too.


# %%
class Tagger(keras.Model):
    """A bidirectional GRU over static vectors, with or without ELMo at its input."""

    def __init__(self, with_elmo):
        super().__init__()
        self.mix = elmo.ScalarMix(3, regularization=0.001) if with_elmo else None
        self.rnn = keras.layers.Bidirectional(keras.layers.GRU(16, return_sequences=True))
        self.to_logits = keras.layers.Dense(3)  # no label, NOUN, VERB

    def call(self, inputs):
        vectors = inputs["layers"][:, 0, :, :64]  # the token layer stands twice
        if self.mix is not None:
            vectors = elmo.joined(vectors, self.mix(inputs["layers"]))
        return self.to_logits(self.rnn(vectors, mask=inputs["mask"]))


def tagging(part):
    """All sentences side by side, padded with zeros; the tag of each ambiguous word."""
    key, sentences = ("noun or verb", part), ambiguous["noun or verb", part]
    places, mask = text.pad([[1] * len(words) for words in sentences.sentences], length=12)
    all_layers, tags = np.zeros((len(mask), 3, 12, 128), "float32"), np.zeros_like(places)
    for row, (vectors, place) in enumerate(zip(read[key], sentences.positions)):
        all_layers[row, :, : vectors.shape[1]] = vectors
        tags[row, place] = 1 + (sentences.labels[row] == "VERB")
    return {"layers": all_layers, "mask": mask}, tags


# %%
COUNTS = [24] if FAST else [24, 96, 384]
UPDATES = 1 if FAST else 200
seen, new_tags = tagging("train"), tagging("test")


def accuracy(with_elmo, count):
    """Trained on so many sentences: the share of new words with the right tag."""
    keras.utils.set_random_seed(7)
    tagger = Tagger(with_elmo)
    tagger.compile(
        keras.optimizers.Adam(0.01),
        loss=models.masked_cross_entropy,
        jit_compile=False,
        run_eagerly=FAST,
    )
    order = np.random.default_rng(7)
    for _ in range(UPDATES):
        rows = order.choice(count, 16, replace=False)
        tagger.train_on_batch({name: each[rows] for name, each in seen[0].items()}, seen[1][rows])
    found = np.asarray(tagger(new_tags[0]))[..., 1:].argmax(axis=-1) + 1
    real = new_tags[1] > 0
    return float(np.mean(found[real] == new_tags[1][real]))


plots.curves(
    {
        name: [(count, accuracy(with_elmo, count)) for count in COUNTS]
        for name, with_elmo in (("static vectors", False), ("static + ELMo", True))
    },
    x_label="labelled sentences",
    y_label="accuracy in new contexts",
    log_x=True,
    chance=0.5,
    y_limits=(0.4, 1.03),
)

# %% [markdown]
# **Figure 8.** Noun or verb, in contexts that were not in training. With ELMo, a few sentences are enough: the biLM knows already what comes after "the" and after "to". The network with static vectors must learn this from the labelled sentences. (One training each.)

# %% [markdown]
# ### Frozen weights do not move
#
# Here the biLM has read the sentences *before* the training, so its layers are constants. It can also be a part of the task's model. Then `trainable = False` keeps its weights out of the training. (`training=False` is another thing: it switches off dropout.)


# %%
class WithBiLM(keras.Model):
    def __init__(self, inner):
        super().__init__()
        self.inner, self.mix, self.to_logits = inner, elmo.ScalarMix(3), keras.layers.Dense(3)

    def call(self, character_ids):
        return self.to_logits(self.mix(self.inner(character_ids)))


small.trainable = False  # the biLM that was trained above
whole = WithBiLM(small)
ids = elmo.character_ids(plain[:2])
whole(ids)
before = (
    [each.copy() for each in small.get_weights()],
    [each.copy() for each in whole.mix.get_weights()],
)
whole.compile(
    keras.optimizers.Adam(0.1),
    keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    run_eagerly=True,
)
whole.train_on_batch(ids, np.ones(ids.shape[:2], int))
for name, old, now in (("biLM", before[0], small), ("mixture", before[1], whole.mix)):
    change = max(np.abs(a - b).max() for a, b in zip(old, now.get_weights()))
    print(f"{name:>8}: {now.count_params():>6,} weights, largest change {change:.3f}")

# %% [markdown]
# ### Measured on real text: the gain
#
# | | parts of speech, 100 | 1,000 | names (F1), 100 | 1,000 |
# | --- | --- | --- | --- | --- |
# | static (word2vec) | 0.803 | 0.856 | 0.264 | 0.400 |
# | static + token layer | 0.871 | 0.908 | 0.326 | 0.467 |
# | static + ELMo | 0.882 | 0.913 | 0.371 | 0.509 |
#
# `python benchmarks/elmo_tables.py gain`: by labelled sentences, mean of 5 seeds; intervals in [the report](../docs/reports/elmo.md). ELMo over static vectors **shows** everywhere. But most of it comes from the *characters*: over the token layer alone, context adds +0.006 to +0.045, which shows only seed by seed.

# %% [markdown]
# ### Reported by Peters et al. (2018)
#
# | task | baseline | with ELMo |
# | --- | --- | --- |
# | SQuAD (questions), F1 | 81.1 | 85.8 |
# | SNLI (inference), accuracy | 88.0 | 88.7 ± 0.17 |
# | SRL (roles), F1 | 81.4 | 84.6 |
# | coreference, F1 | 67.2 | 70.4 |
# | NER (names), F1 | 90.15 | 92.22 ± 0.10 |
# | SST-5 (opinions), accuracy | 51.4 | 54.7 ± 0.5 |
#
# One recipe, six tasks, a gain in each.

# %% [markdown]
# ### At the input or at the output?
#
# ELMo can also be joined to what the task's network *gives*, $[h_k; \mathrm{ELMo}_k]$, or to both. Reported on development data:
#
# | | input | both | output |
# | --- | --- | --- | --- |
# | SQuAD | 85.1 | **85.6** | 84.8 |
# | SNLI | 88.9 | **89.5** | 88.7 |
# | SRL | **84.7** | 84.3 | 80.9 |
#
# SQuAD and SNLI networks attend after the RNN, and attention can use ELMo there; SRL's does not attend. So the place is to be measured for each task, as you do in the exercise.

# %% [markdown]
# Ours, 1,000 labelled sentences:
#
# | | input | both | output |
# | --- | --- | --- | --- |
# | parts of speech | 0.913 (0.909 to 0.918) | 0.915 (0.910 to 0.920) | 0.910 (0.906 to 0.913) |
# | names, F1 | 0.509 (0.476 to 0.542) | 0.499 (0.457 to 0.540) | 0.460 (0.433 to 0.487) |
#
# `python benchmarks/elmo_tables.py placement`: mean of 5 seeds, 95 % interval. Both places over the input **does not show**. The input over the output shows for names only seed by seed: +0.049 (+0.020 to +0.079).

# %% [markdown]
# <a id="s35"></a>
#
# ## What is in which layer?
#
# A **probe** asks: a linear softmax reads one frozen layer and nothing else. What it finds was there.
#
# We ask for *syntax* (noun or verb?) and for *meaning* (the bank of a river, or one for money?). Contexts are new, and a word comes equally often as either, so the word alone gives 1/2.

# %%
from rnnkit.experiments.elmo_layers import linear_probe


def probe(task, layer):
    """The share of new words that a linear softmax on one layer gets right."""
    chosen = slice(0, 3) if layer == "mean of all" else slice(layer, layer + 1)
    vectors = [at_place[task, part][:, chosen].mean(axis=1) for part in ("train", "valid", "test")]
    return linear_probe(
        vectors, [np.array(ambiguous[task, part].labels) for part in ("train", "valid", "test")]
    )


tasks = ("noun or verb", "meaning of a noun")
by_layer = {task: [(layer, probe(task, layer)) for layer in range(3)] for task in tasks}
for task in tasks:
    print(
        f"{task:>18}: mean of all layers {probe(task, 'mean of all'):.3f}, {len(at_place[task, 'test'])} new words"
    )
plots.curves(
    by_layer,
    x_label="layer (0 is the token layer)",
    y_label="right in new contexts",
    chance=0.5,
    y_limits=(0.4, 1.03),
)

# %% [markdown]
# **Figure 9.** What a linear probe reads from each layer. The great step is from the token layer to the others: from no context to context. Between layers 1 and 2 the difference is small. Meanings are harder, for a biLM of this size and with 96 labelled sentences.

# %% [markdown]
# ### Layer 1 syntax, layer 2 meaning?
#
# | reported (Peters et al. 2018) | layer 1 | layer 2 | |
# | --- | --- | --- | --- |
# | parts of speech | **97.3** | 96.8 | |
# | word sense | 67.4 | **69.0** | the most frequent sense: 65.9 |
#
# The lower layer is a little better for syntax, the upper for meaning: so a task should have both.

# %% [markdown]
# ### Ours, with five seeds
#
# | | parts of speech | pseudowords | word senses | noun or verb |
# | --- | --- | --- | --- | --- |
# | static (word2vec) | 0.804 | 0.500 | 0.500 | 0.500 |
# | token layer | 0.855 | 0.500 | 0.500 | 0.500 |
# | layer 1 | 0.895 | 0.778 | 0.679 | 0.993 |
# | layer 2 | 0.891 | 0.791 | 0.700 | 0.990 |
# | word2vec of the words around | | 0.756 | 0.650 | 0.819 |
#
# `python benchmarks/elmo_tables.py layers`; intervals in [the report](../docs/reports/elmo.md#layers). A *pseudoword* is two nouns written as one (time/film): which was it?

# %% [markdown]
# **What shows:** context over static vectors, in each column.
#
# **What shows only seed by seed:** layer 1 over layer 2 on parts of speech, +0.004 (+0.002 to +0.006); layer 2 over the plain mean of the four words around, on pseudowords, +0.035 (+0.002 to +0.068).
#
# **What does not show at our size:** layer 2 over layer 1 on meaning, +0.014 (−0.006 to +0.033) and +0.021 (−0.040 to +0.081). The direction is the reported one, and no more can be said. So look at the last row before you praise a network: what does a simple method get?

# %% [markdown]
# ### All layers, or the last?
#
# | | last only | all, $\lambda = 1$ | all, $\lambda = 0.001$ |
# | --- | --- | --- | --- |
# | SQuAD (reported; without ELMo 80.8) | 84.7 | 85.0 | **85.2** |
# | SNLI (88.1) | 89.1 | 89.3 | **89.5** |
# | SRL (81.6) | 84.1 | 84.6 | **84.8** |
# | ours, parts of speech | 0.914 | 0.912 | 0.913 |
# | ours, names | 0.501 | 0.493 | 0.509 |
#
# Ours: `python benchmarks/elmo_tables.py all_layers regularization`, 1,000 labels, 5 seeds. All layers over the last **does not show** at our size: −0.000 (−0.003 to +0.002) and +0.008 (−0.046 to +0.061), seed by seed.

# %% [markdown]
# <a id="s36"></a>
#
# ## Who are the neighbours of "play", in its sentence?
#
# Peters et al. (2018) asked this of "play", and so do we. First a map: each occurrence of a word is a point. The plane is the one in which the vectors spread the most (their two principal components).


# %%
def occurrence_map(word):
    """A point for each sentence with the word, grouped by what it is there."""
    groups = {}
    for (task, part), each in ambiguous.items():
        for row, (words, place, label) in enumerate(zip(*each)):
            if words[place] == word and label != "NOUN":  # it may be either of the nouns
                name = label.split(": ")[-1].lower()
                groups.setdefault(name, []).append(at_place[task, part][row])
    panels = {
        name: {group: np.stack(vectors)[:, layer] for group, vectors in sorted(groups.items())}
        for layer, name in enumerate(("static (characters)", "in context, layer 1"))
    }
    return plots.word_map(panels)


plots.play(occurrence_map, show=2, word=["play", "bank", "letter", "paper", "star", "station"])

# %% [markdown]
# **Figure 10.** Occurrences of a word, by what it means there. Static: all points are one. In context, the verb "play" lies far from the noun. Whether theatre lies apart from sport is less clear. A river's bank and a bank for money part where the sentence says enough. For "station" nothing is seen: our biLM is too small.

# %% [markdown]
# ### The nearest occurrences
#
# Now search with a vector in context, among all words of a few hundred other sentences. The cosine is that of [s30](#s30); only the table has become a list of occurrences.

# %%
searched = [words for key in ambiguous if key[1] == "train" for words in ambiguous[key].sentences]
places = [(number, place) for number, words in enumerate(searched) for place in range(len(words))]
occurrences = np.concatenate(
    [each for key in ambiguous if key[1] == "train" for each in read[key]], axis=1
)
occurrences = occurrences / np.linalg.norm(occurrences, axis=-1, keepdims=True)


def neighbours(layer, word_in):
    """The nearest occurrences to a word in its sentence, each between two stars."""
    word, sentence = word_in.split(": ")
    number = int(layer.split()[1])
    cosines = occurrences[number] @ at_word(sentence, word)[number]
    lines = [f"{word!r} in: {sentence}"]
    for row in np.argsort(cosines)[::-1][:4]:
        words = list(searched[places[row][0]])
        words[places[row][1]] = f"*{words[places[row][1]]}*"
        lines.append(f"   {cosines[row]:.2f}  {' '.join(words)}")
    return "\n".join(lines)


QUERIES = [
    "play: The theatre showed a new play by a young writer .",
    "play: The children play in the garden after lunch .",
    "bank: They walked along the bank of the river .",
    "bank: The bank gave him the money for a new house .",
    "letter: He wrote a letter to his friend .",
    "letter: The word begins with the letter B .",
    "paper: I read it in the paper this morning .",
    "paper: She wrote it on a piece of paper .",
]
for query in QUERIES[:6]:
    print(neighbours("layer 2", query))

# %% [markdown]
# Two "play"s, two lists: the noun finds nouns, the verb finds verbs. Two "bank"s and two "letter"s find their like, in meaning. Where the list ends, it shows what the vectors hold most of: the *frame* of the sentence. A noun at the end of "at the ..." finds others at such an end, whatever they mean.

# %%
plots.play(neighbours, layer=["layer 1", "layer 2", "layer 0"], word_in=QUERIES)

# %% [markdown]
# Layer 0 is the token layer: in all sentences the same vector, so the cosine is 1 wherever the word stands.

# %% [markdown]
# ### On real text
#
# 4,000 sentences are searched, the query stands in a sentence of ours ("They talked about the _ again .", "They wanted to _ them again ."):
#
# | | static (word2vec) | as a noun | as a verb |
# | --- | --- | --- | --- |
# | work | practice, experience, venture | call, work, pasture, run | stay, walk, eat, foresaw |
# | call | repeat, approve, click | call, show, run, pasture | call, hold, handle, sell |
# | help | advise, pledge, permit | help, call, show, run | help, tell, see, chew |
#
# `python benchmarks/elmo_tables.py neighbours`. All neighbours as a noun are nouns where they stand, all as a verb are verbs. Their *meaning* is hardly alike: the paper's table, of a model of 100 times the size, shows both.

# %% [markdown]
# Is the nearest occurrence of the *same word* used in the same way, noun or verb? Of 356 occurrences in real text:
#
# | guess without context | token layer | layer 1 | layer 2 |
# | --- | --- | --- | --- |
# | 0.744 | 0.669 | 0.919 | 0.907 |
#
# The guess takes the more frequent use of the word each time. (Same command. Token vectors of one word are all equal, so any may be the "nearest".)

# %% [markdown]
# <a id="s37"></a>
#
# ## Do tasks choose different layers?
#
# Four tasks about the same words in the same sentences, each with a mixture of its own and $\lambda = 0.001$:
#
# - *the word*: which of 24 words is it?
# - *noun or verb*;
# - *the word before*, *the word after*: what stands beside it?
#
# Before you look: which task needs which layer?

# %%
part = ambiguous["noun or verb", "train"]
marked = [["<S>", *words, "</S>"] for words in part.sentences]
targets = {
    "the word": [words[place + 1] for words, place in zip(marked, part.positions)],
    "noun or verb": part.labels,
    "word before": [words[place] for words, place in zip(marked, part.positions)],
    "word after": [words[place + 2] for words, place in zip(marked, part.positions)],
}
by_strength = {
    strength: {
        task: learn_mixture(at_place["noun or verb", "train"], np.array(labels), strength)
        for task, labels in targets.items()
    }
    for strength in ([0.001] if FAST else [0.001, 0.1])
}
plots.play(
    lambda λ: plots.layer_weights(by_strength[λ]), show=len(by_strength), λ=list(by_strength)
)

# %% [markdown]
# **Figure 11.** The weights $s_j$ of four tasks. Who asks for the word itself takes the token layer. Who asks for its neighbours takes the top, which was trained to predict them. With a larger $\lambda$, all rows look alike.

# %% [markdown]
# **Take care.** The weights say how much of a layer goes into the *sum*. They do not say how good the layer is alone: layers differ in length, and a task can find the same thing in two layers. Peters et al. saw most weight on layer 1 at the input of their tasks, and flatter weights at the output.

# %% [markdown]
# ### Measured on real text
#
# | $\lambda = 0.001$ | token layer | layer 1 | layer 2 |
# | --- | --- | --- | --- |
# | parts of speech, input | 0.327 | 0.327 | 0.347 |
# | parts of speech, output | 0.310 | **0.382** | 0.308 |
# | names, input | 0.263 | 0.330 | **0.407** |
# | names, output | 0.249 | 0.377 | 0.373 |
# | for or against a film | 0.399 | 0.284 | 0.317 |
# | pseudowords (a meaning) | 0.317 | 0.236 | **0.447** |
#
# `python benchmarks/elmo_tables.py layer_weights`: mean of 5 seeds. Bold: over the second best this **shows**, intervals are separate. In the other rows the largest weight does not show.

# %% [markdown]
# <a id="s38"></a>
#
# ## Must the language model be frozen?
#
# No. Dai and Le (2015) did without a second network: train a language model, take its embedding and its recurrent weights as the **start** of a classifier, and train all of it on the labels.
#
# $$W, U, b \text{ and embedding: from the language model} \qquad V, c: \text{ new}$$
#
# $$o = h_n V + c$$
#
# This is **fine-tuning**. The same network from scratch is the fair comparison: same size, same labels, same updates.
#
# The task of [lecture 4](04_bidirectional.ipynb#s17): is a sentence grammatical?

# %%
LABELS = [50] if FAST else [50, 200, 800]
many = data.acceptability(200 if FAST else 16000, "train", seed=1)
unlabelled = [" ".join(words) for words, label in zip(many.sentences, many.labels) if label == 1]
symbols = text.Vocabulary.from_texts(unlabelled, text.words, " ")


def encoded(sentences):
    """Ids with the marks of begin and end, and labels."""
    ids, _ = symbols.encode(
        [" ".join(words) for words in sentences.sentences], length=16, bos=True, eos=True
    )
    return ids, np.array(sentences.labels)


plain_ids, _ = symbols.encode(unlabelled, bos=True, eos=True)
keras.utils.set_random_seed(7)
language_model = models.LanguageModel(len(symbols), units=64, embedding=32)
language_model.compile(
    keras.optimizers.Adam(0.003, global_clipnorm=1.0),
    loss=models.masked_cross_entropy,
    run_eagerly=FAST,
)
_ = language_model.fit(
    plain_ids[:, :-1],
    plain_ids[:, 1:],
    batch_size=64,
    epochs=1 if FAST else 8,
    verbose=0,
    callbacks=[plots.TrainingCurve("The language model, on sentences without labels")],
)
# %%
judged = {count: encoded(data.acceptability(count, "train", seed=100)) for count in LABELS}
new_ids, new_labels = encoded(data.acceptability(100 if FAST else 1000, "test", seed=2))


def correlation(start, count):
    """Trained on so many labels: Matthews' correlation on new sentences."""
    keras.utils.set_random_seed(7)
    judge = start()
    judge.compile(
        keras.optimizers.Adam(0.003, global_clipnorm=1.0), jit_compile=False, run_eagerly=FAST
    )
    order = np.random.default_rng(7)
    for _ in range(1 if FAST else 300):
        rows = order.choice(count, 32, replace=False)
        judge.train_on_batch(judged[count][0][rows], judged[count][1][rows])
    return metrics.matthews(
        np.asarray(judge(new_ids)).argmax(axis=-1).tolist(), new_labels.tolist()
    )


starts = {
    "from a language model": lambda: models.SequenceClassifier.from_language_model(
        language_model, classes=2
    ),
    "from scratch": lambda: models.SequenceClassifier(
        len(symbols), classes=2, units=64, embedding=32, directions="forward"
    ),
}
plots.curves(
    {
        name: [(count, correlation(start, count)) for count in LABELS]
        for name, start in starts.items()
    },
    x_label="labelled sentences",
    y_label="MCC on new sentences",
    log_x=True,
    chance=0,
    y_limits=(-0.1, 1.03),
)

# %% [markdown]
# **Figure 12.** The same classifier with two beginnings, against the number of labels. MCC is Matthews' correlation; 0 is guessing. The one that was a language model has read thousands of grammatical sentences before; a few labels tell it what is asked. From scratch, so few updates find no rule, however many labels there are. (One training each.)

# %% [markdown]
# ### Measured with three seeds
#
# | labels | 50 | 100 | 200 | 400 | 800 |
# | --- | --- | --- | --- | --- | --- |
# | from a language model | 0.82 | 0.88 | 0.99 | 1.00 | 1.00 |
# | from scratch | 0.18 | 0.21 | 0.52 | 0.86 | 0.60 |
#
# Median MCC; `python benchmarks/lecture_numbers.py fine_tuning`, spread in [lecture_numbers](../docs/reports/lecture_numbers.md#fine_tuning). Take care: this is the best case, since the language model has read the very kind of sentence that is judged.

# %% [markdown]
# ### On real text, from the kit's biLM
#
# | share right | 100 labels | 1,000 | all |
# | --- | --- | --- | --- |
# | tense of the main verb, from the biLM | 0.828 | 0.935 | 0.958 |
# | the same, from scratch | 0.628 | 0.705 | 0.802 |
# | for or against a film, from the biLM | 0.556 | 0.591 | 0.639 |
# | the same, from scratch | 0.522 | 0.561 | 0.570 |
#
# `python benchmarks/elmo_tables.py fine_tuning`: mean of 5 seeds; all are 3,329 and 8,530 sentences, the more frequent label gets 0.637 and 0.500. It **shows**, but for films with 1,000 labels. What a small language model knows, grammar, helps at once; opinions it hardly knows.

# %% [markdown]
# ### Frozen or fine-tuned?
#
# | | frozen (ELMo) | fine-tuned |
# | --- | --- | --- |
# | the text is read | once for all epochs | in each update |
# | weights that the task trains | mixture and its own network | all |
# | many tasks | one biLM for all | a copy for each |
# | small learning rate needed | no | yes: large steps erase what was learned |

# %% [markdown]
# ## Quick questions
#
# **1.** A biLM of 3 layers in each direction, 100 numbers in each output. How many vectors has $R_k$, how many numbers has $\mathrm{ELMo}_k$?
#
# <details><summary>Answer</summary>
#
# $2 \cdot 3 + 1 = 7$ vectors. $\mathrm{ELMo}_k$ has 200 numbers, for any mixture: the layers are added, not joined.
#
# </details>

# %% [markdown]
# **2.** Why is the forward model's surprise at a word not the same as the backward model's?
#
# <details><summary>Answer</summary>
#
# They know different things: the words before it, or those after it. Over a whole sentence, both sums estimate the same probability, that of the sentence. So their perplexities are near each other.
#
# </details>
#
# **3.** All $w_j$ grow by 5. What happens to ELMo? And what to the loss with $\lambda > 0$?
#
# <details><summary>Answer</summary>
#
# Nothing happens to ELMo: softmax looks only at differences. The loss grows, because $\lambda \sum_j w_j^2$ does.
#
# </details>

# %% [markdown]
# **4.** In your tagger, ELMo helps by 5 points over word2vec. Has the *context* helped?
#
# <details><summary>Answer</summary>
#
# Not shown. The token layer reads characters, which word2vec does not. Compare with the token layer alone: it has the characters, without the context. In the table of [s34](#s34) it explains most of the gain.
#
# </details>

# %% [markdown]
# ## Common mistakes
#
# | what you see | why | exercise |
# | --- | --- | --- |
# | "é" breaks the ids, or long words lose their end mark | letters in the place of bytes; the word is cut after the marks were set | question 1 |
# | perplexity far too low | the model is compared with the word that it has just read: no shift | question 2 |
# | backward perplexity is terrible, forward is fine | the backward model is compared with the word *after* | question 2 |
# | numbers depend on the batch | padding counts, or a mean for each sentence and then a mean of means | question 2 |

# %% [markdown]
# | what you see | why | exercise |
# | --- | --- | --- |
# | vectors right in the middle word only | backward outputs not turned round | question 3 |
# | half the size | the directions were added, not joined | question 3 |
# | `nan` in the mixture | exp of large scores; subtract the largest, or use `ops.softmax` | question 4 |
# | all layers have weight 1 | softmax over an axis of length 1 | question 4 |
# | $\lambda$ has hardly an effect | the penalty is on $s$, whose sum is fixed, not on $w$ | question 5 |

# %% [markdown]
# | what you see | why | exercise |
# | --- | --- | --- |
# | "both" behaves like "none" | the places are tested by `==`, each for itself | question 7 |
# | nothing is learned, or the biLM moves | the whole model is frozen, or only its LSTMs, or `training=False` was used | question 8 |
# | long vectors are everybody's neighbours | dot product in the place of the cosine | question 9 |
# | the language model changes while the classifier trains | layers were shared, not copied | question 12 |

# %% [markdown]
# ## Summary
#
# - A static vector is a table entry; a contextual one is a function of word and sentence.
# - A biLM is two language models that share words and output layer and never mix. It reads characters, so no word is unknown.
# - $R_k$ has $2L + 1$ vectors; ELMo is their mixture, with $L + 2$ weights that the task learns.
# - The recipe: pretrain, freeze, extract, mix, join. Most where labels are few.
# - The great step is from layer 0 to layer 1. Finer differences between layers need larger models, or more seeds, to show.
# - Fine-tuning trains all weights, from a good start.

# %% [markdown]
# ## How old is this?
#
# ELMo is from early 2018. Within a year BERT and GPT replaced it: Transformers, trained on more text, and fine-tuned as a whole. BERT reads both sides in every layer; to make this possible it does not predict the next word but covered ones.
#
# **What carries over:** pretraining on plain text, vectors in context, mixing and probing layers, frozen against fine-tuned. Adapters such as LoRA are a way between: the model stays frozen, and few new weights are trained.

# %% [markdown]
# **What still uses recurrence here:** contextual string embeddings (Flair, 2018), forward and backward character LSTMs, are still in use for tagging where computers are small. ULMFiT (2018) fine-tuned an LSTM language model and set the habits for those that followed: a falling learning rate, layers unfrozen one by one. And a biLM of 5.8 MB, like ours, trains in 40 minutes on two processor cores.

# %% [markdown]
# ## Where to go on
#
# - Exercise: [07_elmo](../exercises/07_elmo/07_elmo.ipynb). Questions 1 and 2 belong to s31, 3 to s32, 4 and 5 to s33, 6 to 8 to s34, 9 to s30 and s36, 10 and 11 to s35, 12 to 14 to s38.
# - Vectors for a text of your own: `rnnkit elmo INPUT OUTPUT.hdf5`, in [docs/elmo.md](../docs/elmo.md); the original model's files can be read too.

# %% [markdown]
# Papers:
#
# - Peters et al. (2018), *Deep Contextualized Word Representations*: ELMo.
# - Peters et al. (2017), *Semi-supervised Sequence Tagging with Bidirectional Language Models*: its forerunner, the top layer alone.
# - Dai and Le (2015), *Semi-supervised Sequence Learning*.
# - Howard and Ruder (2018), *Universal Language Model Fine-tuning for Text Classification*.
# - Mikolov et al. (2013), *Efficient Estimation of Word Representations in Vector Space*; Pennington, Socher and Manning (2014), *GloVe: Global Vectors for Word Representation*.
# - Kim et al. (2016), *Character-Aware Neural Language Models*: words from characters.
