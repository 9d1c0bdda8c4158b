"""A classifier of sentences that starts from the kit's biLM, and one from scratch."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import keras
import numpy as np
from keras import ops

from rnnkit import data
from rnnkit.elmo import BiLM
from rnnkit.elmo.word_vectors import WordVectors
from rnnkit.experiments.elmo_lab import ElmoLab
from rnnkit.experiments.fresh_start import FreshStarts
from rnnkit.experiments.training import Points, Training, check_seeds, points, report, timed
from rnnkit.layers import Tensor
from rnnkit.models.course_model import CourseModel
from rnnkit.text import pad

SEEDS = (0, 1, 2, 3, 4)
LONGEST = 24  # words of a sentence; what stands behind them is not read
BATCH, TESTED_AT_ONCE = 64, 256  # sentences
PRETRAINED, SCRATCH = "from the biLM", "from scratch"
RATES = {PRETRAINED: 0.001, SCRATCH: 0.002}
DROPOUT = 0.3


class _Setting(NamedTuple):
    labels: tuple[int | None, ...]  # None: all
    updates: tuple[int, ...]  # batches that a classifier sees, for each number of labels
    tested: int  # sentences


FULL = _Setting(labels=(100, 1000, None), updates=(60, 120, 267), tested=10_000)
SMALL = _Setting(labels=(8, None), updates=(1, 1), tested=20)


class Reviews(NamedTuple):
    """Labelled sentences as ids.

    Args:
        ids: `(sentences, time)`, 0 on padding.
        labels: `(sentences,)`, 0 or 1.
    """

    ids: np.ndarray
    labels: np.ndarray


class BiLMFineTuningResult(NamedTuple):
    """How well sentences are classified, by the number of labels learned from.

    Args:
        labels: How many labelled sentences.
        accuracy: For each start `(seeds, labels)`: the share of test sentences
            with the right label; chance is 1/2.
        trainings: What each training took.
    """

    labels: tuple[int, ...]
    accuracy: dict[str, np.ndarray]
    trainings: list[Training]

    def series(self) -> dict[str, Points]:
        """Accuracy against the number of labels, for `rnnkit.plots.curves`."""
        return {name: points(self.labels, each) for name, each in self.accuracy.items()}


def elmo_fine_tuning(
    seeds: Sequence[int] = SEEDS,
    lab: ElmoLab | None = None,
    fast: bool | None = None,
    quiet: bool = False,
) -> BiLMFineTuningResult:
    """Compare a classifier made from the kit's biLM with the same net from scratch (S38).

    Both are a table of word vectors, the LSTM stacks of the biLM in both
    directions, the mean and the maximum of their last layer over the sentence,
    and a softmax. One starts from the biLM's weights, and the table from what
    its character layer says of each word; the other from random weights, and
    words that its labelled sentences lack are zeros to it. All weights learn.
    Told is whether a sentence is for a film or against it. The biLM has read
    the training sentences without their labels.

    Taught in unit 07, section s38.

    Args:
        seeds: For each of them labelled sentences, and one training from each start.
        lab: Holds the biLM; by default the kit's.
        fast: The small setting of a new lab: it shows how it goes, not what is learned.
        quiet: Print nothing.

    Returns:
        The accuracies.

    Raises:
        ValueError: There are no seeds.
    """
    seeds = check_seeds(seeds)
    lab = ElmoLab(fast=fast) if lab is None else lab
    setting = SMALL if lab.fast else FULL
    words, train, test = _reviews(lab.fast, setting.tested)
    starts = Starts(lab.bilm, words)
    accuracy: dict[str, list[list[float]]] = {PRETRAINED: [], SCRATCH: []}
    trainings = []
    for seed in seeds:
        order = np.random.default_rng(seed).permutation(len(train.ids))
        for name, scores in accuracy.items():
            scores.append([])
            for count, updates in zip(setting.labels, setting.updates, strict=True):
                chosen = order[:count]
                labelled = Reviews(train.ids[chosen], train.labels[chosen])
                starts.begin(name, seed, labelled.ids)
                fit = partial(train_for, starts.model, labelled, updates, seed)
                training = timed(name, seed, starts.model, fit)
                scores[-1].append(share_right(starts.model, test))
            report(training, f"accuracy {np.round(scores[-1], 3)}", quiet)
            trainings.append(training)
    counts = tuple(len(train.ids) if count is None else count for count in setting.labels)
    measured = {name: np.array(each) for name, each in accuracy.items()}
    return BiLMFineTuningResult(counts, measured, trainings)


class ReviewClassifier(CourseModel):
    """Word vectors, the two LSTM stacks of a biLM, and a softmax over what they say together.

    Args:
        bilm: Gives the stacks, which are trained.
        words: How many rows the table of word vectors has, row 0 being padding.

    Call arguments:
        ids: `(batch, time)`.

    Returns:
        Logits, `(batch, 2)`.
    """

    def __init__(self, bilm: BiLM, words: int) -> None:
        super().__init__()
        self.bilm = bilm
        bilm.characters.trainable = False  # the table has what it says
        self.table = keras.layers.Embedding(words, bilm.options.projection)
        self.dropout = keras.layers.Dropout(DROPOUT)
        self.to_logits = keras.layers.Dense(2)
        self.table.build((None, None))
        self.to_logits.build((None, 4 * bilm.options.projection))  # mean and maximum
        self.build(None)

    def build(self, ids_shape: Any) -> None:
        """Nothing to make: the parts have made their weights."""
        self.built = True

    def default_loss(self) -> Any:
        """`keras.losses.SparseCategoricalCrossentropy`, from logits."""
        return keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def call(self, ids: Tensor, training: bool | None = None) -> Tensor:
        """Logits of each sentence."""
        mask = ops.not_equal(ids, 0)
        ahead, back, _ = self.bilm.run(self.table(ids), mask, training=training)
        last = ops.concatenate([ahead[-1], back[-1]], axis=-1)  # (batch, time, 2 * projection)
        real = ops.cast(mask, last.dtype)[:, :, None]
        mean = ops.sum(last * real, axis=1) / ops.sum(real, axis=1)
        highest = ops.max(last + (real - 1.0) * 1e9, axis=1)
        pooled = self.dropout(ops.concatenate([mean, highest], axis=-1), training=training)
        return self.to_logits(pooled)


class Starts:
    """One classifier, whose graph is made once, and what it can start from.

    Args:
        bilm: What it starts from; it stays as it is.
        words: The words, in the order of their ids from 1.
    """

    def __init__(self, bilm: BiLM, words: Sequence[str]) -> None:
        self._bilm = bilm
        vectors = token_vectors(bilm, words)
        self._table = np.concatenate([np.zeros((1, vectors.shape[1]), "float32"), vectors])
        self._fresh = FreshStarts(
            lambda: ReviewClassifier(BiLM(bilm.options, dropout=bilm.dropout), len(self._table)),
            lambda model: model.compile(keras.optimizers.Adam(global_clipnorm=1.0)),
        )
        self.model: ReviewClassifier = self._fresh.model

    def begin(self, start: str, seed: int, labelled: np.ndarray) -> None:
        """Give the classifier its first weights.

        Args:
            start: `PRETRAINED` or `SCRATCH`.
            seed: Of all that is random.
            labelled: `(sentences, time)`: the ids that it will learn from.
        """

        def pretrained(model: ReviewClassifier) -> None:
            model.bilm.set_weights(self._bilm.get_weights())
            model.table.set_weights([self._table])

        def scratch(model: ReviewClassifier) -> None:
            size = np.sqrt(np.mean(self._table[1:] ** 2))
            table = np.random.default_rng(seed).normal(0, size, self._table.shape)
            table[np.setdiff1d(np.arange(len(table)), labelled)] = 0.0
            model.table.set_weights([table])

        self._fresh.begin(seed, pretrained if start == PRETRAINED else scratch)
        self.model.optimizer.learning_rate = RATES[start]


def token_vectors(bilm: BiLM, words: Sequence[str]) -> np.ndarray:
    """What a biLM's character layer says of each word, `(words, projection)`.

    Args:
        bilm: The biLM.
        words: Any words; none knows another.
    """
    vectors = WordVectors(bilm.characters, bilm.options.max_characters)
    [row], table = vectors.look_up([words])
    return table[row[1:-1]]  # without the marks at both ends


def train_for(model: keras.Model, labelled: Reviews, updates: int, seed: int) -> None:
    """Train for a number of batches, however few sentences there are."""
    generator = np.random.default_rng(seed)
    order: list[int] = []
    for _ in range(updates):
        while len(order) < BATCH:
            order += generator.permutation(len(labelled.ids)).tolist()
        chosen, order = order[:BATCH], order[BATCH:]
        model.train_on_batch(labelled.ids[chosen], labelled.labels[chosen])


def share_right(model: keras.Model, reviews: Reviews) -> float:
    """The share of sentences with the right label."""
    cuts = range(0, len(reviews.ids), TESTED_AT_ONCE)
    logits = [model.predict_on_batch(reviews.ids[cut : cut + TESTED_AT_ONCE]) for cut in cuts]
    return float(np.mean(np.concatenate(logits).argmax(axis=-1) == reviews.labels))


def _reviews(fast: bool, tested: int) -> tuple[list[str], Reviews, Reviews]:
    """The words, and the training and the test part."""
    read: list[tuple[list[list[str]], list[int]]] = []
    for split in ("train", "test"):
        if fast:
            made = data.acceptability(40, split, seed=1)
            read.append((made.sentences, made.labels))
        else:
            real = data.load("sentence_polarity", split=split, quiet=True)
            read.append(([sentence.split() for sentence in real.sentences], real.labels))
    read[1] = (read[1][0][:tested], read[1][1][:tested])
    cut = [[sentence[:LONGEST] for sentence in sentences] for sentences, _ in read]
    words = sorted({word for sentences in cut for sentence in sentences for word in sentence})
    numbers = {word: number for number, word in enumerate(words, start=1)}
    longest = max(len(sentence) for sentences in cut for sentence in sentences)
    both = [
        Reviews(
            pad([[numbers[word] for word in sentence] for sentence in sentences], longest)[0],
            np.array(labels),
        )
        for sentences, (_, labels) in zip(cut, read, strict=True)
    ]
    return words, both[0], both[1]
