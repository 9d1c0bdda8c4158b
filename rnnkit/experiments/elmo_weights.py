"""How much each task takes from each layer of a biLM."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import keras
import numpy as np
from keras import ops

from rnnkit import data
from rnnkit.elmo import ScalarMix
from rnnkit.experiments.elmo_lab import TAGGING, ElmoLab
from rnnkit.experiments.elmo_layers import PSEUDOWORDS, merged_words
from rnnkit.experiments.elmo_tagger import Arrangement, side_by_side
from rnnkit.experiments.elmo_tagging import SMALL as SMALL_LAMBDA
from rnnkit.experiments.fresh_start import FreshStarts
from rnnkit.experiments.training import check_seeds
from rnnkit.models.course_model import CourseModel

SEEDS = (0, 1, 2, 3, 4)
FILMS = "for or against a film"
RATE, BATCH = 0.01, 32


class _Setting(NamedTuple):
    examples: int
    updates: int


FULL = _Setting(examples=1000, updates=300)
SMALL = _Setting(examples=20, updates=2)


class LayerWeightsResult(NamedTuple):
    """What tasks have learned of the layers.

    Args:
        weights: For each task `(seeds, layers)`, rows with a sum of 1.
    """

    weights: dict[str, np.ndarray]

    def means(self) -> dict[str, list[float]]:
        """The mean over the seeds, for `rnnkit.plots.layer_weights`."""
        return {task: each.mean(axis=0).tolist() for task, each in self.weights.items()}

    def series(self) -> dict[str, list[tuple[float, list[float]]]]:
        """Weight against layer, a curve for each task, for `rnnkit.plots.curves`."""
        return {
            task: [(number, column.tolist()) for number, column in enumerate(each.T)]
            for task, each in self.weights.items()
        }


def elmo_layer_weights(
    seeds: Sequence[int] = SEEDS,
    lab: ElmoLab | None = None,
    fast: bool | None = None,
    quiet: bool = False,
) -> LayerWeightsResult:
    """Measure which layers four tasks learn to take, with a small λ (S37).

    Parts of speech and names are tagged by an LSTM with ELMo at its input and
    its output. Whether a sentence is for a film or against it is read by a
    linear softmax from the mean of the mixed vectors of its words; which word a
    pseudoword was (see `elmo_layer_probes`), from the mixed vector at it.

    Taught in unit 07, section s37.

    Args:
        seeds: As in `elmo_gain`.
        lab: The vectors; by default those of the kit's biLM.
        fast: The small setting of a new lab: it shows how it goes, not what is learned.
        quiet: Print nothing.

    Returns:
        The weights.

    Raises:
        ValueError: There are no seeds.
    """
    seeds = check_seeds(seeds)
    lab = ElmoLab(fast=fast) if lab is None else lab
    both = Arrangement(tuple(range(lab.layer_count)), ("input", "output"))
    weights: dict[str, np.ndarray] = {}
    for task in TAGGING:
        outcomes = [lab.tagger(task, both, lab.setting.labels[-1], seed, quiet) for seed in seeds]
        for place in both.places:
            weights[f"{task}, {place}"] = np.array([each.layer_weights[place] for each in outcomes])
    setting = SMALL if lab.fast else FULL
    for task, examples in (
        (FILMS, _films(lab, setting.examples)),
        (PSEUDOWORDS, _pseudowords(lab, setting.examples)),
    ):
        weights[task] = _mixtures(examples, setting.updates, seeds)
    if not quiet:
        for task, each in weights.items():
            print(f"{task}: {np.round(each.mean(axis=0), 3)}", flush=True)
    return LayerWeightsResult(weights)


class _Examples(NamedTuple):
    layers: np.ndarray  # (examples, layers, time, size)
    mask: np.ndarray  # (examples, time)
    labels: np.ndarray  # (examples,)


class MeanOfMixture(CourseModel):
    """A linear softmax over the mean of the mixed vectors."""

    def __init__(self, layers: int, size: int, classes: int) -> None:
        super().__init__()
        self.mix = ScalarMix(layers, regularization=SMALL_LAMBDA)
        self.to_logits = keras.layers.Dense(classes)
        self.to_logits.build((None, size))
        self.build(None)

    def build(self, inputs_shape: Any) -> None:
        """Nothing to make: the parts have made their weights."""
        self.built = True

    def default_loss(self) -> Any:
        """`keras.losses.SparseCategoricalCrossentropy`, from logits."""
        return keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def call(self, inputs: Any) -> Any:
        """`(batch, layers, time, size)` and `(batch, time)` to logits."""
        layers, mask = inputs
        real = ops.cast(mask, "float32")[:, :, None]
        return self.to_logits(ops.sum(self.mix(layers) * real, axis=1) / ops.sum(real, axis=1))


def _mixtures(examples: _Examples, updates: int, seeds: Sequence[int]) -> np.ndarray:
    """The layers' weights that a training for each seed ends with."""
    _, layers, _, size = examples.layers.shape
    classes = int(examples.labels.max()) + 1
    starts = FreshStarts(
        lambda: MeanOfMixture(layers, size, classes),
        lambda model: model.compile(keras.optimizers.Adam(RATE)),
    )
    found = []
    for seed in seeds:
        starts.begin(seed)
        generator = np.random.default_rng(seed)
        for _ in range(updates):
            chosen = generator.permutation(len(examples.labels))[:BATCH]
            batch = [examples.layers[chosen], examples.mask[chosen]]
            starts.model.train_on_batch(batch, examples.labels[chosen])
        found.append(starts.model.mix.layer_weights())
    return np.array(found)


def _films(lab: ElmoLab, count: int) -> _Examples:
    if lab.fast:
        made = data.acceptability(count, "train", seed=1)
        sentences, labels = made.sentences, made.labels
    else:
        real = data.load("sentence_polarity", split="train", quiet=True)
        sentences, labels = [each.split() for each in real.sentences[:count]], real.labels[:count]
    read = [(np.zeros((len(each[0]), 1)), each) for each in lab.layers(sentences)]
    batch = side_by_side(read, range(len(read)))
    return _Examples(batch.layers, batch.mask, np.array(labels))


def _pseudowords(lab: ElmoLab, count: int) -> _Examples:
    """Each word of each pair is a class of its own."""
    vectors, labels = [], []
    for number, merged in enumerate(merged_words(lab)):
        for which, (sentences, places) in enumerate(
            zip(merged.sentences, merged.places, strict=True)
        ):
            own = sentences[: count // 10]
            vectors += [
                layers[:, [place]] for layers, place in zip(lab.layers(own), places, strict=False)
            ]
            labels += [2 * number + which] * len(own)
    return _Examples(np.stack(vectors), np.ones((len(vectors), 1)), np.array(labels))
