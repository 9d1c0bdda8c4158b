"""Strings to be written backwards: one vector for all of them, or attention."""

import itertools
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import keras
import numpy as np

from rnnkit import data
from rnnkit.experiments.training import (
    Points,
    Training,
    check_seeds,
    is_fast,
    points,
    report,
    timed,
)
from rnnkit.layers import MultiplicativeAttention
from rnnkit.metrics import accuracy_by_length
from rnnkit.models import EncoderDecoder, masked_cross_entropy
from rnnkit.text import Vocabulary

LETTERS = "abcdefghijkl"


class _Setting(NamedTuple):
    longest: int  # letters
    strings: int  # to learn from
    edges: tuple[int, ...]  # of the ranges of lengths
    epochs: dict[str, int]


# A step without attention is cheaper, so that model may read the strings more often.
FULL = _Setting(24, 8192, (3, 9, 14, 19, 25), {"without attention": 10, "with attention": 5})
SMALL = _Setting(8, 1024, (3, 5, 7, 9), {"without attention": 1, "with attention": 1})


class BottleneckResult(NamedTuple):
    """How often a string is written backwards without any fault.

    Args:
        bands: The smallest and the greatest length of each range, letters.
        accuracy: For each model, `(seeds, bands)`.
        trainings: What each training took.
    """

    bands: list[tuple[int, int]]
    accuracy: dict[str, np.ndarray]
    trainings: list[Training]

    def series(self) -> dict[str, Points]:
        """Accuracy against length, the middle of each range, for `rnnkit.plots.curves`."""
        middles = [(low + high) / 2 for low, high in self.bands]
        return {name: points(middles, each) for name, each in self.accuracy.items()}


def bottleneck(
    seeds: Sequence[int] = (0, 1, 2),
    fast: bool | None = None,
    quiet: bool = False,
) -> BottleneckResult:
    """Measure accuracy against the length of the input, without and with attention (S23, S29).

    Nothing in a random string can be guessed, so to write it backwards each
    letter must be kept. Without attention all of it must pass through one
    vector of 48 numbers. The models, the strings and the training are those of
    the exercise of unit 06; there the model without attention reads the strings
    8 times, here 10 times.

    What falls with the length is what this training reaches. The vector could
    hold more, with more units and a longer training: claim that it is hard to
    use, not that it is full.

    Taught in unit 05, section s23, and unit 06, section s29.

    Args:
        seeds: One training of each model for each of them.
        fast: The small setting: it shows how it goes, not what is learned.
        quiet: Print nothing.

    Returns:
        The accuracies: shares of exact matches.

    Raises:
        ValueError: There are no seeds.
    """
    seeds = check_seeds(seeds)
    setting = SMALL if is_fast(fast) else FULL
    known = data.reversals(setting.strings, seed=1, maximum=setting.longest)
    test = data.reversals(400, seed=2, maximum=setting.longest)
    letters = Vocabulary(LETTERS)
    inputs, following = batches(letters, *known, setting.longest)

    accuracy: dict[str, np.ndarray] = {}
    trainings: list[Training] = []
    for name, epochs in setting.epochs.items():
        each_seed = []
        for seed in seeds:
            model = _model(len(letters), name, epochs * setting.strings // 32, seed)
            train = partial(model.fit, inputs, following, batch_size=32, epochs=epochs, verbose=0)
            training = timed(name, seed, model, train)
            measured = reversal_accuracy(model, letters, *test, setting.edges)
            report(training, f"accuracy by length {np.round(measured, 2)}", quiet)
            trainings.append(training)
            each_seed.append(measured)
        accuracy[name] = np.array(each_seed)
    bands = [(low, end - 1) for low, end in itertools.pairwise(setting.edges)]
    return BottleneckResult(bands, accuracy, trainings)


def reversal_accuracy(
    model: EncoderDecoder,
    letters: Vocabulary,
    sources: Sequence[str],
    targets: Sequence[str],
    edges: Sequence[int],
) -> list[float]:
    """The share of exact matches in each range of lengths.

    Args:
        model: Writes a target for each source, with `decode`.
        letters: Its symbols.
        sources: Strings.
        targets: The same strings from right to left.
        edges: Where ranges of lengths begin; the last ends the last range.
    """
    source, _ = letters.encode(sources, length=edges[-1] - 1)
    ids = model.decode(source, letters.bos_id, letters.eos_id, max_length=edges[-1])
    lengths = [len(target) for target in targets]
    table = accuracy_by_length(letters.decode(ids), targets, lengths, edges)
    return [accuracy for *_, accuracy in table]


def batches(
    letters: Vocabulary, sources: Sequence[str], targets: Sequence[str], longest: int
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """What the model reads, and what it should write at each step.

    Args:
        letters: The model's symbols.
        sources: Strings.
        targets: The same strings from right to left.
        longest: The greatest length that is possible, letters.

    Returns:
        The inputs of `EncoderDecoder`, and the targets `(batch, longest + 1)`.
    """
    source, _ = letters.encode(sources, length=longest)
    with_edges, _ = letters.encode(targets, length=longest + 2, bos=True, eos=True)
    previous = np.where(with_edges == letters.eos_id, letters.pad_id, with_edges)[:, :-1]
    return {"source": source, "previous": previous}, with_edges[:, 1:]


def _model(size: int, name: str, steps: int, seed: int) -> EncoderDecoder:
    keras.utils.set_random_seed(seed)
    attention = MultiplicativeAttention() if name == "with attention" else None
    model = EncoderDecoder(size, size, units=48, embedding=16, attention=attention)
    rate = keras.optimizers.schedules.CosineDecay(0.01, steps)
    model.compile(keras.optimizers.Adam(rate, global_clipnorm=1.0), loss=masked_cross_entropy)
    return model
