"""What the ELMo experiments share: frozen vectors, tasks, and taggers trained on them."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from rnnkit import data
from rnnkit.elmo import BiLM, StaticVectors, load_pretrained
from rnnkit.experiments.elmo_tagger import Arrangement, TaggerTrainer
from rnnkit.experiments.elmo_text import pretraining_text, word2vec
from rnnkit.experiments.training import Training, is_fast, report, timed
from rnnkit.metrics import entity_f1, tag_accuracy

POS, NAMES = "parts of speech", "names"
TAGGING = (POS, NAMES)


class Tagged(NamedTuple):
    """Sentences with a tag for each word.

    Args:
        words: The words of each sentence.
        tags: The tags of each sentence.
    """

    words: list[list[str]]
    tags: list[list[str]]


class TaggingTask(NamedTuple):
    """A task for a tagger.

    Args:
        name: "parts of speech" or "names".
        measure: From predicted tags and right ones to a number.
        train: To learn from.
        valid: To choose settings on.
        test: To measure on.
    """

    name: str
    measure: Callable[[Sequence[Sequence[str]], Sequence[Sequence[str]]], float]
    train: Tagged
    valid: Tagged
    test: Tagged


class Setting(NamedTuple):
    """How large the experiments are.

    Args:
        labels: How many labelled sentences: few, and more.
        updates: About how many batches a tagger sees, with few labels and with more.
        tested: How many test sentences are read at most.
    """

    labels: tuple[int, int]
    updates: tuple[int, int]
    tested: int


FULL = Setting(labels=(100, 1000), updates=(100, 250), tested=1000)
SMALL = Setting(labels=(10, 20), updates=(2, 2), tested=20)


class Outcome(NamedTuple):
    """What became of one trained tagger.

    Args:
        score: On the test part.
        layer_weights: For each place of a mixture the weights of the layers.
    """

    score: float
    layer_weights: dict[str, np.ndarray]


class ElmoLab:
    """Frozen vectors, and what was trained on them: nothing is read or trained twice.

    Give the same lab to several experiments.

    Args:
        bilm: The biLM; by default the one that comes with the kit.
        static: Static vectors; by default word2vec's, trained by gensim on the
            text that the kit's biLM has read, as long as the biLM's vectors
            (about a minute).
        fast: The small setting: it shows how it goes, not what is learned. Its
            sentences are made by the kit, so it needs no download. By default
            where RNNKIT_FAST=1.

    Example:

    >>> from rnnkit.elmo import BiLMOptions
    >>> tiny = BiLM(BiLMOptions(memory=8, projection=4, filters=((1, 4),)))
    >>> lab = ElmoLab(tiny, StaticVectors(["the"], np.ones((1, 5))), fast=True)
    >>> [layers] = lab.layers([["the", "bank"]])
    >>> layers.shape
    (3, 2, 8)
    """

    def __init__(
        self,
        bilm: BiLM | None = None,
        static: StaticVectors | None = None,
        fast: bool | None = None,
    ) -> None:
        self.bilm = load_pretrained() if bilm is None else bilm
        self.fast = is_fast(fast)
        self.setting = SMALL if self.fast else FULL
        self.trainings: list[Training] = []
        self._static = static
        self._read: dict[tuple[str, ...], np.ndarray] = {}
        self._tasks: dict[str, TaggingTask] = {}
        self._trainers: dict[tuple[str, Arrangement], TaggerTrainer] = {}
        self._outcomes: dict[tuple[str, Arrangement, int, int], Outcome] = {}

    @property
    def layer_count(self) -> int:
        """How many layers the biLM has, the token layer counted."""
        return self.bilm.options.layers + 1

    @property
    def static(self) -> StaticVectors:
        """The static vectors; trained when they are first asked for."""
        if self._static is None:
            self._static = word2vec(pretraining_text(), size=2 * self.bilm.options.projection)
        return self._static

    def layers(self, sentences: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """All layers of the biLM, `(layers, words, size)` for each sentence.

        Args:
            sentences: Lists of words.
        """
        keys = [tuple(sentence) for sentence in sentences]
        new = [key for key in dict.fromkeys(keys) if key not in self._read]
        self._read.update(zip(new, self.bilm.embed(new), strict=True))
        return [self._read[key] for key in keys]

    def vectors(
        self, sentences: Sequence[Sequence[str]], layers: Sequence[int]
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """Static vectors and some layers of the biLM, as `TaggerTrainer` takes them.

        Args:
            sentences: Lists of words.
            layers: Which layers.
        """
        chosen = list(layers)
        static = self.static.embed(sentences)
        if not chosen:
            return [(each, np.zeros((0, len(each), 1), dtype="float32")) for each in static]
        read = self.layers(sentences)
        return [(each, own[chosen]) for each, own in zip(static, read, strict=True)]

    def task(self, name: str) -> TaggingTask:
        """A tagging task.

        Args:
            name: "parts of speech" or "names".
        """
        if name not in self._tasks:
            self._tasks[name] = _load_task(name, self.fast)
        return self._tasks[name]

    def tagger(
        self, name: str, arrangement: Arrangement, labels: int, seed: int, quiet: bool = False
    ) -> Outcome:
        """Train a tagger, unless it was trained before, and test it.

        Args:
            name: The task.
            arrangement: What the tagger reads.
            labels: How many labelled sentences it learns from.
            seed: Of the choice of the sentences, and of the training.
            quiet: Print nothing.
        """
        key = (name, arrangement, labels, seed)
        if key not in self._outcomes:
            self._outcomes[key] = self._train_tagger(*key, quiet)
        return self._outcomes[key]

    def _train_tagger(
        self, name: str, arrangement: Arrangement, labels: int, seed: int, quiet: bool
    ) -> Outcome:
        task = self.task(name)
        kinds = sorted({tag for tags in task.train.tags for tag in tags})
        ids = {tag: number for number, tag in enumerate(kinds, start=1)}
        trainer = self._trainer(name, arrangement, len(kinds) + 1)
        chosen = drawn(task.train, labels, seed)
        vectors = self.vectors(chosen.words, arrangement.layers)
        tags = [np.array([ids[tag] for tag in row]) for row in chosen.tags]
        epochs = self._epochs(labels)
        training = timed(
            f"{name}: {arrangement.title}",
            seed,
            trainer.model,
            lambda: trainer.train(vectors, tags, epochs, seed),
        )
        test = Tagged(*(part[: self.setting.tested] for part in task.test))
        score = self.test(trainer, task, test, kinds)
        report(training, f"{labels} labels, {score:.3f}", quiet)
        self.trainings.append(training)
        return Outcome(score, trainer.layer_weights())

    def test(
        self, trainer: TaggerTrainer, task: TaggingTask, part: Tagged, kinds: Sequence[str]
    ) -> float:
        """How good a trained tagger is on some sentences."""
        found = trainer.tag(self.vectors(part.words, trainer.arrangement.layers))
        return task.measure([[kinds[i - 1] for i in row] for row in found], part.tags)

    def _trainer(self, name: str, arrangement: Arrangement, tags: int) -> TaggerTrainer:
        key = (name, arrangement)
        if key not in self._trainers:
            size = 2 * self.bilm.options.projection if arrangement.layers else 1
            self._trainers[key] = TaggerTrainer(arrangement, tags, (self.static.size, size))
        return self._trainers[key]

    def _epochs(self, labels: int) -> int:
        few, _ = self.setting.labels
        updates = self.setting.updates[0 if labels <= few else 1]
        return max(1, round(updates / np.ceil(labels / 32)))


def drawn(part: Tagged, count: int, seed: int) -> Tagged:
    """Some sentences, drawn at random without one coming twice.

    Args:
        part: All sentences.
        count: How many.
        seed: The same seed gives the same sentences, and a larger count more of them.
    """
    order = np.random.default_rng(seed).permutation(len(part.words))[:count]
    return Tagged(*([rows[place] for place in order] for rows in part))


def _f1(predictions: Sequence[Sequence[str]], targets: Sequence[Sequence[str]]) -> float:
    return entity_f1(predictions, targets)["all"].f1


def _load_task(name: str, fast: bool) -> TaggingTask:
    measure = {POS: tag_accuracy, NAMES: _f1}[name]
    if fast:
        made = [data.tagged_sentences(40, split, seed=1) for split in ("train", "valid", "test")]
        parts = [
            Tagged(each.sentences, each.tags if name == POS else each.entities) for each in made
        ]
    else:
        set_name = {POS: "ud_english", NAMES: "wikigold"}[name]
        parts = [
            Tagged(*data.load(set_name, split=split, quiet=True))
            for split in ("train", "valid", "test")
        ]
    return TaggingTask(name, measure, *parts)
