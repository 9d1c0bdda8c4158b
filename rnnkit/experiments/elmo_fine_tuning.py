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
BATCH, TESTED_AT_ONCE = 32, 256  # sentences
PRETRAINED, SCRATCH = "from the biLM", "from scratch"
RATES = {PRETRAINED: 0.001, SCRATCH: 0.002}
DROPOUT = 0.3
TENSE, REVIEWS = "tense of the main verb", "for or against a film"
SETS = {TENSE: "ud_english_tense", REVIEWS: "sentence_polarity"}


class _Setting(NamedTuple):
    labels: tuple[int | None, ...]  # None: all
    updates: tuple[int, ...]  # batches that a classifier sees, for each number of labels


FULL = _Setting(labels=(100, 1000, None), updates=(60, 120, 267))
SMALL = _Setting(labels=(8, None), updates=(1, 1))


class Labelled(NamedTuple):
    """Labelled sentences as ids.

    Args:
        ids: `(sentences, time)`, 0 on padding.
        labels: `(sentences,)`, 0 or 1.
    """

    ids: np.ndarray
    labels: np.ndarray


class Task(NamedTuple):
    """A question about sentences, which is answered by yes or no.

    Args:
        words: All words, in the order of their ids from 1.
        train: To learn from.
        test: To measure on.
    """

    words: list[str]
    train: Labelled
    test: Labelled


class BiLMFineTuningResult(NamedTuple):
    """How well sentences are classified, by the number of labels learned from.

    Args:
        labels: For each task, how many labelled sentences.
        accuracy: For each task and each start `(seeds, labels)`: the share of
            test sentences with the right label.
        most_frequent: For each task, the share of test sentences that have the
            more frequent label.
        trainings: What each training took.
    """

    labels: dict[str, tuple[int, ...]]
    accuracy: dict[str, dict[str, np.ndarray]]
    most_frequent: dict[str, float]
    trainings: list[Training]

    def series(self, task: str) -> dict[str, Points]:
        """Accuracy against the number of labels, for `rnnkit.plots.curves`.

        Args:
            task: One of the tasks.
        """
        counts = self.labels[task]
        return {name: points(counts, each) for name, each in self.accuracy[task].items()}


def elmo_fine_tuning(
    seeds: Sequence[int] = SEEDS,
    lab: ElmoLab | None = None,
    fast: bool | None = None,
    quiet: bool = False,
) -> BiLMFineTuningResult:
    """Compare a classifier made from the kit's biLM with the same net from scratch (S38).

    Both are a table of word vectors, the LSTM stacks of the biLM in both
    directions, the mean of each layer over the sentence, and a softmax. One
    starts from the biLM's weights, and the table from what its character layer
    says of each word; the other from random weights, and words that its
    labelled sentences lack are zeros to it. All weights learn.

    Two questions are asked: whether the main verb of a sentence is in the past
    or in the present tense, which a language model must know to go on with a
    sentence; and whether a sentence is for a film or against it, which it need
    not. The biLM has read the training sentences without their labels.

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
    result = BiLMFineTuningResult({}, {}, {}, [])
    for name in SETS:
        task = load_task(name, lab.fast)
        scores = _measure(name, task, lab, seeds, result.trainings, quiet)
        result.accuracy[name] = {start: np.array(each) for start, each in scores.items()}
        counts = (SMALL if lab.fast else FULL).labels
        result.labels[name] = tuple(len(task.train.ids) if n is None else n for n in counts)
        share = float(np.mean(task.test.labels))
        result.most_frequent[name] = max(share, 1 - share)
    return result


def _measure(
    name: str,
    task: Task,
    lab: ElmoLab,
    seeds: Sequence[int],
    trainings: list[Training],
    quiet: bool,
) -> dict[str, list[list[float]]]:
    """The accuracies of a task from each start: for each seed, one for each number of labels."""
    setting = SMALL if lab.fast else FULL
    starts = Starts(lab.bilm, task.words)
    accuracy: dict[str, list[list[float]]] = {PRETRAINED: [], SCRATCH: []}
    for seed in seeds:
        order = np.random.default_rng(seed).permutation(len(task.train.ids))
        for start, scores in accuracy.items():
            scores.append([])
            for count, updates in zip(setting.labels, setting.updates, strict=True):
                chosen = order[:count]
                labelled = Labelled(task.train.ids[chosen], task.train.labels[chosen])
                starts.begin(start, seed, labelled.ids)
                fit = partial(train_for, starts.model, labelled, updates, seed)
                training = timed(f"{name}, {start}", seed, starts.model, fit)
                scores[-1].append(share_right(starts.model, task.test))
            report(training, f"accuracy {np.round(scores[-1], 3)}", quiet)
            trainings.append(training)
    return accuracy


class SentenceClassifier(CourseModel):
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
        # From sentence to sentence a mean differs little; this gives each number of it one size.
        self.scale = keras.layers.BatchNormalization(momentum=0.9)
        self.dropout = keras.layers.Dropout(DROPOUT)
        self.to_logits = keras.layers.Dense(2)
        self.table.build((None, None))
        size = (2 * bilm.options.layers + 1) * bilm.options.projection
        self.scale.build((None, size))
        self.to_logits.build((None, size))
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
        vectors = self.table(ids)
        ahead, back, _ = self.bilm.run(vectors, mask, training=training)
        layers = ops.concatenate([vectors, *ahead, *back], axis=-1)  # (batch, time, all layers)
        real = ops.cast(mask, layers.dtype)[:, :, None]
        mean = ops.sum(layers * real, axis=1) / ops.sum(real, axis=1)
        scaled = self.scale(mean, training=training)
        return self.to_logits(self.dropout(scaled, training=training))


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
            lambda: SentenceClassifier(BiLM(bilm.options, dropout=bilm.dropout), len(self._table)),
            lambda model: model.compile(keras.optimizers.Adam(global_clipnorm=1.0)),
        )
        self.model: SentenceClassifier = self._fresh.model

    def begin(self, start: str, seed: int, labelled: np.ndarray) -> None:
        """Give the classifier its first weights.

        Args:
            start: `PRETRAINED` or `SCRATCH`.
            seed: Of all that is random.
            labelled: `(sentences, time)`: the ids that it will learn from.
        """

        def pretrained(model: SentenceClassifier) -> None:
            model.bilm.set_weights(self._bilm.get_weights())
            model.table.set_weights([self._table])

        def scratch(model: SentenceClassifier) -> None:
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


def train_for(model: keras.Model, labelled: Labelled, updates: int, seed: int) -> None:
    """Train for a number of batches, however few sentences there are."""
    generator = np.random.default_rng(seed)
    order: list[int] = []
    for _ in range(updates):
        while len(order) < BATCH:
            order += generator.permutation(len(labelled.ids)).tolist()
        chosen, order = order[:BATCH], order[BATCH:]
        model.train_on_batch(labelled.ids[chosen], labelled.labels[chosen])


def share_right(model: keras.Model, sentences: Labelled) -> float:
    """The share of sentences with the right label."""
    cuts = range(0, len(sentences.ids), TESTED_AT_ONCE)
    logits = [model.predict_on_batch(sentences.ids[cut : cut + TESTED_AT_ONCE]) for cut in cuts]
    return float(np.mean(np.concatenate(logits).argmax(axis=-1) == sentences.labels))


def load_task(name: str, fast: bool) -> Task:
    """The words and the sentences of a task.

    Args:
        name: `TENSE` or `REVIEWS`.
        fast: Sentences made here in their place: no download.
    """
    parts = []
    for split in ("train", "test"):
        if fast:
            sentences, labels = data.acceptability(40, split, seed=1)[:2]
        else:
            sentences, labels = data.load(SETS[name], split=split, quiet=True)
        words = [each.split() if isinstance(each, str) else each for each in sentences]
        parts.append(([sentence[:LONGEST] for sentence in words], labels))
    known = sorted({word for sentences, _ in parts for sentence in sentences for word in sentence})
    numbers = {word: number for number, word in enumerate(known, start=1)}
    longest = max(len(sentence) for sentences, _ in parts for sentence in sentences)
    train, test = (
        Labelled(
            pad([[numbers[word] for word in sentence] for sentence in sentences], longest)[0],
            np.array(labels),
        )
        for sentences, labels in parts
    )
    return Task(known, train, test)
