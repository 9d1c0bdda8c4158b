"""Taggers with and without ELMo: how much it helps, from which layers, at which place."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from rnnkit.experiments.elmo_lab import TAGGING, ElmoLab
from rnnkit.experiments.elmo_tagger import Arrangement
from rnnkit.experiments.training import Points, Training, check_seeds

SEEDS = (0, 1, 2, 3, 4)
STATIC, TOKENS, ELMO = "static vectors", "static + token layer", "static + ELMo"
LARGE, SMALL = 1.0, 0.001  # λ, as in the paper


class TaggingResult(NamedTuple):
    """How good taggers are, by what they read.

    Args:
        scores: For each task, each arrangement and each number of labelled
            sentences `(seeds,)`: the share of right tags for parts of speech,
            the F1 of entities for names; on the test part.
        weights: For each task and each arrangement that mixes layers, what it
            learned of them with the most labels: for each place
            `(seeds, layers)`.
        trainings: What each training took.
    """

    scores: dict[str, dict[str, dict[int, np.ndarray]]]
    weights: dict[str, dict[str, dict[str, np.ndarray]]]
    trainings: list[Training]

    def series(self) -> dict[str, dict[str, Points]]:
        """Score against labelled sentences, a panel for each task, for `rnnkit.plots.curves`."""
        return {
            task: {
                name: [(labels, each.tolist()) for labels, each in by_labels.items()]
                for name, by_labels in arrangements.items()
            }
            for task, arrangements in self.scores.items()
        }


def elmo_gain(
    seeds: Sequence[int] = SEEDS,
    lab: ElmoLab | None = None,
    fast: bool | None = None,
    quiet: bool = False,
) -> TaggingResult:
    """Compare a tagger with static vectors, and with ELMo's joined to them (S34).

    A bidirectional LSTM tags parts of speech (UD English-EWT) or names
    (WikiGold). It reads word2vec's vectors, trained on the biLM's text; or these
    and the biLM's token layer, which knows a word's characters and nothing of
    its sentence; or these and a mixture of all layers. No vector is moved.

    Taught in unit 07, section s34.

    Args:
        seeds: For each of them labelled sentences are drawn, and a tagger of
            each kind is trained on them.
        lab: The vectors; by default those of the kit's biLM.
        fast: The small setting of a new lab: it shows how it goes, not what is learned.
        quiet: Print nothing.

    Returns:
        The scores, with few labelled sentences and with more.

    Raises:
        ValueError: There are no seeds.
    """
    lab = ElmoLab(fast=fast) if lab is None else lab
    every = tuple(range(lab.layer_count))
    arrangements = {
        STATIC: Arrangement(),
        TOKENS: Arrangement(layers=(0,)),
        ELMO: Arrangement(layers=every),
    }
    return _compared(lab, arrangements, lab.setting.labels, seeds, quiet)


def elmo_all_layers(
    seeds: Sequence[int] = SEEDS,
    lab: ElmoLab | None = None,
    fast: bool | None = None,
    quiet: bool = False,
) -> TaggingResult:
    """Compare the last layer alone with a mixture of all layers (S35).

    Taught in unit 07, section s35.

    Args:
        seeds: As in `elmo_gain`.
        lab: The vectors; by default those of the kit's biLM.
        fast: The small setting of a new lab.
        quiet: Print nothing.

    Returns:
        The scores, with the larger number of labelled sentences.

    Raises:
        ValueError: There are no seeds.
    """
    lab = ElmoLab(fast=fast) if lab is None else lab
    every = tuple(range(lab.layer_count))
    arrangements = {
        "last layer": Arrangement(layers=every[-1:]),
        "all layers": Arrangement(layers=every),
    }
    return _compared(lab, arrangements, lab.setting.labels[1:], seeds, quiet)


def elmo_regularization(
    seeds: Sequence[int] = SEEDS,
    lab: ElmoLab | None = None,
    fast: bool | None = None,
    quiet: bool = False,
) -> TaggingResult:
    """Compare a large and a small λ, which keeps the layers' weights near each other or not (S33).

    Taught in unit 07, section s33.

    Args:
        seeds: As in `elmo_gain`.
        lab: The vectors; by default those of the kit's biLM.
        fast: The small setting of a new lab.
        quiet: Print nothing.

    Returns:
        The scores, and the layers' weights, with the larger number of labelled sentences.

    Raises:
        ValueError: There are no seeds.
    """
    lab = ElmoLab(fast=fast) if lab is None else lab
    every = tuple(range(lab.layer_count))
    arrangements = {
        f"λ = {size:g}": Arrangement(layers=every, regularization=size) for size in (LARGE, SMALL)
    }
    return _compared(lab, arrangements, lab.setting.labels[1:], seeds, quiet)


def elmo_placement(
    seeds: Sequence[int] = SEEDS,
    lab: ElmoLab | None = None,
    fast: bool | None = None,
    quiet: bool = False,
) -> TaggingResult:
    """Compare ELMo at the input of the tagger's LSTM, at its output, and at both (S34).

    Taught in unit 07, section s34.

    Args:
        seeds: As in `elmo_gain`.
        lab: The vectors; by default those of the kit's biLM.
        fast: The small setting of a new lab.
        quiet: Print nothing.

    Returns:
        The scores, with the larger number of labelled sentences.

    Raises:
        ValueError: There are no seeds.
    """
    lab = ElmoLab(fast=fast) if lab is None else lab
    every = tuple(range(lab.layer_count))
    arrangements = {
        "at the input": Arrangement(every, ("input",)),
        "at the output": Arrangement(every, ("output",)),
        "at both": Arrangement(every, ("input", "output")),
    }
    return _compared(lab, arrangements, lab.setting.labels[1:], seeds, quiet)


def _compared(
    lab: ElmoLab,
    arrangements: Mapping[str, Arrangement],
    labels: Sequence[int],
    seeds: Sequence[int],
    quiet: bool,
) -> TaggingResult:
    seeds = check_seeds(seeds)
    before = len(lab.trainings)
    scores: dict[str, dict[str, dict[int, np.ndarray]]] = {}
    weights: dict[str, dict[str, dict[str, np.ndarray]]] = {}
    for task in TAGGING:
        scores[task], weights[task] = {}, {}
        for name, arrangement in arrangements.items():
            by_labels = {
                count: [lab.tagger(task, arrangement, count, seed, quiet) for seed in seeds]
                for count in labels
            }
            scores[task][name] = {
                count: np.array([outcome.score for outcome in outcomes])
                for count, outcomes in by_labels.items()
            }
            most = by_labels[labels[-1]]
            if most[0].layer_weights:
                weights[task][name] = {
                    place: np.array([outcome.layer_weights[place] for outcome in most])
                    for place in most[0].layer_weights
                }
    return TaggingResult(scores, weights, lab.trainings[before:])
