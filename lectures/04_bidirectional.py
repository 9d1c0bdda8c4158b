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
# # Lecture 4: bidirectional networks
#
# "The bank …" Which bank? Nobody can say yet. "The bank consists of the two sides of the river": now it is clear, but the word that we asked about has long gone by. A network that reads from left to right must answer too early. This lecture lets a second network read from the end, and then uses the two together for the three kinds of tasks that a reader of whole sentences does: a label for a sentence, a decision about two sentences, a label for each word.

# %% [markdown]
# ## What you will be able to do
#
# After this lecture you can
#
# 1. write down a bidirectional network, with one layer or several, and say which output depends on which input;
# 2. handle padding so that it changes nothing, and find out when it does;
# 3. make one vector of a sentence, and classify it; judge a classifier by Matthews's correlation coefficient;
# 4. compare two sentences with one shared encoder, a cosine and a threshold;
# 5. tag words and find names, and measure names by their F1.

# %% [markdown]
# ## Set-up
#
# You need: lecture 1, and lecture 3 up to the loss. Run the cells from top to bottom. The whole lecture takes one to two minutes on two processor cores; it needs no network and no GPU. The exercise that belongs to it is [exercise 4](../exercises/04_bidirectional/04_bidirectional.ipynb).

# %%
import os

# First, because it tells TensorFlow and Keras how to start.
from rnnkit import data, layers, metrics, models, plots, text

import keras
import numpy as np
from keras import ops

# For our own tests: few sentences, and no graphs, which take longer to make than a short training.
FAST = os.environ.get("RNNKIT_FAST") == "1"
keras.utils.set_random_seed(4)
print("Keras", keras.__version__, "- in the", "short" if FAST else "full", "setting")

# %% [markdown]
# ## Symbols of this lecture
#
# Vectors are rows, as in the code. All symbols of the course, with those of other texts beside them, are in the [table of notation](notation.ipynb).
#
# | symbol | in the code | shape | what it is |
# | --- | --- | --- | --- |
# | $x_t$ | `inputs[:, t]` | (batch, features) | the input at position $t$, from 1 to $n$ |
# | $\overrightarrow{h}_t$ | `ahead` | (batch, units) | the forward state: it has read $x_1 \dots x_t$ |
# | $\overleftarrow{h}_t$ | `back` | (batch, units) | the backward state: it has read $x_n \dots x_t$ |
# | $[a; b]$ | `np.concatenate([a, b], axis=-1)` | | two vectors, joined |
# | $h^l_t$ | | (batch, 2 · units) | what layer $l$ gives at position $t$ |
# | $y_t$ | | (batch, tags) | the output at position $t$ |
# | | `mask` | (batch, time) | boolean: True for a real position, False for padding, which stands at the end |

# %% [markdown]
# <a id="s14"></a>
#
# ## Why should a network read a sentence backwards?
#
# At position $t$ a recurrent network has read $x_1 \dots x_t$, and its output can depend on nothing else. For a speech recogniser that answers while somebody talks, that is right. But often the whole sentence lies before us, and the words to the right are there to be read. So let a second network, with weights of its own, read from the last word to the first, and join the two states of each position.

# %%
plots.network("transducer", ["the", "bank", "lends", "money"], bidirectional=True, path=(3, 1))

# %% [markdown]
# **Figure 1.** Each position has a forward state (left, blue) and a backward state (right, orange); the joined vector goes to the output. The strong path leads from *money* to the output at *bank*: it goes against the reading direction, through the backward states. The two directions never meet before they are joined.

# %% [markdown]
# ### The formula
#
# $$\overrightarrow{h}_t = \tanh(x_t \overrightarrow{W} + \overrightarrow{h}_{t-1} \overrightarrow{U} + \overrightarrow{b}) \qquad
# \overleftarrow{h}_t = \tanh(x_t \overleftarrow{W} + \overleftarrow{h}_{t+1} \overleftarrow{U} + \overleftarrow{b})$$
#
# $$y_t = \mathrm{softmax}\bigl([\overrightarrow{h}_t; \overleftarrow{h}_t]\, V + c\bigr)$$
#
# The backward state at $t$ is made from the one at $t + 1$: mind the sign. Both directions begin with zeros, $\overrightarrow{h}_0 = \overleftarrow{h}_{n+1} = 0$. Any cell may take the place of the tanh. For one sentence without padding this is all:

# %%
rng = np.random.default_rng(1)
n, features, units = 6, 3, 4
x = rng.normal(size=(n, features))
Wf, Wb = rng.normal(0, 0.5, (2, features, units))  # forward, backward
Uf, Ub = rng.normal(0, 0.5, (2, units, units))
bf, bb = np.zeros((2, units))


def both_ways(x):
    """One sentence (n, features) to (n, 2 * units)."""
    ahead, back = np.zeros((n + 2, units)), np.zeros((n + 2, units))  # positions 0 to n + 1
    for t in range(1, n + 1):
        ahead[t] = np.tanh(x[t - 1] @ Wf + ahead[t - 1] @ Uf + bf)
    for t in range(n, 0, -1):
        back[t] = np.tanh(x[t - 1] @ Wb + back[t + 1] @ Ub + bb)
    return np.concatenate([ahead, back], axis=-1)[1 : n + 1]


layer = keras.layers.Bidirectional(keras.layers.SimpleRNN(units, return_sequences=True))
layer.build((1, n, features))
layer.set_weights([Wf, Uf, bf, Wb, Ub, bb])
theirs = np.asarray(layer(x[None]))[0]
print("largest difference from keras.layers.Bidirectional:", np.abs(both_ways(x) - theirs).max())

# %% [markdown]
# ### Which output depends on which input?
#
# Do not believe a drawing, ask the network: replace one input, and look which outputs move. We do it for each input, once in the forward half of the outputs and once in the joined outputs.


# %%
def moved(outputs_of):
    """How far each output moves when each input is replaced, (outputs, inputs)."""
    before, columns = outputs_of(x), []
    for place in range(n):
        other = x.copy()
        other[place] = rng.normal(size=features)
        columns.append(np.linalg.norm(outputs_of(other) - before, axis=-1))
    return np.stack(columns, axis=1)


WORDS = ["the", "bank", "lends", "money", "to", "farmers"]
display(plots.influence(moved(lambda x: both_ways(x)[:, :units]), WORDS, title="Forward states"))
display(plots.influence(moved(both_ways), WORDS, title="Both directions, joined"))

# %% [markdown]
# **Figures 2 and 3.** A cross means: exactly no change. In the forward network, no output depends on a later input. With both directions each output depends on each input, most on the near ones.

# %% [markdown]
# ### What goes wrong: padding
#
# The sentences of a batch have different lengths, and the shorter ones are filled up at the end. The forward direction meets the padding last, when all is done. The backward direction meets it *first*: it would read a row of padding before the first real word, and begin the sentence with a state that is not zero. Nothing fails, and all numbers of the sentence are a little wrong. How wrong?

# %%
padded = np.concatenate([x, np.ones((5, features))])[None].astype("float32")  # (1, 11, features)
mask = np.arange(11)[None] < n
without_mask = np.asarray(layer(padded))[0, :n]
with_mask = np.asarray(layer(padded, mask=ops.convert_to_tensor(mask)))[0, :n]
WRONG = {
    "forward half, no mask": np.abs(without_mask - theirs)[:, :units],
    "backward half, no mask": np.abs(without_mask - theirs)[:, units:],
    "backward half, with mask": np.abs(with_mask - theirs)[:, units:],
}
plots.over_words(
    {name: errors.max(axis=-1).tolist() for name, errors in WRONG.items()},
    WORDS,
    "largest error of the outputs",
    title="The same sentence, with five positions of padding behind it",
)

# %% [markdown]
# **Figure 4.** Without a mask the backward states are wrong, the most near the end of the sentence, where the padding has just been read. The two other lines lie on each other at 0: with the mask, the backward direction starts at the last real word, and the sentence comes out as if it stood alone.
#
# There are two ways to do this. Let a masked step keep the old state, so that it is still zero when the first real word comes. Or turn the *real* positions round, run forward, and turn the states back ([exercise, questions 1 and 2](../exercises/04_bidirectional/04_bidirectional.ipynb)).

# %% [markdown]
# Two more slips are frequent. If you run the backward network over a turned sentence, its states come out in the turned order; **turn them back** before you join them, or position 1 gets what belongs to position $n$. And the two directions need **weights of their own**: a cell object that is used twice is one network, not two.

# %% [markdown]
# <a id="s15"></a>
#
# ## What does a second layer read?
#
# Layers can stand one on the other. Layer $l$ reads at each position what *both* directions of the layer below give there:
#
# $$h^{0}_t = x_t \qquad h^{l}_t = [\overrightarrow{h}^{l}_t; \overleftarrow{h}^{l}_t] = \mathrm{BiRNN}^{l}(h^{l-1})_t$$
#
# So the matrix $W$ of the first layer has the shape (features, units), and that of each layer above (2 · units, units). From the second layer on, even the *forward* direction knows the whole sentence, because its inputs do.

# %%
plots.network(
    "transducer", ["the", "bank", "lends", "money"], bidirectional=True, layers=2, path=(3, 0)
)

# %% [markdown]
# **Figure 5.** Two layers. A shortest way from the last word to the first output turns back in one layer, and goes straight up in the other. How long are such ways?

# %%
for depth in (1, 2, 3):
    drawn = plots.describe_network("transducer", WORDS, bidirectional=True, layers=depth)
    way = drawn.shortest_path(("x", n - 1), ("y", 0))
    weights = sum(
        2 * ((features if level == 0 else 2 * units) + units + 1) * units for level in range(depth)
    )
    print(f"layers: {depth}; arrows from last word to first output: {len(way)}; weights: {weights}")

# %% [markdown]
# Each layer makes each way two arrows longer, one into the states and one into the joined vector. It does not make the way along the sentence shorter: that is what [attention](06_attention.ipynb#s27) does.

# %% [markdown]
# ### Padding, at every depth
#
# The test for a stack: no real position of any layer may change when padding follows. Each layer needs the mask. If only the first one gets it, the damage begins in the second: its backward direction reads the outputs of the padding.

# %%
DEPTH = 3
keras.utils.set_random_seed(4)
stack = layers.StackedBidirectional(
    [
        layers.Bidirectional(
            layers.Recurrence(layers.ElmanCell(8)),
            layers.Recurrence(layers.ElmanCell(8), reverse=True),
        )
        for _ in range(DEPTH)
    ]
)
alone = x[None].astype("float32")
stack(alone)  # makes the weights
stack.set_weights([rng.normal(0, 0.4, each.shape) for each in stack.get_weights()])
_, right, _ = stack(alone)
_, masked, _ = stack(padded, mask=mask)
only_first = [stack.layers[0](padded, mask=mask)[0]]
for upper in stack.layers[1:]:
    only_first.append(upper(only_first[-1])[0])
for depth in range(DEPTH):
    errors = [
        float(np.abs(np.asarray(found[depth])[:, :n] - np.asarray(right[depth])).max())
        for found in (masked, only_first)
    ]
    print(f"layer {depth + 1}: error {errors[0]:.0e}, with a mask for layer 1 alone {errors[1]:.0e}")

# %% [markdown]
# <a id="s16"></a>
#
# ## Can the right context be needed, and not just useful?
#
# For many words the left context is enough most of the time. To *prove* that a network uses the right context, we need sentences where nothing else can help. So our sentences come in pairs. Each beginning, up to a few words *after* the ambiguous word, comes once with either meaning:
#
# - the **bank** that we talked about consists of the two sides of the river (*nature*)
# - the **bank** that we talked about lends money to farmers (*people*)
#
# Each word gets a label; only that of the ambiguous word is hard.

# %%
LABELS = ["padding", "other", "nature", "people"]  # the id of a label is its place
EPOCHS = 1 if FAST else 5


def joined(sentences):
    """Lists of words as texts."""
    return [" ".join(words) for words in sentences]


known = data.bank_sentences(200 if FAST else 2000, "train", seed=1)
new = data.bank_sentences(400, "test", seed=2)
vocabulary = text.Vocabulary.from_texts(joined(known.sentences), text.words, " ")
known_ids, new_ids = (vocabulary.encode(joined(each.sentences))[0] for each in (known, new))
known_labels, _ = text.pad([[LABELS.index(label) for label in row] for row in known.labels])
right_meaning = np.array([LABELS.index(meaning) for meaning in new.meanings])
for words, meaning in list(zip(known.sentences, known.meanings))[:4]:
    print(f"{meaning:>7}: {' '.join(words)}")


def p_nature(tagger, ids, places):
    """The probability of "nature" beside "people", at one place of each row."""
    logits = np.asarray(tagger(ids))[np.arange(len(ids)), places, 2:]
    return np.asarray(ops.softmax(logits))[:, 0]


# %%
taggers, shares = {}, {}
for name, directions in {"forward only": "forward", "both directions": "both"}.items():
    keras.utils.set_random_seed(0)
    tagger = models.TokenTagger(
        len(vocabulary), tags=4, units=32, embedding=32, cell="elman", directions=directions
    )
    tagger.compile(keras.optimizers.Adam(0.005, global_clipnorm=1.0), run_eagerly=FAST)
    taggers[name], shares[name] = tagger, []
    for epoch in range(1, EPOCHS + 1):
        tagger.fit(known_ids, known_labels, batch_size=32, verbose=0)
        said = np.where(p_nature(tagger, new_ids, new.positions) > 0.5, 2, 3)
        shares[name].append((epoch, float(np.mean(said == right_meaning))))
plots.curves(
    shares,
    x_label="epochs of training",
    y_label="right meaning (share)",
    chance=0.5,
    y_limits=(0.4, 1.03),
    title="Ambiguous words in 400 new sentences",
)

# %% [markdown]
# **Figure 6.** The forward network stays at *exactly* one half. It is not badly trained: both sentences of a pair are the same up to the ambiguous word, so it must give them the same answer, and one of the two is wrong. No training and no size can change this.
#
# Over three seeds, with LSTMs (`python benchmarks/lecture_numbers.py right_context`; median, smallest and largest after 5 epochs): forward 0.500 (0.500 to 0.500), both directions 1.000 (1.000 to 1.000).

# %% [markdown]
# ### To play with: when does it know?
#
# Give the networks a sentence word by word, and ask after each word what the *ambiguous* word means. The horizontal axis is how far the sentence has been read.

# %%
SENTENCES = [
    "the bank that we talked about consists of the two sides of the river",
    "the bank that we talked about lends money to farmers",
    "they say the mouse from your picture has two buttons and a wheel",
    "yesterday we saw that the mouse ran from the cat",
    "in this story the old star shines above the horizon",
    "everyone here knows that the star has played in ten films",
]
AMBIGUOUS = {"bank", "mouse", "star"}


def when(sentence):
    """The probability of nature at the ambiguous word, after each word that was read."""
    words = sentence.split()
    place = next(number for number, word in enumerate(words) if word in AMBIGUOUS)
    ids, _ = vocabulary.encode([" ".join(words[: end + 1]) for end in range(place, len(words))])
    unread = [float("nan")] * place
    lines = {
        name: [*unread, *p_nature(tagger, ids, np.full(len(ids), place)).tolist()]
        for name, tagger in taggers.items()
    }
    return plots.over_words(
        lines,
        words,
        "probability of nature",
        chance=0.5,
        y_limits=(-0.03, 1.03),
        title=f"The meaning of {words[place]}, asked after each word",
    )


plots.play(when, show=2, sentence=SENTENCES)

# %% [markdown]
# **Figures 7 and 8.** The forward network answers once and never changes its mind: what comes later cannot reach that output. The bidirectional one changes it until the words have come that decide. Before that it has nothing to go by, and half a sentence is new to it, so what it believes there means nothing.

# %% [markdown]
# ### What goes wrong
#
# A bidirectional network cannot be a language model of the kind of [lecture 3](03_language_model.ipynb#s8). At each position it has read the word that it should predict, so it copies, and its perplexity is near 1 without having learned anything. Nor can it write: the words to the right are not there yet. ELMo ([lecture 7](07_elmo.ipynb#s31)) trains two language models that never see each other; BERT hides the words to be predicted from the input.

# %% [markdown]
# <a id="s17"></a>
#
# ## How does a whole sentence become one vector?
#
# Is this sentence grammatical? Is this review friendly? One label for the whole sentence needs one vector $v$ that knows the whole sentence. Which states have read all of it? The forward direction where it ends, at the last word; the backward direction where *it* ends, at the **first** word:
#
# $$v = [\overrightarrow{h}_n; \overleftarrow{h}_1] \qquad y = \mathrm{softmax}(v V + c)$$

# %%
plots.network("acceptor", ["the", "nurse", "near", "the", "boats", "sleeps"], bidirectional=True)

# %% [markdown]
# **Figure 9.** A bidirectional acceptor. Two slips lie near. The backward state *at the last word* has read one word only. And in a padded row the last *column* is padding: $n$ is the length of the sentence, not of the row. Other ways to make a vector are the mean or the maximum over all real positions.

# %% [markdown]
# ### Accuracy is not enough
#
# If nine of ten sentences are grammatical, "always yes" has an accuracy of 0.9. **Matthews's correlation coefficient** counts all four cases, true and false positives and negatives:
#
# $$\mathrm{MCC} = \frac{TP \cdot TN - FP \cdot FN}{\sqrt{(TP + FP)(TP + FN)(TN + FP)(TN + FN)}}$$
#
# It is the correlation of the predicted with the true labels: 1 if all are right, 0 for guessing, -1 if all are wrong, and 0 by agreement where the denominator is 0.

# %%
true = np.array([1] * 90 + [0] * 10)
answers = {
    "always yes": np.ones(100, int),
    "all right": true,
    "half of the noes found": np.array([1] * 90 + [0] * 5 + [1] * 5),
    "noes found, 10 false alarms": np.array([1] * 80 + [0] * 10 + [0] * 10),
}
for name, said in answers.items():
    tp, tn = np.sum((said == 1) & (true == 1)), np.sum((said == 0) & (true == 0))
    fp, fn = np.sum((said == 1) & (true == 0)), np.sum((said == 0) & (true == 1))
    mcc = metrics.matthews(said, true)
    print(f"{name:>27}: TP {tp:>2}, TN {tn:>2}, FP {fp:>2}, FN {fn:>2}; accuracy {(tp + tn) / 100:.2f}, MCC {mcc:.2f}")

# %% [markdown]
# ### A judge of sentences
#
# Half of our sentences are ungrammatical: the verb agrees with the wrong noun, a reflexive refers to the wrong person, or two words have changed places. Each set of words comes as often in a right order as in a wrong one, so a model that does not look at the order has an MCC of 0.

# %%
JUDGED_EPOCHS = 1 if FAST else 5
judged = data.acceptability(200 if FAST else 6000, "train", seed=1)
fresh = data.acceptability(400, "test", seed=2)
words_judged = text.Vocabulary.from_texts(joined(judged.sentences), text.words, " ")
judged_ids, fresh_ids = (words_judged.encode(joined(each.sentences))[0] for each in (judged, fresh))
judged_labels, fresh_labels = np.array(judged.labels), np.array(fresh.labels)
for words, label, kind in list(zip(*judged))[:6]:
    print(f"{label}  {kind:>9}: {' '.join(words)}")

# %%
KINDS = ("order", "agreement", "reflexive")
keras.utils.set_random_seed(4)
judge = models.SequenceClassifier(
    len(words_judged), classes=2, units=48, embedding=32, cell="elman", directions="both"
)
judge.compile(keras.optimizers.Adam(0.003, global_clipnorm=1.0), run_eagerly=FAST)
by_kind = {"all": [], **{kind: [] for kind in KINDS}}
for epoch in range(1, JUDGED_EPOCHS + 1):
    judge.fit(judged_ids, judged_labels, batch_size=32, verbose=0)
    said = np.asarray(judge(fresh_ids)).argmax(axis=-1)
    for name, points in by_kind.items():
        here = (np.array(fresh.kinds) == name) | (name == "all")
        points.append((epoch, metrics.matthews(said[here], fresh_labels[here])))
plots.curves(
    by_kind,
    x_label="epochs of training",
    y_label="MCC on new sentences",
    chance=0,
    y_limits=(-0.1, 1.03),
    title="Judging new sentences",
)

# %% [markdown]
# **Figure 10.** The MCC by what is wrong in a sentence. Two neighbours in the wrong order can be seen on the spot; agreement and reflexives need something to be kept over several words. Compare where the curves rise.

# %% [markdown]
# Over 12 seeds the judge of the exercise, trained like this one, reached an MCC of 1.000 on both of its tests with each seed, and after one epoch 0.34 to 0.45 (3 seeds; `python benchmarks/bidirectional_thresholds.py --seeds 12`). Do not expect this of real sentences. Our grammar is small, and its mistakes are of three kinds; on CoLA (Warstadt, Singh and Bowman, 2019), sentences from books on syntax, recurrent networks stayed far below 1.

# %% [markdown]
# <a id="s18"></a>
#
# ## Do two sentences mean the same?
#
# "The nurse saw the old pilot" and "the old pilot was seen by the nurse" do. To compare two sentences, the *same* encoder reads both, with the same weights, and gives a vector each, $u$ and $v$, as in the last section. Two vectors are alike if they point in the same direction:
#
# $$\cos(u, v) = \frac{u \cdot v}{\lVert u \rVert \, \lVert v \rVert}$$
#
# Why the same weights? Because similarity should not depend on which sentence stands first, and because a direction in one network's space means nothing in another's.

# %%
u, v = np.array([3.0, 1.0]), np.array([[6.0, 2.0], [-1.0, 3.0], [-3.0, -1.0]])
for other in v:
    cosine = u @ other / (np.linalg.norm(u) * np.linalg.norm(other))
    print(f"cos({u}, {other}) = {cosine:.2f}")

# %% [markdown]
# ### Training, and a threshold
#
# The loss pulls together what means the same, and pushes other pairs apart until they stand at a right angle:
#
# $$J = \begin{cases} 1 - \cos(u, v) & \text{same meaning} \\ \max(0, \cos(u, v)) & \text{another meaning} \end{cases}$$
#
# A cosine is a number, and the task wants yes or no. So a pair counts as a paraphrase if its cosine is *at least* a threshold. The threshold is chosen on validation pairs, never on test pairs: a number that is fitted on the test makes the result too good.

# %%
pairs = {
    "train": data.paraphrases(200 if FAST else 6000, split="train", seed=1),
    "valid": data.paraphrases(400, split="valid", seed=2),
    "test": data.paraphrases(400, split="test", seed=3),
}
both = joined(pairs["train"].first + pairs["train"].second)
pair_words = text.Vocabulary.from_texts(both, text.words, " ")


def encode_pairs(part):
    """The ids of the first and of the second sentences, (pairs, 12) each."""
    sides = pairs[part].first, pairs[part].second
    return [pair_words.encode(joined(side), length=12)[0] for side in sides]


keras.utils.set_random_seed(4)
pair_model = models.SentencePair(len(pair_words), units=48, embedding=32, cell="elman")
pair_model.compile(keras.optimizers.Adam(0.001, global_clipnorm=1.0), run_eagerly=FAST)
first, second = encode_pairs("train")
pair_model.fit(
    {"first": first, "second": second}, np.array(pairs["train"].labels), batch_size=32, verbose=0
)
cosines = {part: pair_model.similarities(*encode_pairs(part)) for part in ("valid", "test")}
threshold, _ = models.best_threshold(pairs["valid"].labels, cosines["valid"])
print(f"threshold, chosen on the validation pairs: {threshold:.2f}")

# %%
labels, hard = np.array(pairs["test"].labels), np.array(pairs["test"].hard)
edges = np.linspace(-1, 1, 21)


def counted(chosen):
    """How many of these test pairs have a cosine in each interval."""
    numbers, _ = np.histogram(np.clip(cosines["test"][chosen], -1, 1), edges)
    return list(zip((edges[:-1] + edges[1:]) / 2, numbers))


plots.curves(
    {
        "same meaning": counted(labels == 1),
        "another meaning, other words": counted((labels == 0) & ~hard),
        "another meaning, the same words": counted((labels == 0) & hard),
    },
    x_label="cosine of the two sentence vectors",
    y_label="test pairs",
    title="The vectors of 400 new pairs",
)

# %% [markdown]
# **Figure 11.** Paraphrases should gather at the right, the others at 0. The *hard* pairs have the same words in both sentences and differ only in who does it to whom: "the old pilot was seen by the nurse", "the nurse was seen by the old pilot". Who counts words in common gets half of them right; an encoder must keep the order. Do not be surprised if the hard pairs are the easier ones here: they differ in one thing only, and half of the training pairs show it.

# %% [markdown]
# ### To play with: where to cut


# %%
def cut(threshold):
    """What a threshold decides on the test pairs."""
    said = cosines["test"] >= threshold
    lines = [f"{'':>32}   called the same   called different"]
    for name, chosen in (
        ("same meaning", labels == 1),
        ("another meaning, other words", (labels == 0) & ~hard),
        ("another meaning, the same words", (labels == 0) & hard),
    ):
        yes = int(said[chosen].sum())
        lines.append(f"{name:>32}   {yes:>15}   {int(chosen.sum()) - yes:>16}")
    accuracy = np.mean(said == (labels == 1))
    lines.append(f"accuracy {accuracy:.3f}, MCC {metrics.matthews(said.astype(int), labels):.3f}")
    return "\n".join(lines)


print(f"threshold {threshold:.2f}, from the validation pairs:")
print(cut(threshold), end="\n\n")
plots.play(cut, show=2, threshold=[0.0, 0.5, 0.8, 0.9, 0.95, 0.99])

# %% [markdown]
# A low threshold calls too much the same, a high one too little.
#
# ### What goes wrong
#
# - The cosine divides by the lengths of the vectors; without them, long vectors win.
# - A vector of zeros has no direction, and gives 0/0. Our function calls its similarity 0.
# - 0.5 is no natural threshold. What is "alike" depends on the loss and on the data.

# %% [markdown]
# <a id="s19"></a>
#
# ## How does each word get a label?
#
# *Part-of-speech tagging* says for each word whether it is a noun, a verb, … *Named entity recognition* finds the names of persons, places and organisations. Both give $y_t = \mathrm{softmax}([\overrightarrow{h}_t; \overleftarrow{h}_t] V + c)$ at each position: the network of section s16 with other labels. The loss is the mean of $-\log p$ over all real words, as in lecture 3.
#
# Our sentences are full of words that can be several things, and often a *later* word decides: "water moves the table", "water the plants"; "Jordan smiled", "Jordan lies near Porto".

# %% [markdown]
# ### A name can have several words
#
# So each word gets a tag in BIO form: `B-PER` begins the name of a person, `I-PER` goes on with it, `O` is no part of a name. An entity is a kind and a span, with the end *after* its last word:

# %%
words = ["Maria", "Jordan", "lives", "near", "Lake", "Victoria"]
tags = ["B-PER", "I-PER", "O", "O", "B-LOC", "I-LOC"]
said = ["B-PER", "I-PER", "O", "O", "O", "B-LOC"]  # a tagger that missed the lake
for name, each in (("gold", tags), ("said", said)):
    print(f"{name}: {[tuple(entity) for entity in metrics.entities(each)]}")
print(f"tags right: {np.mean(np.array(tags) == np.array(said)):.2f}")
print(f"F1 of entities: {metrics.entity_f1([said], [tags])['all'].f1:.2f}")

# %% [markdown]
# ### F1 of entities
#
# Most words are no names, so a tagger that says `O` to all has a high accuracy. Count entities instead. A predicted entity is right if its kind, its first and its last word are right. Over all sentences together:
#
# $$\mathrm{precision} = \frac{\text{right}}{\text{predicted}} \qquad \mathrm{recall} = \frac{\text{right}}{\text{gold}} \qquad F_1 = \frac{2 \cdot \text{right}}{\text{predicted} + \text{gold}}$$
#
# In the example, two entities were predicted, two were there, one agrees: $F_1 = 2 \cdot 1 / (2 + 2) = 0.5$. *Victoria* alone is not half right, it is wrong.

# %%
TAG_EPOCHS = 1 if FAST else 4
tagged = data.tagged_sentences(200 if FAST else 1500, "train", seed=1)
tested = data.tagged_sentences(100 if FAST else 500, "test", seed=2)
tag_words = text.Vocabulary.from_texts(joined(tagged.sentences), text.words, " ")
tagged_ids, _ = tag_words.encode(joined(tagged.sentences))
tested_ids, tested_mask = tag_words.encode(joined(tested.sentences))
for row in list(zip(*tagged))[:3]:
    print("  ".join(f"{word}/{tag}/{entity}" for word, tag, entity in zip(*row)))
for name, field in (("parts of speech", "tags"), ("entity tags", "entities")):
    score = data.word_only_accuracy(tagged.sentences, getattr(tagged, field))
    print(f"{name}: {score:.3f} right with the most frequent label of each word")


# %%
def train_tagger(field, directions):
    """What a tagger says about the new sentences after each epoch: lists of tags."""
    names = ["padding", *sorted({tag for row in getattr(tagged, field) for tag in row})]
    tag_ids, _ = text.pad([[names.index(tag) for tag in row] for row in getattr(tagged, field)])
    keras.utils.set_random_seed(4)
    tagger = models.TokenTagger(
        len(tag_words), len(names), units=32, embedding=32, cell="elman", directions=directions
    )
    tagger.compile(keras.optimizers.Adam(0.005, global_clipnorm=1.0), run_eagerly=FAST)
    epochs = []
    for _ in range(TAG_EPOCHS):
        tagger.fit(tagged_ids, tag_ids, batch_size=32, verbose=0)
        best = np.asarray(tagger(tested_ids))[:, :, 1:].argmax(axis=-1) + 1  # never padding
        epochs.append([[names[i] for i in row[real]] for row, real in zip(best, tested_mask)])
    return epochs


said = {
    (field, name): train_tagger(field, directions)
    for field in ("tags", "entities")
    for name, directions in (("forward only", "forward"), ("both directions", "both"))
}

# %%
MEASURES = {
    "parts of speech: accuracy": ("tags", metrics.tag_accuracy),
    "entity tags: accuracy": ("entities", metrics.tag_accuracy),
    "entities: F1": ("entities", lambda ours, gold: metrics.entity_f1(ours, gold)["all"].f1),
}
panels = {
    what: {
        name: [
            (epoch, measure(each, getattr(tested, field)))
            for epoch, each in enumerate(said[field, name], start=1)
        ]
        for name in ("forward only", "both directions")
    }
    for what, (field, measure) in MEASURES.items()
}
plots.curves(panels, x_label="epochs of training", y_label="accuracy or F1")

# %% [markdown]
# **Figure 12.** The same two taggers of entities look good by accuracy, and not at all as good by F1: the easy `O` words no longer hide the names. In each panel the tagger that reads both ways is ahead. What does the other one get wrong?

# %%
shown = 0
for words, gold, ahead, back in zip(
    tested.sentences,
    tested.entities,
    said["entities", "forward only"][-1],
    said["entities", "both directions"][-1],
):
    if ahead != gold and back == gold and shown < 5:
        shown += 1
        print(" ".join(words))
        for name, tags in (("forward only", ahead), ("both, and gold", back)):
            found = [f"{' '.join(words[s:e])} ({kind})" for kind, s, e in metrics.entities(tags)]
            print(f"{name:>18}: {', '.join(found) or 'none'}")

# %% [markdown]
# In most of these, the word that decides stands after the name.
#
# ### What goes wrong
#
# - **Padding counts as right words**, and the accuracy is too high; or the mean of the sentences' accuracies is taken, and a word of a short sentence counts more.
# - **Tags that do not fit together.** A tagger decides word by word, and may say `O I-PER`. The scorer of the CoNLL tasks begins a new entity there. A CRF layer on top (Huang et al., 2015; Lample et al., 2016) lets neighbouring tags vote on each other.

# %% [markdown]
# ## Quick questions
#
# **1.** Two sentences of a batch have 3 and 7 words. Which states of the first make its sentence vector, counted from 0?
#
# <details><summary>Answer</summary>
#
# The forward state at position 2 and the backward state at position 0. Position 6 is padding.
#
# </details>
#
# **2.** A bidirectional layer has 100 units for each direction and reads vectors of 50. How many weights has it? And the same layer on top of it?
#
# <details><summary>Answer</summary>
#
# 2 · (50 · 100 + 100 · 100 + 100) = 30,200. The upper one reads vectors of 200: 2 · (200 · 100 + 100 · 100 + 100) = 60,200.
#
# </details>

# %% [markdown]
# **3.** A bidirectional network has trained as a language model to a perplexity of 1.02. What has it learned?
#
# <details><summary>Answer</summary>
#
# To copy. Its backward states have read the word that it should predict.
#
# </details>
#
# **4.** A tagger finds 8 entities, 6 of them right; 12 are there. What are precision, recall and $F_1$?
#
# <details><summary>Answer</summary>
#
# 6/8 = 0.75, 6/12 = 0.5, and 2 · 6 / (8 + 12) = 0.6.
#
# </details>

# %% [markdown]
# ## Common mistakes
#
# | what you see | why | in the exercise |
# | --- | --- | --- |
# | short sentences come out differently in another batch | the backward direction reads padding: no mask, or the whole row was turned round | questions 1, 2 |
# | the same, although padding is set to 0 | a step on zeros is still a step: the bias moves the state | question 2 |
# | numbers fit Keras's in the first half only | backward states in the turned order, or one cell object for both directions | question 2 |
# | a wrong last axis | the halves are added up, or the backward one stands first | question 2 |
# | one layer is right, a stack is not | the upper layers get no mask, or read the inputs again | question 3 |
# | the ambiguous words stay at 0.5 | `directions="forward"` | question 4 |

# %% [markdown]
# | what you see | why | in the exercise |
# | --- | --- | --- |
# | the classifier knows the last word only | the backward state was taken at the last word, or the ends were swapped | question 6 |
# | MCC of NaN | all predictions are the same: return 0 | question 7 |
# | cosines above 1, or a table of them | the norms are missing or taken over the whole array; each sentence was compared with each | question 9 |
# | the threshold never says "no" to all, or misses by one pair | a number above all similarities was not tried; `>` in place of "at least" | question 10 |
# | an entity at the end of a sentence is lost | it is only stored when the next tag comes | question 13 |
# | an F1 that is too high | tags are counted, or all sentences share one set of spans | question 14 |

# %% [markdown]
# ## Summary
#
# - A bidirectional network joins the states of two networks, one for each direction; each output depends on the whole sentence.
# - Padding must not change a real position, at any depth: the backward direction starts at the last real word.
# - Where the right context decides, a forward network is at chance, and no training helps.
# - The vector of a sentence is $[\overrightarrow{h}_n; \overleftarrow{h}_1]$: each direction where it has read everything.
# - Report the MCC where classes differ in size, the accuracy of tags over all words together, the F1 of whole entities.
# - One encoder reads both sentences of a pair; a threshold is chosen on validation pairs.

# %% [markdown]
# ## How old is this?
#
# **What was replaced.** Around 2015 to 2018 the bidirectional LSTM was *the* reader of sentences: taggers, parsers, classifiers, encoders of translators. Since BERT (Devlin et al., 2019) a pretrained Transformer reads both sides at once, by attention, and fine-tuning it beats a BiLSTM that is trained from nothing on most tasks.
#
# **What stayed.** Reading both sides is why BERT is what it is. Vectors for sentences with one shared encoder (Sentence-BERT; Reimers and Gurevych, 2019), BIO tags, MCC, entity F1, masks: all as here.
#
# **What still recurs.** Taggers that must be small and quick, on telephones or over millions of documents, and speech. A network that must answer while the sentence goes on cannot read backwards, then as now.

# %% [markdown]
# ## Where to go on
#
# - [Exercise 4](../exercises/04_bidirectional/04_bidirectional.ipynb): both directions and masks (questions 1 to 3), the bank task (4, 5), a judge of sentences (6 to 8), pairs (9 to 11), taggers and entities (12 to 15).
# - Next: [lecture 5](05_seq2seq.ipynb), where a network reads one sentence and writes another.
#
# Papers, in the order of the sections:
#
# - Schuster, Paliwal (1997), *Bidirectional recurrent neural networks*. Graves, Schmidhuber (2005), *Framewise phoneme classification with bidirectional LSTM and other neural network architectures*.
# - Warstadt, Singh, Bowman (2019), *Neural network acceptability judgments*.
# - Mueller, Thyagarajan (2016), *Siamese recurrent architectures for learning sentence similarity*.
# - Huang, Xu, Yu (2015), *Bidirectional LSTM-CRF models for sequence tagging*. Lample et al. (2016), *Neural architectures for named entity recognition*.
# - Tjong Kim Sang, De Meulder (2003), *Introduction to the CoNLL-2003 shared task: language-independent named entity recognition*.
