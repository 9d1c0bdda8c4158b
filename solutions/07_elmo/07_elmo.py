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
# # Exercise 7: ELMo
#
# In earlier exercises each word had one vector, the same in every sentence. But "play" is a piece for the theatre in one sentence and a part of a football game in another. ELMo gives a word a vector for *each place where it stands*. The vectors come from a bidirectional language model (biLM), which was trained on plain text before, without labels.
#
# **You write** the character ids, the losses of the two language models, the representations of a word, their mixture, the steps that join ELMo to another network, and the search for neighbours. **You are given** a trained biLM, the data and the figures, from the package `rnnkit`. Each question stands alone: if you get stuck in one, go on with the next.
#
# **How it works.** Write your code where it says `YOUR CODE HERE`, and delete the line `raise NotImplementedError()`. The cell below your answer tests it. When a test fails, its last lines say what came out, what was expected, and often which slip gives exactly this. There are also hidden tests; they use other shapes and other numbers. Where you are asked to write a thing, do not call the ready-made one from Keras, `rnnkit` or scikit-learn: the tests notice it. Operations of `keras.ops`, NumPy and TensorFlow are free to use.
#
# 20 points; about 100 minutes. The lecture is [lectures/07_elmo](../../lectures/07_elmo.ipynb).
#
# | symbol | in the code | shape | what it is |
# | --- | --- | --- | --- |
# | $x_k$ | `tokens[k]` | (size,) | the vector of word $k$, made from its characters |
# | $\overrightarrow{h}_{k,j}$ | `forward[j - 1, k]` | (size,) | the output of forward layer $j$ at word $k$ |
# | $\overleftarrow{h}_{k,j}$ | | (size,) | the output of backward layer $j$ at word $k$ |
# | $h_{k,j}$ | `layers[:, j, k]` | (batch, 2 · size) | both directions of layer $j$, joined; $h_{k,0}$ is the token layer |
# | $w$, $s$ | `w` | (layers + 1,) | the scores of the layers, and their softmax |
# | $\gamma$ | `gamma` | a number | scales the mixture |
# | | `mask` | (batch, time) | boolean: True for a real word, False for padding, which stands at the end |

# %% nbgrader={"grade": false, "grade_id": "setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import os

# First, because it tells TensorFlow and Keras how to start.
from rnnkit import checks, data, elmo, layers, metrics, models, plots, text

import keras
import numpy as np
import tensorflow as tf
from keras import ops

# Our own quick tests of this notebook set RNNKIT_FAST=1. Your class is graded in full.
FAST = os.environ.get("RNNKIT_FAST") == "1"
keras.utils.set_random_seed(7)
print("GPUs:", len(tf.config.list_physical_devices("GPU")))
print("Keras", keras.__version__, "- training in the", "short" if FAST else "full", "setting")

# %% [markdown]
# ## Part 1. From characters to the vector of a word
#
# The biLM reads words as characters. So it has a vector for every word, also for a name or a misspelling that it has never met, and words with the same beginning or end look alike to it. See [section s31](../../lectures/07_elmo.ipynb#s31).
#
# ## Question 1. The character ids of a word (1 point)
#
# A word becomes a row of `length` whole numbers:
#
# - first 259, the mark for the beginning of a word;
# - then the bytes of the word in UTF-8, each *raised by 1* (so that 0 stays free for "no word");
# - then 260, the mark for the end of a word;
# - then 261 up to the length, the padding inside a word.
#
# With `length = 6`, "at" has the ids `[259, 98, 117, 260, 261, 261]`.
#
# A row has always `length` ids. Between the two marks there is room for `length - 2` *bytes* (not letters); of a longer word the last bytes are left out, and both marks stay. So with `length = 6`, "café" has the ids `[259, 100, 98, 103, 196, 260]`: it has five bytes, because "é" has two, and the fifth is left out. About 4 lines.
#
# *Hint:* `word.encode()` gives the bytes in UTF-8; `list(...)` of them gives numbers from 0 to 255.

# %% nbgrader={"grade": false, "grade_id": "q1-characters", "locked": false, "schema_version": 3, "solution": true, "task": false}
def word_characters(word, length):
    """word: a string; length: at least 3; returns a list (or an array) of that many integers"""
    ### BEGIN SOLUTION
    inner = [byte + 1 for byte in word.encode()][: length - 2]
    marked = [259, *inner, 260]
    return marked + [261] * (length - len(marked))
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q1-characters-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.word_characters(word_characters)
### BEGIN HIDDEN TESTS
checks.word_characters(word_characters, ["Zürich", "a", "€5", "extraordinarily"], seed=1)
### END HIDDEN TESTS

# %% [markdown]
# Now load the biLM. It is a small one that comes with `rnnkit`: 2 layers in each direction, 64 numbers in each output, trained on one million words of modern English. (The published one has 512 numbers in each output, and read a billion words.)

# %% nbgrader={"grade": false, "grade_id": "load-bilm", "locked": true, "schema_version": 3, "solution": false, "task": false}
bilm = elmo.load_pretrained()
print(f"{bilm.count_params():,} weights")

# %% nbgrader={"grade": false, "grade_id": "token-neighbours", "locked": true, "schema_version": 3, "solution": false, "task": false}
def spelled_alike(word, others):
    """Given: other words, sorted by the cosine of their token vectors with that of a word."""
    ids = np.stack([word_characters(each, 50) for each in [word, *others]])
    vectors = np.asarray(bilm.characters(ids))
    vectors = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return [others[place] for place in np.argsort(-(vectors[1:] @ vectors[0]))]


try:
    words = ["played", "playground", "plane", "theatre", "game", "river", "replay", "pray", "sing"]
    print("words in the order of their token vectors, from 'play':", *spelled_alike("play", words))
except Exception as problem:
    print("Not yet. It needs your function of question 1. What is missing:")
    print(type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## Part 2. Two language models
#
# The forward model reads from left to right and predicts at each position the word *after* it. The backward model reads from right to left and predicts at each position the word *before* it. Neither sees what it should predict.
#
# | position | 0 | 1 | 2 | 3 | 4 |
# | --- | --- | --- | --- | --- | --- |
# | word | `<S>` | the | bank | closed | `</S>` |
# | the forward model predicts | the | bank | closed | `</S>` | |
# | the backward model predicts | | `<S>` | the | bank | closed |
#
# ## Question 2. The losses of both directions (2 points)
#
# $$J_{\rightarrow} = -\frac{1}{N} \sum_k \log p(t_{k+1} \mid t_1 \dots t_k) \qquad
# J_{\leftarrow} = -\frac{1}{N} \sum_k \log p(t_{k-1} \mid t_k \dots t_n)$$
#
# You get the logits of both models at each position of the sentence: in both arrays, position $k$ is what the model predicts when it has read word $k$. Each sum runs over all words of *all* sentences that have a word to predict, and $N$ is the number of these predictions. What stands on padding is neither read nor predicted. About 8 lines. Explained in [section s31](../../lectures/07_elmo.ipynb#s31).
#
# *Hint:* which part of `logits` belongs to which part of `ids`? The first position has no word before it, the last one no word after it. `ops.log_softmax(logits, axis=-1)` does not overflow; `np.take_along_axis(logs, ids[..., None], axis=-1)` takes the log probabilities of some ids.

# %% nbgrader={"grade": false, "grade_id": "q2-losses", "locked": false, "schema_version": 3, "solution": true, "task": false}
def bilm_losses(forward_logits, backward_logits, ids, mask):
    """forward_logits, backward_logits (batch, time, words), ids (batch, time), mask (batch, time);
    returns two numbers: the mean loss of the forward and of the backward model, in nats"""
    ### BEGIN SOLUTION
    def mean_loss(logits, targets):
        logs = np.asarray(ops.log_softmax(logits, axis=-1))
        losses = -np.take_along_axis(logs, targets[..., None], axis=-1)[..., 0]
        return float(losses[mask[:, 1:]].mean())

    forward = mean_loss(forward_logits[:, :-1], ids[:, 1:])
    backward = mean_loss(backward_logits[:, 1:], ids[:, :-1])
    return forward, backward
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q2-losses-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.bilm_losses(bilm_losses)
### BEGIN HIDDEN TESTS
checks.bilm_losses(bilm_losses, batch=2, time=8, seed=1)
checks.bilm_losses(bilm_losses, batch=5, time=5, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# The next cell asks the trained biLM about a few sentences, and about the same words in a random order. From *your* losses it computes the perplexity, $e^J$: among how many words the model is in doubt. A model that takes all 10,000 words for equally probable has a perplexity of 10,000.

# %% nbgrader={"grade": false, "grade_id": "perplexities", "locked": true, "schema_version": 3, "solution": false, "task": false}
ENGLISH = [
    "I have never been to this part of the city .",
    "The film is funny , but it is a little too long .",
    "She told me that she would call the office in the morning .",
    "The president said that the war was over .",
    "What do you think about the new school ?",
    "They played the last game of the season at home .",
    "He was born in New York and died in London .",
    "Thank you for your help , and see you next week .",
]


def both_logits(sentences):
    """The logits of both models, the ids of the words, and the mask; all with sentence marks."""
    training = elmo.load_pretrained_training()  # the biLM with its output layer
    top = np.asarray(training.bilm(elmo.character_ids(sentences)))[:, -1]
    forward, backward = np.split(top, 2, axis=-1)
    kernel, bias = (np.asarray(each) for each in (training.softmax.vectors, training.softmax.bias))
    marked = [["<S>", *words, "</S>"] for words in sentences]
    ids, mask = text.pad([training.words.ids(words).tolist() for words in marked])
    return forward @ kernel.T + bias, backward @ kernel.T + bias, ids, mask


def show_perplexities():
    """Your perplexities of English, and of the same words in another order."""
    sentences = [sentence.split() for sentence in ENGLISH]
    order = np.random.default_rng(7)
    shuffled = [order.permutation(words).tolist() for words in sentences]
    for name, each in {"English": sentences, "the same words, shuffled": shuffled}.items():
        forward, backward = np.exp(bilm_losses(*both_logits(each)))
        print(f"{name:>24}: perplexity {forward:7.1f} forwards, {backward:7.1f} backwards")


try:
    show_perplexities()
except Exception as problem:
    print("Not yet. It needs your function of question 2. What is missing:")
    print(type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## Part 3. All that the biLM knows of a word
#
# A biLM with $L$ layers in each direction gives $2L + 1$ vectors for word $k$:
#
# $$R_k = \{x_k, \overrightarrow{h}_{k,j}, \overleftarrow{h}_{k,j} \mid j = 1 \dots L\}$$
#
# They are joined to $L + 1$ layers of equal size, so that they can be mixed:
#
# $$h_{k,0} = [x_k; x_k] \qquad h_{k,j} = [\overrightarrow{h}_{k,j}; \overleftarrow{h}_{k,j}]$$
#
# ## Question 3. The representations (2 points)
#
# You get, for one sentence without padding, what the parts of the biLM give. The backward model reads the sentence from its end, and its outputs stand in the order *in which it reads*: position 0 of `backward` belongs to the last word. About 4 lines. Explained in [section s32](../../lectures/07_elmo.ipynb#s32).

# %% nbgrader={"grade": false, "grade_id": "q3-representations", "locked": false, "schema_version": 3, "solution": true, "task": false}
def representations(tokens, forward, backward):
    """tokens (time, size), forward (layers, time, size), backward (layers, time, size);
    returns (layers + 1, time, 2 * size): the token layer first, forward halves first"""
    ### BEGIN SOLUTION
    tokens = np.asarray(tokens)
    first = np.concatenate([tokens, tokens], axis=-1)
    others = np.concatenate([forward, np.asarray(backward)[:, ::-1]], axis=-1)
    return np.concatenate([first[None], others])
    ### END SOLUTION

# %% nbgrader={"grade": false, "grade_id": "q3-parts", "locked": true, "schema_version": 3, "solution": false, "task": false}
def parts_of(sentence):
    """Given: what the parts of the biLM give for one sentence, a list of words, with its marks."""
    vectors = bilm.characters(elmo.character_ids([sentence]))  # (1, time, 64)
    ahead, _ = bilm.forward_stack(vectors)
    back, _ = bilm.backward_stack(ops.flip(vectors, axis=1))
    return [np.asarray(part) for part in (vectors[0], ops.stack(ahead)[:, 0], ops.stack(back)[:, 0])]

# %% nbgrader={"grade": true, "grade_id": "q3-representations-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.representations(representations)
bank_sentence = ["We", "sat", "on", "the", "bank", "of", "the", "river", "."]
your_layers = checks.as_array(
    "representations(tokens, forward, backward)", representations(*parts_of(bank_sentence))
)
checks.expect_close(
    "the layers of the trained biLM, without the sentence marks",
    your_layers[:, 1:-1],
    bilm.embed([bank_sentence])[0],
    tolerance=1e-3,
)
### BEGIN HIDDEN TESTS
checks.representations(representations, time=6, layers=4, size=2, seed=1)
checks.representations(representations, time=3, layers=3, size=3, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# The two directions never mix: no forward half depends on a later word, and no backward half on an earlier one. The next cell changes one word, "river" to "city", and shows how much each half of layer 2 changes at each word. (So an exact 0 means: this half has not read the word.)

# %% nbgrader={"grade": false, "grade_id": "never-mix", "locked": true, "schema_version": 3, "solution": false, "task": false}
def show_change(before, after):
    """How far the halves of layer 2 move, word by word."""
    one, other = (np.asarray(representations(*parts_of(words.split())))[2] for words in (before, after))
    moved = np.linalg.norm((one - other).reshape(len(one), 2, -1), axis=-1)  # (time, 2)
    print("  forward  backward")
    for word, (forward, backward) in zip(["<S>", *after.split(), "</S>"], moved):
        print(f"{forward:9.3f} {backward:9.3f}  {word}")


try:
    show_change("We sat on the bank of the river today .", "We sat on the bank of the city today .")
except Exception as problem:
    print("Not yet. It needs your function of question 3. What is missing:")
    print(type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## Part 4. One vector for each word
#
# ## Question 4. The mixture (2 points)
#
# A task needs one vector for each word. ELMo weights the layers, and the task learns the weights:
#
# $$\mathrm{ELMo}_k = \gamma \sum_{j=0}^{L} s_j\, h_{k,j} \qquad s = \mathrm{softmax}(w)$$
#
# Scores can be large (500 and more), so take care that `exp` does not overflow. About 3 lines. Explained in [section s33](../../lectures/07_elmo.ipynb#s33).
#
# Use operations of `keras.ops` (or of TensorFlow) here, not of NumPy: part 5 trains $w$ and $\gamma$ through your function, and the gradient must pass. *Hint:* `ops.softmax` gives $s$ and does not overflow. For the weighted sum, use `ops.einsum`, or bring $s$ into the shape of the layers with `ops.reshape(s, (1, -1, 1, 1))`, multiply, and sum.

# %% nbgrader={"grade": false, "grade_id": "q4-mix", "locked": false, "schema_version": 3, "solution": true, "task": false}
def scalar_mix(layers, w, gamma):
    """layers (batch, layers, time, size), w (layers,), gamma: a number;
    returns (batch, time, size)"""
    ### BEGIN SOLUTION
    s = ops.softmax(w, axis=-1)
    return gamma * ops.einsum("l,blts->bts", s, layers)
    ### END SOLUTION

# %% nbgrader={"grade": false, "grade_id": "q4-given", "locked": true, "schema_version": 3, "solution": false, "task": false}
THREE_LAYERS = tf.reshape(tf.sin(tf.range(24.0)), (1, 3, 2, 4))


def mixture_by_scores(w):
    """Given, for the test: your mixture of three layers, for other w."""
    return scalar_mix(THREE_LAYERS, w, tf.constant(2.0))


def mixture_by_gamma(gamma):
    """Given, for the test: your mixture of three layers, for another gamma, (1,)."""
    return scalar_mix(THREE_LAYERS, tf.constant([0.5, -1.0, 0.2]), gamma[0])

# %% nbgrader={"grade": true, "grade_id": "q4-mix-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.scalar_mix(scalar_mix)
checks.gradient_arrives(mixture_by_scores, [0.5, -1.0, 0.2], "w")
checks.gradient_arrives(mixture_by_gamma, [1.5], "gamma")
### BEGIN HIDDEN TESTS
checks.scalar_mix(scalar_mix, batch=1, layers=2, time=6, size=3, seed=1)
checks.scalar_mix(scalar_mix, batch=4, layers=4, time=4, size=4, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 5. Keep the weights near each other (1 point)
#
# With few labels it can help to keep the layers' weights from running apart. So one adds to the loss of the task
#
# $$\lambda \sum_j w_j^2$$
#
# It is least at $w = 0$, where all layers count the same. A large $\lambda$ (1) makes the mixture nearly the plain mean of the layers; a small one (0.001) lets the weights vary. About 1 line, with `keras.ops` as in question 4. Explained in [section s33](../../lectures/07_elmo.ipynb#s33).

# %% nbgrader={"grade": false, "grade_id": "q5-penalty", "locked": false, "schema_version": 3, "solution": true, "task": false}
def mix_penalty(w, strength):
    """w (layers,); strength: the number lambda; returns one number"""
    ### BEGIN SOLUTION
    return strength * ops.sum(ops.square(w))
    ### END SOLUTION

# %% nbgrader={"grade": false, "grade_id": "q5-given", "locked": true, "schema_version": 3, "solution": false, "task": false}
def penalty_of(w):
    """Given, for the test: your penalty of the scores."""
    return mix_penalty(w, 0.5)

# %% nbgrader={"grade": true, "grade_id": "q5-penalty-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.mix_penalty(mix_penalty)
checks.gradient_arrives(penalty_of, [0.5, -1.0, 0.2], "w")
checks.gradient_arrives(penalty_of, [0.0, 0.0, 0.0], "w")
### BEGIN HIDDEN TESTS
checks.mix_penalty(mix_penalty, seed=1)
checks.mix_penalty(mix_penalty, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# ## Part 5. The recipe
#
# ELMo is made to be put into any network for a task: (1) train the biLM on plain text, (2) freeze it, (3) let it read the sentences of the task and keep all layers, (4) mix them with weights that the task learns, (5) join the mixture to the word's static vector, at the input of the task's recurrent network or at its output. See [section s34](../../lectures/07_elmo.ipynb#s34).
#
# ## Question 6. One batch of all sentences (2 points)
#
# `bilm.embed(sentences)` gives for each sentence an array (layers, words, size), and the sentences differ in length. Put them into one array, with zeros behind the last word of a shorter sentence, and give the mask too. About 7 lines. Explained in [section s34](../../lectures/07_elmo.ipynb#s34).

# %% nbgrader={"grade": false, "grade_id": "q6-batch", "locked": false, "schema_version": 3, "solution": true, "task": false}
def padded_layers(vectors):
    """vectors: a list of arrays (layers, words, size);
    returns two arrays: all layers (batch, layers, longest, size) and the mask (batch, longest)"""
    ### BEGIN SOLUTION
    longest = max(each.shape[1] for each in vectors)
    layers = np.stack(
        [np.pad(each, ((0, 0), (0, longest - each.shape[1]), (0, 0))) for each in vectors]
    )
    lengths = np.array([each.shape[1] for each in vectors])
    return layers, np.arange(longest) < lengths[:, None]
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q6-batch-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.padded_layers(padded_layers)
### BEGIN HIDDEN TESTS
checks.padded_layers(padded_layers, seed=1)
checks.padded_layers(padded_layers, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 7. Where ELMo is joined (2 points)
#
# Let $x_k$ be the static vector of a word, $e_k$ its ELMo vector, and $h_k$ the output of the task's recurrent network at the word:
#
# | `where` | the network reads | the output layer reads |
# | --- | --- | --- |
# | `"none"` | $x_k$ | $h_k$ |
# | `"input"` | $[x_k; e_k]$ | $h_k$ |
# | `"output"` | $x_k$ | $[h_k; e_k]$ |
# | `"both"` | $[x_k; e_k]$ | $[h_k; e_k]$ |
#
# The recurrent network and the output layer are functions that you call: `rnn(inputs, mask)` and `to_logits(inputs)`. About 6 lines, with `keras.ops` as in question 4. Explained in [section s34](../../lectures/07_elmo.ipynb#s34).

# %% nbgrader={"grade": false, "grade_id": "q7-placement", "locked": false, "schema_version": 3, "solution": true, "task": false}
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    """static (batch, time, size), elmo_vectors (batch, time, other size), mask (batch, time);
    rnn(inputs, mask) and to_logits(inputs): functions; where: "none", "input", "output" or "both";
    returns what to_logits returns"""
    ### BEGIN SOLUTION
    inputs = static
    if where in ("input", "both"):
        inputs = ops.concatenate([static, elmo_vectors], axis=-1)
    states = rnn(inputs, mask)
    if where in ("output", "both"):
        states = ops.concatenate([states, elmo_vectors], axis=-1)
    return to_logits(states)
    ### END SOLUTION

# %% nbgrader={"grade": false, "grade_id": "q7-given", "locked": true, "schema_version": 3, "solution": false, "task": false}
def joined_at_input(elmo_vectors):
    """Given, for the test: your logits of two words, for other ELMo vectors (1, 2, size)."""
    words, mask = tf.ones((1, 2, 3)), tf.constant([[True, True]])
    return tagger_logits(words, elmo_vectors, mask, lambda v, mask: tf.tanh(v), tf.sin, "input")


def joined_at_output(elmo_vectors):
    """Given, for the test: the same with the ELMo vectors at the output."""
    words, mask = tf.ones((1, 2, 3)), tf.constant([[True, True]])
    return tagger_logits(words, elmo_vectors, mask, lambda v, mask: tf.tanh(v), tf.sin, "output")

# %% nbgrader={"grade": true, "grade_id": "q7-placement-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.placement(tagger_logits)
checks.gradient_arrives(joined_at_input, [[[0.5, -1.0], [0.2, 0.3]]], "the ELMo vectors")
checks.gradient_arrives(joined_at_output, [[[0.5, -1.0], [0.2, 0.3]]], "the ELMo vectors")
### BEGIN HIDDEN TESTS
checks.placement(tagger_logits, batch=3, time=6, seed=1)
checks.placement(tagger_logits, batch=1, time=2, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# ## Question 8. Freeze the biLM (1 point)
#
# If the biLM reads the sentences before the training, its layers are constants, and no training can move its weights. But a biLM can also be a *part* of the task's model, as in the next cell. Then it must be frozen: training should move the weights of the task (the mixture and the output layer), and no weight of the biLM.
#
# Write `freeze_bilm`, which is called before `compile`. About 1 line. Explained in [section s34](../../lectures/07_elmo.ipynb#s34).

# %% nbgrader={"grade": false, "grade_id": "q8-given", "locked": true, "schema_version": 3, "solution": false, "task": false}
class TaggerOnBiLM(keras.Model):
    """Given: a model with a biLM in it (here a very small one), a mixture and an output layer."""

    def __init__(self):
        super().__init__()
        self.bilm = elmo.BiLM(elmo.BiLMOptions(memory=6, projection=3, filters=((1, 3), (2, 4))))
        self.mix = elmo.ScalarMix(3)
        self.to_logits = keras.layers.Dense(2)

    def call(self, ids):
        return self.to_logits(self.mix(self.bilm(ids)))

# %% nbgrader={"grade": false, "grade_id": "q8-freeze", "locked": false, "schema_version": 3, "solution": true, "task": false}
def freeze_bilm(model):
    """model: a TaggerOnBiLM that is not compiled yet; changes it, and returns nothing"""
    ### BEGIN SOLUTION
    model.bilm.trainable = False
    ### END SOLUTION

# %% nbgrader={"grade": false, "grade_id": "q8-train", "locked": true, "schema_version": 3, "solution": false, "task": false}
def weights_of(model):
    """The weights of the biLM, and those of the task."""
    return model.bilm.get_weights(), model.mix.get_weights() + model.to_logits.get_weights()


def train_two_steps(sentences, tags):
    """Given: makes a model, calls your function, trains it; its weights before and after."""
    keras.utils.set_random_seed(7)
    model = TaggerOnBiLM()
    ids = elmo.character_ids(sentences, max_characters=12)
    model(ids)
    freeze_bilm(model)
    model.compile(
        keras.optimizers.Adam(0.01),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        run_eagerly=True,
    )
    before = weights_of(model)
    for _ in range(2):
        model.train_on_batch(ids, np.array(tags))
    return before, weights_of(model)

# %% nbgrader={"grade": true, "grade_id": "q8-freeze-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
# The tags of the words, with those of the sentence marks.
two_sentences, two_rows_of_tags = [["the", "bank"], ["no", "bank"]], [[0, 1, 0, 0], [0, 0, 1, 0]]
weights_before, weights_after = train_two_steps(two_sentences, two_rows_of_tags)
checks.weights_stay(weights_before[0], weights_after[0], "The weights of the biLM")
checks.weights_move(weights_before[1], weights_after[1], "The weights of the task")
### BEGIN HIDDEN TESTS
weights_before, weights_after = train_two_steps([["play", "it"]], [[1, 0, 1, 0]])
checks.weights_stay(weights_before[0], weights_after[0], "The weights of the biLM")
checks.weights_move(weights_before[1], weights_after[1], "The weights of the task")
### END HIDDEN TESTS

# %% [markdown]
# ### Your recipe, at work
#
# The task: is a word a noun or a verb? The word itself does not tell: each of 24 words ("walk", "play", "order", ...) comes as often as either. And it is tested in *new* contexts. There are few labels: 96 sentences.
#
# As the static vector of a word we take its token vector, which is the same in each sentence. (The published recipe takes GloVe vectors here.)

# %% nbgrader={"grade": false, "grade_id": "tag-data", "locked": true, "schema_version": 3, "solution": false, "task": false}
LABELLED = 96
noun_or_verb = {
    "train": data.nouns_and_verbs(LABELLED, "train", seed=1),
    "test": data.nouns_and_verbs(144, "test", seed=2),
}
TAGS = ["no label", "NOUN", "VERB"]  # the id of a tag is its place
for words, place, label in list(zip(*noun_or_verb["train"]))[:4]:
    print(f"{label}: {words[place]!r} in", " ".join(words))


def tags_of(part):
    """The tag of each sentence's ambiguous word at its place, 0 elsewhere; (sentences, time)."""
    rows = zip(noun_or_verb[part].sentences, noun_or_verb[part].positions, noun_or_verb[part].labels)
    return text.pad(
        [[TAGS.index(label) * (k == place) for k in range(len(words))] for words, place, label in rows]
    )[0]

# %% [markdown]
# The next cell lets the biLM read all sentences once. Then it trains four taggers, one for each placement, with *your* functions of questions 4 to 7 inside. The curves show the accuracy on the new sentences.

# %% nbgrader={"grade": false, "grade_id": "tag-train", "locked": true, "schema_version": 3, "solution": false, "task": false}
TAG_EPOCHS = 2 if FAST else 8
PLACEMENTS = ["none", "input"] if FAST else ["none", "input", "output", "both"]


class YourTagger(keras.Model):
    """A tagger that mixes and joins with your functions."""

    def __init__(self, where):
        super().__init__()
        self.where = where
        mixed = where != "none"
        self.w = self.add_weight(shape=(3,), initializer="zeros", name="w", trainable=mixed)
        self.gamma = self.add_weight(shape=(), initializer="ones", name="gamma", trainable=mixed)
        ahead, back = (
            layers.Recurrence(layers.GRUCell(16), reverse=reverse) for reverse in (False, True)
        )
        self.rnn = layers.Bidirectional(ahead, back)
        self.to_logits = keras.layers.Dense(len(TAGS))

    def call(self, inputs):
        mixed = scalar_mix(inputs["layers"], self.w, self.gamma)
        self.add_loss(mix_penalty(self.w, 0.001))
        return tagger_logits(
            inputs["static"],
            mixed,
            inputs["mask"],
            lambda vectors, mask: self.rnn(vectors, mask=mask)[0],
            self.to_logits,
            self.where,
        )


def inputs_of(part):
    """All layers of all sentences, from your function; the static vectors are the token layer."""
    all_layers, mask = padded_layers(bilm.embed(noun_or_verb[part].sentences))
    all_layers = np.asarray(all_layers, dtype="float32")
    return {"layers": all_layers, "static": all_layers[:, 0, :, :64], "mask": np.asarray(mask)}


def train_placements():
    """The accuracy on new sentences after each epoch, for each placement."""
    inputs, tags = {part: inputs_of(part) for part in noun_or_verb}, tags_of("train")
    gold = tags_of("test")
    curves = {}
    for where in PLACEMENTS:
        keras.utils.set_random_seed(7)
        tagger = YourTagger(where)
        tagger(inputs["test"])  # makes the weights
        tagger.compile(
            keras.optimizers.Adam(0.01), loss=models.masked_cross_entropy, jit_compile=False
        )
        tagger.optimizer.build(tagger.trainable_variables)
        curves[f"ELMo: {where}"] = points = []
        for epoch in range(1, TAG_EPOCHS + 1):
            tagger.fit(inputs["train"], tags, batch_size=16, epochs=1, verbose=0)
            logits = np.asarray(tagger(inputs["test"]))
            found = logits[gold > 0][:, 1:].argmax(axis=-1) + 1
            points.append((epoch, float(np.mean(found == gold[gold > 0]))))
        print(f"ELMo: {where:>6}: {points[-1][1]:.3f} of the new words are right")
    return plots.curves(
        curves, x_label="epochs", y_label="accuracy on new contexts", chance=0.5, y_limits=(0.4, 1.03)
    )


try:
    display(train_placements())
except Exception as problem:
    print("Not yet. It needs your functions of questions 4 to 7, in keras.ops. What is missing:")
    print(type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## Part 6. What is in which layer?
#
# ## Question 9. Nearest neighbours (1 point)
#
# How alike are two vectors? Take the cosine of the angle between them:
#
# $$\cos(u, v) = \frac{u \cdot v}{\lVert u \rVert\, \lVert v \rVert}$$
#
# Find the rows of `vectors` that are nearest to `query`. The query is not one of the rows, so you need not leave any row out. About 4 lines. Explained in [section s30](../../lectures/07_elmo.ipynb#s30).

# %% nbgrader={"grade": false, "grade_id": "q9-nearest", "locked": false, "schema_version": 3, "solution": true, "task": false}
def nearest(query, vectors, count):
    """query (size,), vectors (n, size), no vector is zero; returns the indices of the `count` rows
    with the largest cosine, the nearest first"""
    ### BEGIN SOLUTION
    norms = np.linalg.norm(vectors, axis=-1) * np.linalg.norm(query)
    return np.argsort(-(vectors @ query) / norms)[:count]
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q9-nearest-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
checks.nearest(nearest)
### BEGIN HIDDEN TESTS
checks.nearest(nearest, count=3, seed=1)
checks.nearest(nearest, count=6, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# Now look for the neighbours of "play", and of two other words. A static vector has one list of neighbours, whatever the sentence is. (Ours is made from characters: near "play" stand words that are *spelled* alike, such as "pay" and "plays". No other word here is spelled like "bank", and its list says little. The neighbours that GloVe gives are alike in meaning, but they mix all meanings of the word.) For the contextual vectors, we ask with the word *in a sentence*, and search among all words of some other sentences. Each row shows a neighbour in its sentence, the nearest first. Our biLM is small: look whether the first neighbour has the meaning of the query, and what the next ones share with it. See [section s36](../../lectures/07_elmo.ipynb#s36).

# %% nbgrader={"grade": false, "grade_id": "neighbours", "locked": true, "schema_version": 3, "solution": false, "task": false}
QUERIES = [
    ("play", "The team scored on the last play of the game ."),
    ("play", "They saw a play at the theatre ."),
    ("play", "The children play in the garden ."),
    ("bank", "The bank asked for the money ."),
    ("bank", "They built a house on the bank of the lake ."),
]
searched = [
    *data.word_senses(96, "train", seed=1).sentences,
    *data.nouns_and_verbs(150, "train", seed=1).sentences,
]
searched_words = [(number, k) for number, words in enumerate(searched) for k in range(len(words))]


def in_sentence(number, place):
    """A word in its sentence, between two stars."""
    words = list(searched[number])
    words[place] = f"*{words[place]}*"
    return " ".join(words)


def show_neighbours():
    """The neighbours of each query: by its token vector, and by layer 2 in its sentence."""
    vectors = np.concatenate(bilm.embed(searched), axis=1)  # (3, words, 128)
    told = set()
    for word, sentence in QUERIES:
        words = sentence.split()
        query = bilm.embed([words])[0][:, words.index(word)]
        if word not in told:
            told.add(word)
            found = nearest(query[0], vectors[0], 120)
            names = dict.fromkeys(searched[number][k] for number, k in (searched_words[row] for row in found))
            others = [name for name in names if name != word]
            print(f"\n{word!r}, static:", ", ".join(others[:6]))
        print(f"{word!r} in: {sentence}")
        for row in nearest(query[2], vectors[2], 3):
            print("      ", in_sentence(*searched_words[row]))


try:
    show_neighbours()
except Exception as problem:
    print("Not yet. It needs your function of question 9. What is missing:")
    print(type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## Question 10. The nearest meaning (2 points)
#
# A simple way to tell the meaning of a word in a sentence: average the vectors of all known examples of each meaning, and choose the meaning whose *mean vector* has the largest cosine with the new vector. Nothing is trained, so the result shows what is in the vectors themselves. About 6 lines. Explained in [section s35](../../lectures/07_elmo.ipynb#s35).

# %% nbgrader={"grade": false, "grade_id": "q10-meaning", "locked": false, "schema_version": 3, "solution": true, "task": false}
def nearest_meaning(known, meanings, vectors):
    """known (n, size), meanings (n,): the meaning of each known vector, whole numbers;
    vectors (m, size); returns the meaning of each of them, (m,)"""
    ### BEGIN SOLUTION
    labels = np.unique(meanings)
    means = np.stack([known[meanings == label].mean(axis=0) for label in labels])
    means = means / np.linalg.norm(means, axis=-1, keepdims=True)
    return labels[np.argmax(vectors @ means.T, axis=-1)]  # the norm of a vector changes no order
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "q10-meaning-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
checks.nearest_meaning(nearest_meaning)
### BEGIN HIDDEN TESTS
checks.nearest_meaning(nearest_meaning, size=6, seed=1)
checks.nearest_meaning(nearest_meaning, size=9, seed=2)
### END HIDDEN TESTS

# %% [markdown]
# With your function, the next cell measures each layer on two tasks. *Syntax*: is the word a noun or a verb? *Meaning*: which of the two meanings of a noun is it, such as the bank of a river or one for money? In both tasks the word alone gives 1/2, and the contexts are new. (Each of two sets of sentences is once the known one and once the new one; the table shows the mean.) See [section s35](../../lectures/07_elmo.ipynb#s35).

# %% nbgrader={"grade": false, "grade_id": "layers-measure", "locked": true, "schema_version": 3, "solution": false, "task": false}
TASKS = {
    "noun or verb": [data.nouns_and_verbs(LABELLED, "train", seed=1), data.nouns_and_verbs(144, "test", seed=2)],
    "meaning of a noun": [data.word_senses(96, "train", seed=1), data.word_senses(72, "test", seed=2)],
}


def vectors_at(sentences):
    """All layers of the ambiguous word of each sentence, (3, sentences, 128)."""
    read = zip(bilm.embed(sentences.sentences), sentences.positions)
    return np.stack([vectors[:, place] for vectors, place in read], axis=1)


def the_words(sentences):
    """The ambiguous word of each sentence."""
    return np.array([words[place] for words, place in zip(sentences.sentences, sentences.positions)])


def layer_accuracy(layer, known, new):
    """The share of new words whose nearest meaning is right, each word among its own meanings."""
    right = []
    labels = sorted(set(known.labels))
    ids, new_ids = (np.array([labels.index(each) for each in part.labels]) for part in (known, new))
    vectors, new_vectors = vectors_at(known)[layer], vectors_at(new)[layer]
    for word in sorted(set(the_words(known)) & set(the_words(new))):
        here, there = the_words(known) == word, the_words(new) == word
        found = np.asarray(nearest_meaning(vectors[here], ids[here], new_vectors[there]))
        right += (found == new_ids[there]).tolist()
    return float(np.mean(right))


def measure_layers():
    """A table of accuracies."""
    names = ["token layer", "layer 1", "layer 2"]
    print(f"{'':>18}", *(f"{name:>12}" for name in names))
    for task, parts in TASKS.items():
        both_ways = [parts, parts[::-1]]
        means = [np.mean([layer_accuracy(layer, *each) for each in both_ways]) for layer in range(3)]
        print(f"{task:>18}", *(f"{mean:12.3f}" for mean in means))


try:
    measure_layers()
except Exception as problem:
    print("Not yet. It needs your function of question 10. What is missing:")
    print(type(problem).__name__, str(problem)[:300])

# %% [markdown]
# In the paper on ELMo, layer 1 was better for parts of speech (97.3 % against 96.8 %), and layer 2 for meanings (69.0 % against 67.4 %). Such differences are small, and with our small biLM and few sentences they can also go the other way. The step from the token layer to the others is large.
#
# And which layers does a task choose when it learns the weights? The next cell trains your mixture with a plain output layer, for both tasks and for two $\lambda$, and shows the weights $s$ of the layers. See [section s37](../../lectures/07_elmo.ipynb#s37).

# %% nbgrader={"grade": false, "grade_id": "layers-learn", "locked": true, "schema_version": 3, "solution": false, "task": false}
MIX_STEPS = 30 if FAST else 300
STRENGTHS = [0.001] if FAST else [1, 0.001]


def learn_mixture(known, strength):
    """The softmax weights of the layers that a task learns with your mixture and penalty."""
    keras.utils.set_random_seed(7)
    labels = sorted(set(known.labels))
    ids = tf.constant([labels.index(each) for each in known.labels])
    vectors = tf.constant(vectors_at(known).swapaxes(0, 1)[:, :, None])  # (sentences, 3, 1, 128)
    w, gamma = keras.Variable(np.zeros(3, "float32")), keras.Variable(1.0)
    output = keras.layers.Dense(len(labels))
    output.build((None, 128))
    optimizer = keras.optimizers.Adam(0.02)
    learned = [w, gamma, *output.trainable_weights]
    optimizer.build(learned)

    @tf.function(autograph=False)
    def step():
        with tf.GradientTape() as tape:
            logits = output(scalar_mix(vectors, w.value, gamma.value)[:, 0])
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(ids, logits)
            loss = tf.reduce_mean(losses) + mix_penalty(w.value, strength)
        optimizer.apply(tape.gradient(loss, [each.value for each in learned]), learned)

    for _ in range(MIX_STEPS):
        step()
    return np.asarray(ops.softmax(w)).tolist()


try:
    weights = {
        f"{task}, λ={strength}": learn_mixture(parts[0], strength)
        for task, parts in TASKS.items()
        for strength in STRENGTHS
    }
    display(plots.layer_weights(weights))
except Exception as problem:
    print("Not yet. It needs your functions of questions 4 and 5, in keras.ops. What is missing:")
    print(type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## Question 11. Layers and tasks (1 point)
#
# Answer in two to four sentences, with numbers from your own tables: **(a)** Why has the token layer an accuracy of exactly 1/2 in both tasks, and what can layers 1 and 2 use that it cannot? **(b)** What does a large $\lambda$ do to the weights of the layers, and why does a task then still profit from ELMo?

# %% [markdown] nbgrader={"grade": true, "grade_id": "q11-layers", "locked": false, "points": 1, "schema_version": 3, "solution": true, "task": false}
# ### BEGIN SOLUTION
# **(a)** The token layer is made of the characters of the word alone, so a word has the same vector in each sentence and always gets the same answer; each word comes as often as either, so half of the answers are right. Layers 1 and 2 have read the words before (forward half) and after it (backward half): for noun or verb nearly all answers are right, and for the meaning about 7 of 10. **(b)** With λ = 1 the weights stay at about 1/3 each, so that the mixture is the mean of the layers; with λ = 0.001 they differ, and the upper layers get more than the token layer or more than each other. The mean still holds what layers 1 and 2 know, and the output layer (and γ) can use it.
#
# *Marking guide.* Half a point for (a): the token vector is the same in each sentence (no context) and the labels are balanced; the other layers know the context on both sides; numbers from the student's own table. Half a point for (b): a large λ keeps the weights equal (an average), and an average still contains the upper layers.
# ### END SOLUTION

# %% [markdown]
# ## Part 7. Fine-tune a language model
#
# ELMo keeps the language model frozen and takes vectors out of it. There is another way to use what a language model has learned: make a *classifier* of it and go on training all of its weights. See [section s38](../../lectures/07_elmo.ipynb#s38).
#
# ## Question 12. Start from a language model (1 point)
#
# A `models.LanguageModel` has an `embedding` and a list `recurrences`; a `models.SequenceClassifier` has the same layers in its `encoder`: `classifier.encoder.embedding` and `classifier.encoder.recurrences`. Copy the weights of all these layers from the language model to the classifier. The output layer of the classifier stays new, and the language model must stay as it is, also when the classifier is trained later.
#
# Write it with `get_weights` and `set_weights`, and not with `from_language_model`. About 3 lines.

# %% nbgrader={"grade": false, "grade_id": "q12-start", "locked": false, "schema_version": 3, "solution": true, "task": false}
def start_from(language_model, classifier):
    """Copies the embedding and the recurrent layers; returns nothing"""
    ### BEGIN SOLUTION
    encoder = classifier.encoder
    encoder.embedding.set_weights(language_model.embedding.get_weights())
    for new, trained in zip(encoder.recurrences, language_model.recurrences):
        new.set_weights(trained.get_weights())
    ### END SOLUTION

# %% nbgrader={"grade": false, "grade_id": "q12-given", "locked": true, "schema_version": 3, "solution": false, "task": false}
def weights_by_layer(owner):
    """The weights of the embedding and of each recurrent layer."""
    parts = {"the embedding": owner.embedding}
    parts.update({f"recurrent layer {n}": each for n, each in enumerate(owner.recurrences, 1)})
    return {name: part.get_weights() for name, part in parts.items()}


def after_start(cell, depth):
    """Given: makes two small models, calls your function, and returns the weights of both."""
    keras.utils.set_random_seed(7)
    sizes = {"units": 5, "embedding": 4, "cell": cell, "layers": depth}
    language_model = models.LanguageModel(9, **sizes)
    for weight in language_model.weights:  # as if the language model had been trained
        weight.assign_add(keras.random.normal(weight.shape))
    classifier = models.SequenceClassifier(9, classes=2, directions="forward", **sizes)
    result = {
        "wanted": weights_by_layer(language_model),
        "before": weights_by_layer(classifier.encoder),
        "output before": classifier.to_logits.get_weights(),
    }
    start_from(language_model, classifier)
    result["copied"] = weights_by_layer(classifier.encoder)
    result["output after"] = classifier.to_logits.get_weights()
    result["frozen"] = {
        name: len(model.non_trainable_weights)
        for name, model in {"language model": language_model, "classifier": classifier}.items()
    }
    for weight in classifier.encoder.weights:  # as if the classifier were trained
        weight.assign(0.5 * weight)
    result["language model later"] = weights_by_layer(language_model)
    return result

# %% nbgrader={"grade": true, "grade_id": "q12-start-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
def check_start(cell, depth):
    """Every weight of the classifier's encoder is that of the language model."""
    try:
        found = after_start(cell, depth)
    except ValueError as problem:
        if "new elements of state" not in str(problem):
            raise
        raise AssertionError(
            "start_from puts other layers into the classifier, which Keras refuses; and both models "
            "would then share and train the same weights. Keep the layers of the classifier and copy "
            "the numbers: new_layer.set_weights(trained_layer.get_weights())."
        ) from problem
    for name, wanted in found["wanted"].items():
        later = found["language model later"][name]
        assert all(np.array_equal(a, b) for a, b in zip(wanted, later)), (
            f"{name} of the language model has changed. The numbers go from the language model to "
            "the classifier; the language model stays as it is, also when the classifier is trained."
        )
        for number, array in enumerate(wanted):
            checks.expect_close(
                f"{name} of the classifier, array {number + 1} of its weights",
                found["copied"][name][number],
                array,
                {
                    "These are still its first random numbers: nothing was copied into it.": (
                        found["before"][name][number]
                    )
                },
            )
    for model, frozen in found["frozen"].items():
        assert frozen == 0, (
            f"{frozen} arrays of weights of the {model} are frozen. Copy the numbers only: all weights "
            "of the classifier are trained later, and the language model stays as it is."
        )
    output_layers = zip(found["output before"], found["output after"])
    assert all(np.array_equal(a, b) for a, b in output_layers), (
        "The output layer of the classifier has changed. Copy the embedding and the recurrent "
        "layers only: the output layer keeps the numbers that it has."
    )


check_start("lstm", 1)
### BEGIN HIDDEN TESTS
check_start("gru", 2)
### END HIDDEN TESTS

# %% [markdown]
# Now a task: is a sentence grammatical? (The same as in exercise 4.) There are many sentences without labels, and few with labels. The next cell trains a language model on the plain ones.

# %% nbgrader={"grade": false, "grade_id": "judge-data", "locked": true, "schema_version": 3, "solution": false, "task": false}
LABELS = 100
LM_SENTENCES, LM_EPOCHS = (4000, 6) if FAST else (8000, 10)
JUDGE_EPOCHS = 30 if FAST else 60


def joined(sentences):
    """Lists of words as texts."""
    return [" ".join(words) for words in sentences]


plain = data.acceptability(2 * LM_SENTENCES, "train", seed=1)
plain_texts = joined(words for words, label in zip(plain.sentences, plain.labels) if label == 1)
judged_vocabulary = text.Vocabulary.from_texts(plain_texts, text.words, " ")
train_judged = data.acceptability(LABELS, "train", seed=100)
new_judged = data.acceptability(1000, "test", seed=2)


def encode_judged(sentences):
    """Ids (sentences, time) with the marks of begin and end, and labels (sentences,)."""
    ids, _ = judged_vocabulary.encode(joined(sentences.sentences), bos=True, eos=True)
    return ids, np.array(sentences.labels)


judged_ids, judged_labels = encode_judged(train_judged)
print(len(plain_texts), "sentences without labels,", len(judged_labels), "with labels:")
for words, label in list(zip(train_judged.sentences, train_judged.labels))[:4]:
    print(f"{label}  {' '.join(words)}")

# %% nbgrader={"grade": false, "grade_id": "judge-lm", "locked": true, "schema_version": 3, "solution": false, "task": false}
keras.utils.set_random_seed(7)
language_model = models.LanguageModel(len(judged_vocabulary), units=64, embedding=32)
language_model.compile(
    keras.optimizers.Adam(0.003, global_clipnorm=1.0), loss=models.masked_cross_entropy
)
plain_ids, _ = judged_vocabulary.encode(plain_texts, bos=True, eos=True)
language_model.fit(
    plain_ids[:, :-1],
    plain_ids[:, 1:],
    batch_size=64,
    epochs=LM_EPOCHS,
    verbose=0,
    callbacks=[plots.TrainingCurve("Language model")],
);

# %% [markdown]
# ## Question 13. Fine-tune it (1 point)
#
# Make a classifier of `language_model` and train it on `judged_ids` and `judged_labels`. Call it `judge`.
#
# - `models.SequenceClassifier.from_language_model(language_model, classes=2)` makes a classifier that starts from the language model, as in question 12.
# - Compile it with `keras.optimizers.Adam(0.003, global_clipnorm=1.0)`; the right loss is there by itself. Train all weights, those of the language model too, for `JUDGE_EPOCHS` epochs with `batch_size=32` and `verbose=0`. Pass `callbacks=[plots.TrainingCurve("Fine-tuning")]` to watch the loss fall.
#
# The test asks the model about new sentences: Matthews's correlation coefficient (MCC, see exercise 4) must be at least 0.55 (0.35 in the short setting, which trains less). About 5 lines. Explained in [section s38](../../lectures/07_elmo.ipynb#s38).

# %% nbgrader={"grade": false, "grade_id": "q13-tune", "locked": false, "schema_version": 3, "solution": true, "task": false}
### BEGIN SOLUTION
judge = models.SequenceClassifier.from_language_model(language_model, classes=2)
judge.compile(keras.optimizers.Adam(0.003, global_clipnorm=1.0))
judge.fit(
    judged_ids,
    judged_labels,
    batch_size=32,
    epochs=JUDGE_EPOCHS,
    verbose=0,
    callbacks=[plots.TrainingCurve("Fine-tuning")],
);
### END SOLUTION

# %% nbgrader={"grade": false, "grade_id": "q13-given", "locked": true, "schema_version": 3, "solution": false, "task": false}
def weights_of_both():
    """Given, for the test: the weights of judge's layers, and those of the language model."""
    if not isinstance(judge, models.SequenceClassifier):
        return None  # a model of your own, whose layers have other names
    parts = [weights_by_layer(owner).values() for owner in (judge.encoder, language_model)]
    return [[array for arrays in each for array in arrays] for each in parts]

# %% nbgrader={"grade": true, "grade_id": "q13-tune-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
def check_judge(inputs, labels):
    """judge has started from the language model, was trained, and knows new sentences."""
    checks.predicts(
        judge,
        inputs,
        labels,
        at_least=0.35 if FAST else 0.55,
        score="mcc",
        what="judge",
        trained_on=(judged_ids, judged_labels),
        pretrained=weights_of_both(),
    )
    own, first = weights_of_both() or ([], [])
    if [array.shape for array in own] == [array.shape for array in first]:
        checks.weights_move(first, own, "judge's weights from the language model")


check_judge(*encode_judged(new_judged))
### BEGIN HIDDEN TESTS
check_judge(*encode_judged(data.acceptability(1000, "test", seed=3)))
### END HIDDEN TESTS

# %% [markdown]
# For comparison, the next cell trains the same network on the same labels, from scratch.

# %% nbgrader={"grade": false, "grade_id": "judge-compare", "locked": true, "schema_version": 3, "solution": false, "task": false}
def mcc(model):
    """Matthews's correlation on the test sentences."""
    ids, labels = encode_judged(new_judged)
    return metrics.matthews(np.asarray(model(ids)).argmax(axis=-1).tolist(), labels.tolist())


keras.utils.set_random_seed(7)
from_scratch = models.SequenceClassifier(
    len(judged_vocabulary), classes=2, units=64, embedding=32, directions="forward"
)
from_scratch.compile(keras.optimizers.Adam(0.003, global_clipnorm=1.0))
from_scratch.fit(judged_ids, judged_labels, batch_size=32, epochs=JUDGE_EPOCHS, verbose=0)
print(f"{LABELS} labels, from scratch:          MCC {mcc(from_scratch):.2f}")
try:
    print(f"{LABELS} labels, from a language model: MCC {mcc(judge):.2f}")
except Exception as problem:
    print("Not yet. Train judge in question 13 first:", type(problem).__name__, str(problem)[:300])

# %% [markdown]
# ## Question 14. Two ways to use a language model (1 point)
#
# Answer in two to four sentences, with numbers of your own: **(a)** The loss of the network from scratch falls to nearly 0 on its 100 sentences. Why is its MCC on new sentences still so low, and what did the other classifier know before it saw a label? **(b)** Name one advantage of ELMo's way (frozen) over fine-tuning, and one of fine-tuning over ELMo's way.

# %% [markdown] nbgrader={"grade": true, "grade_id": "q14-two-ways", "locked": false, "points": 1, "schema_version": 3, "solution": true, "task": false}
# ### BEGIN SOLUTION
# **(a)** A network with 30,000 weights can learn 100 sentences by heart, and what it has learned does not hold for others (MCC about 0.2, and about 0.9 with the language model). The language model has read thousands of grammatical sentences: to predict the next word it had to learn which words belong together, and which form of the verb follows a subject some words back. Few labels are enough to turn this into a judgement. **(b)** Frozen: each sentence is read once and its vectors are kept, so that training is cheap, the biLM stays as it is for all tasks, and few weights are learned, so less is learned by heart. Fine-tuning: all weights can fit themselves to the task, and no second network is needed.
#
# *Marking guide.* Half a point for (a): learned by heart (overfitting) with own numbers, and that the language model already knows word order or agreement from plain text. Half a point for (b): one sensible advantage each way.
# ### END SOLUTION

# %% [markdown]
# ## That is all
#
# Before you hand in: *Kernel → Restart Kernel and Run All Cells*, and look through your answers once more. Then press *Validate*.
