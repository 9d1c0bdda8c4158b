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
# # Lecture 5: from text to text
#
# A translation, a summary, an answer, the result of a sum: a text goes in, another text comes out. This lecture builds the network that does this, trains it, lets it write, and finds its limit.
#
# The exercise is [exercises/05_seq2seq](../exercises/05_seq2seq/05_seq2seq.ipynb). All numbers below are measured while this notebook runs, or stand beside the command that measured them.

# %% [markdown]
# ## What you will be able to do
#
# 1. Compute encoder, context and decoder in ten lines, and name two places where the context can go.
# 2. Prepare the targets for teacher forcing, and say what a model trained so has never seen.
# 3. Write with a trained decoder: greedily, and with a beam.
# 4. Measure exact matches by number of digits and by length, and explain the bottleneck.
# 5. Phrase a new task as text to text.

# %%
import os
import re

# First, because it tells TensorFlow and Keras how to start.
from rnnkit import data, decoding, metrics, models, plots, text

import keras
import numpy as np

FAST = os.environ.get("RNNKIT_FAST") == "1"  # our own tests: shorter training
PAD_ID, UNK_ID, BOS_ID, EOS_ID = 0, 1, 2, 3  # padding, unknown, start token, end token
keras.utils.set_random_seed(5)
print("Training in the", "short" if FAST else "full", "setting")

# %% [markdown]
# ### Symbols of this lecture
#
# | symbol | in the code | shape | what it is |
# | --- | --- | --- | --- |
# | $x_j$ | `x[j]` | (features,) | the vector of source symbol $j$ |
# | $h_j$ | `h` | (units,) | the encoder's state after source symbol $j$ |
# | $c$ | `context` | (units,) | the context: the encoder's last state, $h_n$ |
# | $y_{i-1}$ | `y[i]` | (features,) | the vector of the target symbol before step $i$; first BOS |
# | $s_i$ | `s` | (units,) | the decoder's state after step $i$ |
# | $o_i$ | `scores` | (vocabulary,) | the scores of the next symbol, $s_i V + b_o$ ($c$ is the context here) |
# | $n$, $m$ | | | the numbers of source and target symbols |
#
# All lectures share one notation: [notation](notation.ipynb).

# %% [markdown]
# <a id="s20"></a>
#
# ## How can a network turn one text into another?
#
# A transducer gives one output for each input. But `12+7=` has five symbols and `19` has two, and a translation often puts its words in another order. Outputs cannot stand opposite inputs.
#
# So the work is split. An **encoder** reads the whole source. What it knows at the end is one vector, the **context**. A **decoder** begins with the context and writes the target, one symbol at a time, until it writes the end token EOS.

# %%
plots.unrolled("12+7=", ["1", "9", "EOS"], attention=False, path=(0, 0))

# %% [markdown]
# **Figure 1.** An encoder-decoder, one column for each step. The encoder (below left) reads five symbols, the decoder (right) writes three. The only arrow between them carries the context. The strong path leads from the first input to the first output.

# %% [markdown]
# ### The formula
#
# Encoder and decoder are two recurrent networks, each with weights of its own. With $\mathrm{step}(x, h) = \tanh(x W + h U + b)$:
#
# $$h_0 = 0 \qquad h_j = \mathrm{step}_{\mathrm{enc}}(x_j, h_{j-1}) \qquad c = h_n$$
#
# $$s_0 = c \qquad s_i = \mathrm{step}_{\mathrm{dec}}(y_{i-1}, s_{i-1}) \qquad o_i = s_i V + b_o$$
#
# $$p(y_i \mid y_{<i}, x) = \mathrm{softmax}(o_i)$$
#
# In practice both are GRUs or LSTMs. The formula stays: only the step changes.

# %%
rng = np.random.default_rng(5)
features, units, vocabulary = 3, 4, 6
enc, dec = (
    {"W": rng.normal(size=(features, units)), "U": rng.normal(size=(units, units)), "b": np.zeros(units)}
    for _ in range(2)
)
V, b_o = rng.normal(size=(units, vocabulary)), np.zeros(vocabulary)
x, y = rng.normal(size=(5, features)), rng.normal(size=(3, features))  # one source, one target


def step(x, h, net):
    return np.tanh(x @ net["W"] + h @ net["U"] + net["b"])


h = np.zeros(units)
for x_j in x:  # the encoder
    h = step(x_j, h, enc)
context = h
s, states = context, []
for y_before in y:  # the decoder: y[0] is the start token
    s = step(y_before, s, dec)
    states.append(s)
scores = np.stack(states) @ V + b_o
print("context", context.shape, "  scores", scores.shape)

# %% [markdown]
# Keras gives the same states, when its two layers get the same weights. `initial_state` is where the context enters.

# %%
def keras_rnn(net):
    layer = keras.layers.SimpleRNN(units, return_sequences=True, return_state=True)
    layer.build((1, None, features))
    layer.set_weights([net["W"], net["U"], net["b"]])  # kernel, recurrent_kernel, bias
    return layer


_, keras_context = keras_rnn(enc)(x[None])
keras_states, _ = keras_rnn(dec)(y[None], initial_state=keras_context)
print("largest difference:", float(np.abs(np.asarray(keras_states)[0] - states).max().round(6)))

# %% [markdown]
# ### Where does the context go in?
#
# A decoder that only *begins* with the context must carry it along from state to state while it writes. There is a second place: give the context again at **every step**, beside the previous symbol.
#
# $$s_0 = 0 \qquad s_i = \mathrm{step}_{\mathrm{dec}}([y_{i-1}; c],\ s_{i-1})$$
#
# Now the decoder's $W$ has features + units rows. `models.EncoderDecoder` knows both: `context="state"` (the default) and `context="every step"`, which also makes the first state from the context.

# %%
every_step = plots.Network(
    rows=[
        plots.Row("x", "input", "12+7=", look="word"),
        plots.Row("h", "encoder", "hhhhh"),
        plots.Row("c", "context", "c", look="vector", column=4),
        plots.Row("s", "decoder", "sss", column=5),
        plots.Row("y", "output", ["1", "9", "EOS"], look="word", column=5),
    ],
    links=[
        plots.Link("x", "h", "up"),
        plots.Link("h", "h", "next"),
        plots.Link("h", "c", "last to first"),
        plots.Link("c", "s", "all"),
        plots.Link("s", "s", "next"),
        plots.Link("s", "y", "up"),
    ],
    description="Encoder over 1 2 + 7 =, whose last state is the context, read at every decoder step.",
)
plots.draw_network(every_step, path=(("x", 0), ("y", 2)))

# %% [markdown]
# **Figure 2.** The context at every step. The strong path from the first input to the last output goes through the encoder, but no longer through the whole decoder.

# %% [markdown]
# ### Who teaches the encoder?
#
# Nobody tells the encoder what a good context is. There is one loss, at the decoder's outputs. Its gradient flows back through the decoder, through the context, and into the encoder: the system is trained **end to end**.
#
# The next cell takes the loss at one output of an untrained model, and measures how much of its gradient arrives at the vectors of the source symbols.

# %%
letters = text.Vocabulary("abcdefghijkl")
LENGTH = 6 if FAST else 12
SEEDS = range(1 if FAST else 3)
source, _ = letters.encode(["abcdefghijkl"[:LENGTH]])
target, _ = letters.encode(["abcdefghijkl"[:LENGTH][::-1]], bos=True, eos=True)


OUTPUTS = [1, 6] if FAST else [1, 4, 8, 12]


def gradients_at_source(context, seed):
    """For the loss of each output: the norm of its gradient, over all source vectors together."""
    keras.utils.set_random_seed(seed)
    model = models.EncoderDecoder(
        len(letters), len(letters), 32, 16, bidirectional=False, context=context
    )
    previous, following = target[:, :-1], target[:, 1:]
    return [
        float(np.linalg.norm(models.source_gradients(model, source, previous, following, i - 1)))
        for i in OUTPUTS
    ]


plots.curves(
    {
        name: list(zip(OUTPUTS, zip(*(gradients_at_source(place, seed) for seed in SEEDS))))
        for name, place in (
            ("context as first state", "state"),
            ("context at every step", "every step"),
        )
    },
    x_label="output (step of the decoder)",
    y_label="norm of the gradient",
    log_y=True,
)

# %% [markdown]
# **Figure 3.** How strongly the loss at one output teaches the encoder, before training, on a logarithmic scale. With the context as first state, later outputs have a longer way back, and less arrives. With the context at every step, each output has its own short way.

# %% [markdown]
# <a id="s21"></a>
#
# ## How is it trained, and how does it write?
#
# When the decoder writes alone, step $i$ reads the symbol that step $i-1$ wrote. At the beginning of training that symbol is nearly always wrong, and everything after it is built on sand.
#
# **Teacher forcing** removes the problem: in training, each step reads the *true* previous symbol, whatever the model would have written. So all steps have the right past from the first minute, and all targets are known before the decoder starts.

# %%
sum_text, result = "12+7=", "19"
previous = ["BOS", *result]  # what the decoder reads
following = [*result, "EOS"]  # what it should predict
print("step      ", *[f"{i:>4}" for i in range(1, 4)])
print("previous  ", *[f"{symbol:>4}" for symbol in previous])
print("following ", *[f"{symbol:>4}" for symbol in following])

# %% [markdown]
# ### The loss
#
# The model gives each true symbol a probability. The loss is the mean of the negative logarithms, over real positions only: padding is not counted.
#
# $$\mathcal{L} = -\frac{1}{m} \sum_{i=1}^{m} \log p(y_i \mid y_{<i}, x)$$
#
# Here $m$ counts EOS too: a model that is never asked to end never learns to stop.

# %%
logits = rng.normal(size=(1, 4, vocabulary))
true = np.array([[4, 5, EOS_ID, PAD_ID]])  # one target, with one place of padding
probabilities = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
loss = -np.mean([np.log(probabilities[0, i, true[0, i]]) for i in range(3)])  # not the padding
print(f"by hand {loss:.6f}, models.masked_cross_entropy {float(models.masked_cross_entropy(true, logits)):.6f}")

# %% [markdown]
# ### A model to look at
#
# From here on we need a trained model. This one learns to add numbers of one and two digits, from text alone. Section [s22](#s22) looks at what it has learned.

# %%
def arrays(pairs, reads, writes, length=None):
    """The model's inputs, and what it should predict."""
    written, _ = writes.encode(pairs.targets, bos=True, eos=True)
    inputs = {
        "source": reads.encode(pairs.sources, length=length)[0],
        "previous": np.where(written == EOS_ID, PAD_ID, written)[:, :-1],
    }
    return inputs, written[:, 1:]


def train(model, inputs, following, epochs, name, callbacks=()):
    """Adam, with a rate that falls from 0.01 to 0."""
    updates = epochs * -(-len(following) // 32)  # rounded up
    rate = keras.optimizers.schedules.CosineDecay(0.01, updates)
    adam = keras.optimizers.Adam(rate, global_clipnorm=1.0)
    # For the few steps of our own tests, a graph would cost more than it saves.
    model.compile(optimizer=adam, loss=models.masked_cross_entropy, run_eagerly=FAST)
    callbacks = [plots.TrainingCurve(name), *callbacks]
    model.fit(inputs, following, batch_size=32, epochs=epochs, verbose=0, callbacks=callbacks)
    return model


numbers = text.Vocabulary("+=0123456789")
SUM_LENGTH = len("999+999=")
train_sums = data.arithmetic(32 if FAST else 8000, digits=(1, 2), operations="+", seed=1)
new_sums = data.arithmetic(600, digits=(1, 2, 3), operations="+", split="test", seed=2)
keras.utils.set_random_seed(5)
adder = models.EncoderDecoder(
    len(numbers), len(numbers), units=96, embedding=32, context="every step"
)
sum_arrays = arrays(train_sums, numbers, numbers, SUM_LENGTH)
train(adder, *sum_arrays, epochs=1 if FAST else 6, name="Sums");

# %% [markdown]
# ### Writing greedily
#
# After training there is no teacher. The decoder reads what it has written itself. The simplest way to choose: take the symbol with the highest score, until it is EOS. For one source these are six lines. Never leave out the limit: an untrained model may never write EOS.

# %%
source, _ = numbers.encode(["48+27="], length=SUM_LENGTH)
decoder_step, state = adder.step_function(source)

symbol, written = BOS_ID, []
while symbol != EOS_ID and len(written) < 5:
    scores, state = decoder_step(np.array([symbol]), state)
    symbol = int(np.argmax(scores))
    written.append(symbol)
print("48+27= gives", *numbers.decode([written]))

# %%
SHOWN = ["EOS", *"0123456789"]
SHOWN_IDS = [EOS_ID, *(int(numbers.encode([digit])[0][0, 0]) for digit in "0123456789")]


def softmax(scores):
    scores = np.asarray(scores, dtype="float64")
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return scores / scores.sum(axis=-1, keepdims=True)


def distributions(sum_text, first="its own choice"):
    """The distribution at each step, when the decoder writes alone after the first symbol."""
    source, _ = numbers.encode([sum_text], length=SUM_LENGTH)
    decoder_step, state = adder.step_function(source)
    symbol, rows, names = BOS_ID, [], []
    while symbol != EOS_ID and len(rows) < 5:
        scores, state = decoder_step(np.array([symbol]), state)
        rows.append(softmax(scores)[0, SHOWN_IDS])
        best = int(np.argmax(scores))
        symbol = SHOWN_IDS[SHOWN.index(first)] if first in SHOWN and len(rows) == 1 else best
        names.append(SHOWN[SHOWN_IDS.index(symbol)] if symbol in SHOWN_IDS else "?")
    title = f"{sum_text} (right: {sum(map(int, sum_text[:-1].split('+')))})"
    return plots.step_probabilities(np.array(rows).clip(0, 1), SHOWN, names, title)


plots.play(
    distributions,
    show=2,
    first=["its own choice", "8", "9", "1", "5"],
    sum_text=["48+27=", "51+26=", "95+8=", "7+6=", "60+39="],
)

# %% [markdown]
# **Figure 4.** What the trained model finds probable at each step, one row for each symbol that is written. Above, it writes alone. Below, we have put `8` in the first place, a symbol that it did not choose, and let it go on. Try other sums and other first symbols.

# %% [markdown]
# ### What goes wrong: it has never seen its own mistakes
#
# With teacher forcing, the past is always right. When the model writes alone, one wrong symbol brings it to a place that it has never seen in training. This is called **exposure bias**.
#
# How bad it is depends on the task. Measure it: give the decoder a wrong first digit, and count how often it still writes the right last digit. (Figure 11 measures it over many steps.)

# %%
two_digits = [
    row for row, result in enumerate(new_sums.targets) if len(result) == 2 and new_sums.digits[row] < 3
]
source, _ = numbers.encode([new_sums.sources[row] for row in two_digits], length=SUM_LENGTH)
true_digits = np.array([[int(digit) for digit in new_sums.targets[row]] for row in two_digits])
digit_ids = np.array(SHOWN_IDS[1:])


def last_digit_right(first_digits):
    """The share of right last digits, when the decoder reads these first digits."""
    start = np.full(len(source), BOS_ID)
    previous = np.stack([start, digit_ids[first_digits]], axis=1)
    logits = np.asarray(adder({"source": source, "previous": previous}))[:, 1]
    return np.mean(logits.argmax(axis=-1) == digit_ids[true_digits[:, 1]])


for off in (0, 1, 3, 5):
    share = last_digit_right((true_digits[:, 0] + off) % 10)
    print(f"first digit {'right   ' if off == 0 else f'off by {off}'}: last digit right in {share:.2f} of {len(source)} sums")

# %% [markdown]
# ### A remedy: a scheduled mix
#
# Now and then, show the decoder what it would have written itself. Before each step, a coin is tossed for each sentence: with probability $p$ it reads the true symbol, otherwise its own. $p$ begins at 1 (pure teacher forcing) and falls from epoch to epoch.
#
# It is no miracle: where targets are short, or training is short, there is little to win, and own symbols early in training are noise. `models.ScheduledSampling` wraps an encoder-decoder for this.

# %%
EPOCHS = range(21)
plots.curves(
    {
        "linear": [(e, max(0.0, 1 - e / 20)) for e in EPOCHS],
        "exponential": [(e, 0.8**e) for e in EPOCHS],
        "inverse sigmoid": [(e, 5 / (5 + np.exp(e / 5))) for e in EPOCHS],
    },
    x_label="epoch",
    y_label="probability of the true symbol",
)

# %% [markdown]
# **Figure 5.** Three schedules: $1 - e/20$, $0.8^e$, and $k / (k + \exp(e/k))$ with $k = 5$, where $e$ is the epoch. The first and the third leave the model its teacher while it knows little; the second takes it away fast.

# %%
sums_shown = [row for row, result in enumerate(train_sums.targets) if len(result) > 1][:5]


def what_it_reads(teacher_forcing):
    """What a weak decoder reads at each step, beside the truth."""
    keras.utils.set_random_seed(1)
    weak = models.EncoderDecoder(len(numbers), len(numbers), units=8, embedding=8)
    mixing = models.ScheduledSampling(weak, teacher_forcing, seed=3)
    some = {name: array[sums_shown] for name, array in sum_arrays[0].items()}
    _, seen = mixing.mixed(some)
    lines = ["   source  true previous  read"]
    for row, true, read in zip(sums_shown, some["previous"], np.asarray(seen)):
        names = [
            " ".join("BOS" if id_ == BOS_ID else numbers.decode([[id_]])[0] or "." for id_ in ids)
            for ids in (true, read)
        ]
        lines.append(f"{train_sums.sources[row]:>9}  {names[0]:<13}  {names[1]}")
    return "\n".join(lines)


plots.play(what_it_reads, show=2, teacher_forcing=[1.0, 0.5, 0.75, 0.25, 0.0])

# %% [markdown]
# **To play with.** What an untrained decoder reads (`.` is padding or the end). With `teacher forcing = 1` it reads the truth. With 0.5, about half of the symbols after BOS are its own. BOS is always given.

# %% [markdown]
# ### One network can do both jobs
#
# Put source and target into one text, with a **separator** between them: `source <SEP> target <EOS>`. A language model that reads the source and then the separator has its context: its own state. From there it goes on with the target.
#
# Only the target and EOS count in the loss. Nobody asks the model to guess the source. In our sums, `=` is already a separator.

# %%
one_text = plots.Network(
    rows=[
        plots.Row("x", "input", [*"12+7=", "1", "9"], look="word"),
        plots.Row("h", "state", "h" * 7),
        plots.Row("y", "in the loss", [*"––––", "1", "9", "EOS"], look="word"),
    ],
    links=[
        plots.Link("x", "h", "up"),
        plots.Link("h", "h", "next"),
        plots.Link("h", "y", "up"),
    ],
    description="A language model over 1 2 + 7 = 1 9. Its predictions after 1, 2, + and 7 do not count; after = it should predict 1, after 1 it should predict 9, after 9 EOS.",
)
plots.draw_network(one_text)

# %% [markdown]
# **Figure 6.** One recurrent network reads source, separator and target. A dash: what it predicts there does not count. From the separator on it should predict `1`, then `9`, then the end.

# %%
joined, _ = numbers.encode(
    [source + target for source, target in zip(train_sums.sources, train_sums.targets)], eos=True
)
inputs, following = joined[:, :-1], joined[:, 1:].copy()
for row, source in enumerate(train_sums.sources):
    following[row, : len(source) - 1] = PAD_ID  # no loss before the separator
keras.utils.set_random_seed(5)
one_network = models.LanguageModel(len(numbers), units=96, embedding=32, cell="gru")
train(one_network, inputs, following, epochs=1 if FAST else 10, name="Sums, one network");

# %%
def go_on(rows):
    """What the one network writes after the separator; all these sources have one length."""
    prompts, _ = numbers.encode([new_sums.sources[row] for row in rows])
    _, state = one_network.run(prompts[:, :-1])
    last = prompts[:, -1]  # the separator
    ids = decoding.greedy(one_network.step, state, len(rows), last, EOS_ID, max_length=5)
    return numbers.decode(ids)


for digits in (1, 2):
    rows = [row for row, number in enumerate(new_sums.digits) if number == digits]
    source, _ = numbers.encode([new_sums.sources[row] for row in rows], length=SUM_LENGTH)
    pair = numbers.decode(adder.decode(source, BOS_ID, EOS_ID, max_length=5))
    right_pair = np.mean([each == new_sums.targets[row] for each, row in zip(pair, rows)])
    right_one = []
    for length in {len(new_sums.sources[row]) for row in rows}:
        same = [row for row in rows if len(new_sums.sources[row]) == length]
        right_one += [each == new_sums.targets[row] for each, row in zip(go_on(same), same)]
    print(
        f"sums of {digits} digit{'s' if digits > 1 else ''}, exactly right: "
        f"encoder-decoder {right_pair:.2f}, one network {np.mean(right_one):.2f}"
    )

# %% [markdown]
# The one network learns the same task, from the same pairs and the same loss. It has one set of weights for reading and for writing, and it reads in one direction only, so in this short training it need not get as far as the pair.

# %% [markdown]
# ### Is the best next symbol on the best way?
#
# Not always. Greedy search never takes back a choice. **Beam search** keeps the `width` best beginnings at each step, lets each of them grow by every symbol, and keeps the `width` best of the results. Beginnings that end with EOS are complete.
#
# A beginning's score is the sum of its log probabilities. Sums only fall with each symbol, so short results have an advantage. A remedy is to divide by a power of the length:
#
# $$\mathrm{score}(y) = \frac{\log p(y)}{|y|^{\alpha}}$$

# %%
NAMES = ["the", "a", "cat", "dog", "sleeps", "EOS"]  # ids 0 to 5; id 6 is the start
AFTER = {  # probabilities of the next symbol, after each symbol
    6: [0.55, 0.45, 0, 0, 0, 0],
    0: [0, 0, 0.35, 0.35, 0.30, 0],
    1: [0, 0, 0.05, 0.90, 0.05, 0],
    2: [0, 0, 0, 0, 0.5, 0.5],
    3: [0, 0, 0, 0, 0.9, 0.1],
    4: [0, 0, 0, 0, 0, 1.0],
    5: [0, 0, 0, 0, 0, 1.0],
}


def toy_step(previous, state):
    """Scores of the next symbol, from the table; there is no state."""
    return np.log(np.array([AFTER[symbol] for symbol in previous.tolist()]) + 1e-9), state


def kept_beginnings(step, state, bos_id, eos_id, names, width, steps):
    """What beam search keeps after each step, for one sentence."""
    rounds = []
    for length in range(1, steps + 1):
        found = decoding.beam_search(step, state, 1, bos_id, eos_id, max_length=length, width=width)
        beam = []
        for ids, score in zip(found.ids[0].tolist(), found.scores[0]):
            end = ids.index(eos_id) + 1 if eos_id in ids else len(ids)  # padding stands after it
            if np.exp(score) > 1e-6:
                beam.append(([names[id_] for id_ in ids[:end]], score))
        rounds.append(beam)
    return rounds


def toy_tree(width):
    """The beginnings that a search of this width keeps, as a tree."""
    rounds = kept_beginnings(toy_step, None, 6, 5, dict(enumerate(NAMES)), width, steps=4)
    return plots.beam_tree(rounds, f"width {width}")


plots.play(toy_tree, show=2, width=[1, 2, 3, 4])

# %% [markdown]
# **Figure 7.** Beams as trees, on a small table of probabilities. Width 1 is greedy search: it takes "the", and ends at a less probable sentence. Width 2 keeps "a" too, and finds a sentence that is more probable as a whole. Strong: the best result. Dashed: dropped.

# %%
digit_names = {id_: numbers.decode([[id_]])[0] for id_ in range(4, len(numbers))}
digit_names |= {PAD_ID: "PAD", UNK_ID: "UNK", BOS_ID: "BOS", EOS_ID: "EOS"}


def sum_tree(sum_text, width):
    """The beam of the trained model."""
    source, _ = numbers.encode([sum_text], length=SUM_LENGTH)
    decoder_step, state = adder.step_function(source)
    rounds = kept_beginnings(decoder_step, state, BOS_ID, EOS_ID, digit_names, width, steps=3)
    return plots.beam_tree(rounds, f"{sum_text} with width {width}")


plots.play(sum_tree, sum_text=["48+27=", "95+8=", "7+6=", "123+45="], width=[3, 2, 1])

# %% [markdown]
# **Figure 8.** The same search with the trained model. Where the model is sure, one beginning has nearly all the probability, and a beam changes nothing. Beams pay where good results differ in their first symbols, as in translation.

# %% [markdown]
# <a id="s22"></a>
#
# ## Can a network learn to add from text alone?
#
# The sums are text: `48+27=` gives `75`. Nobody tells the model what a digit is, or that `4` is more than `3`. It sees ids of characters. New sums never come up in training, also not turned round (`27+48=`).

# %% [markdown]
# We count **exact matches**: a result with one wrong digit is wrong. And we count by number of digits, because one number for all would hide where the model fails. Sums of three digits are longer than all it has seen. Of one digit there are few different sums, so they come up again and again.

# %%
source, _ = numbers.encode(new_sums.sources, length=SUM_LENGTH)
results = numbers.decode(adder.decode(source, BOS_ID, EOS_ID, max_length=5))
table = metrics.accuracy_by_length(results, new_sums.targets, new_sums.digits, edges=[1, 2, 3, 4])
for digits, _, count, accuracy in table:
    of_these = [row for row, number in enumerate(new_sums.digits) if number == digits]
    different = len({new_sums.sources[row] for row in of_these})
    print(f"{digits} digits: {accuracy:.2f} of {count} new sums ({different} different ones) are exactly right")
plots.curves(
    {"new sums": [(digits, accuracy) for digits, _, _, accuracy in table]},
    x_label="digits of the longer number (training: 1 and 2)",
    y_label="exact matches",
    y_limits=(-0.03, 1.03),
)

# %% [markdown]
# **Figure 9.** Exact matches against the number of digits. The step from two digits to three is not a little harder, it is another world: the model has learned how sums of one and two digits look, not the rule that we know.

# %%
def has_carry(sum_text):
    """Whether the last digits add up to ten or more."""
    left, right = sum_text.rstrip("=").split("+")
    return int(left) % 10 + int(right) % 10 >= 10


for carry in (False, True):
    rows = [
        row
        for row, digits in enumerate(new_sums.digits)
        if digits == 2 and has_carry(new_sums.sources[row]) == carry
    ]
    right = np.mean([results[row] == new_sums.targets[row] for row in rows])
    print(f"two digits, {'with' if carry else 'without'} a carry: {right:.2f} of {len(rows)} right")
wrong = [row for row in range(len(results)) if results[row] != new_sums.targets[row]]
for digits in (2, 3):
    for row in [row for row in wrong if new_sums.digits[row] == digits][:4]:
        print(f"{new_sums.sources[row]:>9} written {results[row]:>4}, right {new_sums.targets[row]:>4}")

# %% [markdown]
# ### Why the first digit is the hardest
#
# We add from right to left, because carries go that way. The decoder writes from left to right. Before it can write the first digit, it must know whether all later digits give a carry, and how many digits the result will have. So the whole sum must be ready in the state before the first symbol is written.
#
# Write results backwards (`57` for `75`), and each digit needs only what was written before it. What would you have to change? Only the data.

# %% [markdown]
# <a id="s23"></a>
#
# ## What can one vector hold?
#
# Between encoder and decoder stands one vector of fixed size, whether the source has 3 symbols or 300. All that the decoder ever learns about the source must pass through it: a **bottleneck**.
#
# To see it, take a task in which nothing can be guessed: write a random string backwards. Each letter must go through the context, and each letter more is one more thing to keep. Accuracy is then measured against the length of the input.

# %%
LONGEST = 6 if FAST else 12  # letters
EDGES = [3, 4, 5, 7] if FAST else [3, 5, 7, 9, 11, 13]
strings = data.reversals(32 if FAST else 8192, seed=1, maximum=LONGEST)
new_strings, new_reversed = data.reversals(400, seed=2, maximum=LONGEST)


def reverser(units, epochs):
    """An encoder-decoder that learns to write strings backwards."""
    keras.utils.set_random_seed(5)
    model = models.EncoderDecoder(
        len(letters), len(letters), units=units, embedding=16, context="every step"
    )
    written, _ = letters.encode(strings[1], length=LONGEST + 2, bos=True, eos=True)
    inputs = {
        "source": letters.encode(strings[0], length=LONGEST)[0],
        "previous": np.where(written == EOS_ID, PAD_ID, written)[:, :-1],
    }
    return train(model, inputs, written[:, 1:], epochs, f"Backwards, context of {units} numbers")


reversers = {
    units: reverser(units, epochs=1 if FAST else 3) for units in ([64] if FAST else [32, 64])
}

# %%
new_source, _ = letters.encode(new_strings, length=LONGEST)
written_ids = {
    units: model.decode(new_source, BOS_ID, EOS_ID, max_length=LONGEST + 1)
    for units, model in reversers.items()
}
by_length = {
    f"context of {units} numbers": [
        ((low + high) / 2, accuracy)
        for low, high, _, accuracy in metrics.accuracy_by_length(
            letters.decode(ids), new_reversed, [len(each) for each in new_reversed], EDGES
        )
    ]
    for units, ids in written_ids.items()
}
plots.accuracy_curves(by_length)

# %% [markdown]
# **Figure 10.** The bottleneck: the share of strings written backwards without a fault, against their length. Both curves fall. A larger context moves the fall to longer strings; it does not remove it.

# %% [markdown]
# ### Is the vector full?
#
# Count first. A random letter out of 12 carries $\log_2 12 \approx 3.6$ bits, so 12 letters need 43 bits. A vector of 32 numbers of 32 bits has 1,024. There is room enough.
#
# So the limit is not that the vector *cannot* hold the string. Training must find a code that the encoder can write and the decoder can read, one letter at a time, and this gets harder with each letter. More units or longer training move the limit. Claim only that: one vector is **hard to use**.

# %% [markdown]
# ### Measured with three seeds
#
# Strings up to 24 letters, a model of 48 units without attention (19,200 weights), 10 epochs; median, with the smallest and the largest of three seeds:
#
# | letters | 3 to 8 | 9 to 13 | 14 to 18 | 19 to 24 |
# | --- | --- | --- | --- | --- |
# | exactly right | 0.91 (0.88 to 0.92) | 0.27 (0.26 to 0.28) | 0.00 (0.00 to 0.00) | 0.00 (0.00 to 0.00) |
#
# `python benchmarks/lecture_numbers.py bottleneck`, in [lecture_numbers](../docs/reports/lecture_numbers.md). [Lecture 6](06_attention.ipynb#s29) shows the same curve with attention.

# %% [markdown]
# ### Which letters are lost?
#
# An exact match says only that something was lost. So look at single letters of the longest strings, in two ways: with the *true* letters before each step, as in training, and with the model's *own* letters, as when it writes alone.
#
# The difference between the two curves is exposure bias ([s21](#s21)), measured: the true past tells the decoder where it stands, its own past may not.

# %%
long_rows = [row for row, each in enumerate(new_reversed) if len(each) >= LONGEST - 1]
long_targets, _ = letters.encode([new_reversed[row] for row in long_rows], length=LONGEST)


def letters_right(units):
    """The share of right letters at each step, after true letters and after own ones."""
    previous = np.hstack([np.full((len(long_rows), 1), BOS_ID), long_targets[:, :-1]])
    logits = reversers[units]({"source": new_source[long_rows], "previous": previous})
    after_true = np.asarray(logits).argmax(axis=-1)
    after_own = np.zeros_like(long_targets)
    written = written_ids[units][long_rows, :LONGEST]
    after_own[:, : written.shape[1]] = written
    return {
        name: [
            (step + 1, float(np.mean(letters_at[:, step] == long_targets[:, step])))
            for step in range(LONGEST - 1)
        ]
        for name, letters_at in (("true letters before", after_true), ("own letters before", after_own))
    }


plots.curves(
    {f"context of {units} numbers": letters_right(units) for units in reversers},
    x_label="step of the decoder (1 writes the last letter of the source)",
    y_label="right letters",
    chance=round(1 / 12, 2),
    y_limits=(-0.03, 1.03),
)

# %% [markdown]
# **Figure 11.** Right letters at each step, in the longest strings. Compare the two lines of a panel: with each step that the decoder writes alone, more of its past is wrong, and the lines part. Compare the two panels: a larger context loses fewer letters. (One training of each.)

# %% [markdown]
# <a id="s24"></a>
#
# ## One recipe for how many tasks?
#
# Nothing in the code knows about sums. So write other tasks in the same form:
#
# | task | source | target |
# | --- | --- | --- |
# | translation | a date in one of nine languages | the date in English |
# | summarisation | a report of one sentence | a headline |
# | question answering | two facts and a question | the answer |
# | dialogue | what one person says | what the other replies |
# | parsing | a sentence | its tree in brackets |
# | code | an expression in words | the same in Python |
#
# The task's name stands in front of the source, so one model can learn all of them.

# %%
TASKS = ("summarise", "answer", "reply", "parse", "code")
LANGUAGES = ("de", "es", "fi", "fr", "it", "nl", "pl", "pt", "sv")
MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)


def dates_to_translate(count, seed, exclude=()):
    """Written dates with spaces around each sign, the same in English, and as they were."""
    dates = data.dates(count, seed, LANGUAGES, exclude)
    sources = [" ".join(re.findall(r"\w+|[^\w\s]", each.lower())) for each in dates.sources]
    targets = []
    for iso in dates.targets:
        year, month, day = iso.split("-")
        targets.append(f"{MONTHS[int(month) - 1]} {int(day)} , {year}")
    return [f"translate : {each}" for each in sources], targets, dates.sources


def six_tasks(count, split, seed, exclude=()):
    """Pairs of six tasks, and the dates that must not come up again."""
    pairs = data.text_to_text(count, TASKS, split=split, seed=seed)
    sources, targets, known = dates_to_translate(count // 5, seed, exclude)
    tasks = pairs.tasks + ["translate"] * len(sources)
    return data.TextToTextSet(pairs.sources + sources, pairs.targets + targets, tasks), known


pairs, known_dates = six_tasks(25 if FAST else 8000, "train", seed=1)
new_pairs, _ = six_tasks(30 if FAST else 400, "test", seed=2, exclude=known_dates)
for name in dict.fromkeys(new_pairs.tasks):
    row = new_pairs.tasks.index(name)
    print(f"{new_pairs.sources[row]}\n    -> {new_pairs.targets[row]}")

# %% [markdown]
# The symbols are now words, which makes texts shorter. Otherwise nothing changes: the same model, the same loss, the same training. After each epoch we let it write the targets of new sources.

# %%
reads, writes = (
    text.Vocabulary.from_texts(texts, split=text.words, joiner=" ")
    for texts in (pairs.sources, pairs.targets)
)
longest = max(len(source.split()) for source in pairs.sources + new_pairs.sources)
task_inputs, task_following = arrays(pairs, reads, writes, longest)
new_task_source, _ = reads.encode(new_pairs.sources, length=longest)
task_names = list(dict.fromkeys(new_pairs.tasks))


def write_all(model):
    """What a model writes for all new sources."""
    most = task_following.shape[1]
    return writes.decode(model.decode(new_task_source, BOS_ID, EOS_ID, max_length=most))


class MeasureTasks(keras.callbacks.Callback):
    """Exact matches of each task, after each epoch."""

    def __init__(self):
        super().__init__()
        self.points = {name: [] for name in task_names}

    def on_epoch_end(self, epoch, logs=None):
        written = write_all(self.model)
        for name in task_names:
            rows = [row for row, each in enumerate(new_pairs.tasks) if each == name]
            right = np.mean([written[row] == new_pairs.targets[row] for row in rows])
            self.points[name].append((epoch + 1, float(right)))


keras.utils.set_random_seed(5)
many = models.EncoderDecoder(len(reads), len(writes), units=96, embedding=32, context="every step")
measured = MeasureTasks()
train(many, task_inputs, task_following, 1 if FAST else 5, "Six tasks", [measured]);

# %%
for some in (("summarise", "answer", "reply"), ("parse", "code", "translate")):
    figure = plots.curves(
        {name: measured.points[name] for name in some},
        x_label="epoch",
        y_label="exact matches",
        y_limits=(-0.03, 1.03),
    )
    display(figure)

# %% [markdown]
# **Figure 12.** Exact matches of six tasks, learned by one model at the same time, after each epoch. Compare which tasks come first: those whose target needs few words of the source, always at the same places. Which come late?

# %%
written = write_all(many)
for name in task_names:
    rows = [row for row, each in enumerate(new_pairs.tasks) if each == name]
    wrong = [row for row in rows if written[row] != new_pairs.targets[row]]
    print(f"{name}: {1 - len(wrong) / len(rows):.2f} of {len(rows)} exactly right")
    for row in wrong[:1]:  # one that is not
        print(f"    source   {new_pairs.sources[row]}")
        print(f"    written  {written[row]}")
        print(f"    right    {new_pairs.targets[row]}")

# %% [markdown]
# ### What goes wrong
#
# **One right answer is an exception.** Our grammar gives each source exactly one right target, so exact match is fair. A real sentence has many good translations: there one counts overlaps with references (BLEU, `metrics.bleu`), or asks people.
#
# **A fluent text is not a true one.** The decoder is a language model with a context. Where the context is lost, it goes on with something that sounds right. Look at the wrong results above: they are nearly always well formed.

# %% [markdown]
# ## Quick questions
#
# **1.** The encoder has read `12+7=`. You change the `1` to a `2`. Which of the decoder's steps can notice?
#
# <details><summary>Answer</summary>
#
# All of them. The context is a function of all source symbols, and each decoder state is a function of the context.
#
# </details>

# %% [markdown]
# **2.** A model trained with teacher forcing has a very low loss on new pairs, but writes bad texts alone. Is this possible?
#
# <details><summary>Answer</summary>
#
# Yes. The loss is measured with the true past at each step. Alone, the model reads its own past, and one mistake can lead it to states that it has never seen.
#
# </details>

# %% [markdown]
# **3.** Beam search with width 1000 finds a more probable translation than with width 5. Must it be a better one?
#
# <details><summary>Answer</summary>
#
# No. It is only more probable under the model. Without a division by the length, the most probable result is often too short, or even empty.
#
# </details>
#
# **4.** You make the context twice as large. Is the bottleneck gone?
#
# <details><summary>Answer</summary>
#
# No. The fall of accuracy moves to longer inputs (figure 10), and the model gets larger and slower. The size is still fixed, and texts have no greatest length.
#
# </details>

# %% [markdown]
# ## Common mistakes
#
# | what you see | why | exercise |
# | --- | --- | --- |
# | a model that was saved yesterday writes nonsense today | the order of a `set` changes from run to run: sort the symbols | question 1 |
# | `PAD` and the first letter are the same | ids begin at 0, but 0 to 3 are reserved | question 1 |
# | the context depends on its neighbours in the batch | the state was taken after the padding, not after the last real symbol | question 4 |

# %% [markdown]
# | what you see | why | exercise |
# | --- | --- | --- |
# | the loss is nearly 0, and the model writes rubbish | targets are not shifted: the decoder reads what it should predict | questions 3, 11 |
# | results never end | no EOS after the target, or in the last column of every row | questions 3, 8 |
# | every source gives the same text | the context is not used: the decoder begins with zeros | question 5 |
# | the same symbol again and again | the new state is not passed on to the next step | question 9 |

# %% [markdown]
# | what you see | why | exercise |
# | --- | --- | --- |
# | beam search gives what greedy gives | each beginning got only its best symbol as a child | question 10 |
# | beam search gives very short results | scores are not divided by the length, or raw scores are added, not logarithms | question 10 |
# | accuracy 0.9, but hardly a result is right | single characters were counted, not whole results | question 12 |

# %% [markdown]
# ## Summary
#
# - An encoder turns the source into one vector; a decoder turns it into the target. One loss trains both, end to end.
# - The context can be the first state, or an input at every step, which gives each output a short way back.
# - Teacher forcing shows the true past. Alone, the decoder reads its own; a scheduled mix prepares it.
# - Greedy search takes the best symbol; a beam keeps the best few beginnings.
# - One vector of fixed size is a bottleneck: accuracy falls with the length of the input.
# - One recipe serves many tasks; only the data changes.

# %% [markdown]
# ## How old is this?
#
# Encoder-decoders with recurrent networks come from 2014. By 2016 they were in large translation services, with attention. From 2018 on, Transformers replaced them there: they train in parallel over the positions, and no single vector stands between source and target.

# %% [markdown]
# **What carries over:** the shifted targets, teacher forcing, exposure bias, greedy and beam search, and `source <SEP> target` in one text, which is how today's large language models are asked. "Every task is text to text" is T5's idea (2020).
#
# **What still uses recurrence:** speech recognition on phones (the RNN transducer), where text must come out while sound comes in; and state-space models, which are again one state of fixed size, with the same bottleneck.

# %% [markdown]
# ## Where to go on
#
# - Exercise: [05_seq2seq](../exercises/05_seq2seq/05_seq2seq.ipynb). Questions 1, 2, 4 to 6 and 11 belong to s20, 3 and 7 to 10 to s21, 12 and 13 to s22, 14 to s23, 15 to s24.
# - Next: [lecture 6](06_attention.ipynb) opens the bottleneck.

# %% [markdown]
# Papers:
#
# - Sutskever, Vinyals and Le (2014), *Sequence to Sequence Learning with Neural Networks*: the context as first state.
# - Cho et al. (2014), *Learning Phrase Representations using RNN Encoder-Decoder for Statistical Machine Translation*: the context at every step, and the GRU.
# - Bengio et al. (2015), *Scheduled Sampling for Sequence Prediction with Recurrent Neural Networks*.
# - Zaremba and Sutskever (2014), *Learning to Execute*: sums as text.
# - Raffel et al. (2020), *Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer* (T5).
