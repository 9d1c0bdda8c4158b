"""Does a language model agree the verb with its subject, or with a noun near it?"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple, Protocol

import keras
import numpy as np

from rnnkit import data
from rnnkit.experiments.training import (
    Points,
    Training,
    check_seeds,
    is_fast,
    joined,
    points,
    report,
    timed_by_epoch,
)
from rnnkit.models import KneserNey, LanguageModel, masked_cross_entropy
from rnnkit.text import Vocabulary, words

# As in real text, most sentences have no attractor, and few have many.
TRAINED_ATTRACTORS = (0, 0, 0, 0, 1, 1, 2)
TESTED_ATTRACTORS = (0, 1, 2, 3, 4)
CELLS = {"Elman": "elman", "LSTM": "lstm"}


class AgreementResult(NamedTuple):
    """How often the right form of the verb is the more probable one.

    Args:
        accuracy: For each recurrent model, `(seeds, epochs, attractors)`.
        ngram: The accuracy of the n-gram model, `(attractors,)`; it has no seed.
        order: How many words its n-grams have.
        trainings: What each training took.
    """

    accuracy: dict[str, np.ndarray]
    ngram: np.ndarray
    order: int
    trainings: list[Training]

    def series(self, epoch: int = -1) -> dict[str, Points]:
        """Accuracy against the number of attractors, for `rnnkit.plots.curves`.

        Args:
            epoch: After which epoch, counted from 0; the last by default.
        """
        values = {name: each[:, epoch] for name, each in self.accuracy.items()}
        values[f"{self.order}-gram"] = self.ngram[np.newaxis]
        return {name: points(TESTED_ATTRACTORS, each) for name, each in values.items()}

    def by_epoch(self) -> dict[str, dict[str, Points]]:
        """Accuracy against epochs: a panel for each model, a curve for each number."""
        return {
            name: {
                f"{number} attractor{'' if number == 1 else 's'}": points(
                    range(1, each.shape[1] + 1), each[:, :, number]
                )
                for number in TESTED_ATTRACTORS
            }
            for name, each in self.accuracy.items()
        }


class Model(Protocol):
    """A language model that says how probable each symbol is."""

    def log_probabilities(self, ids: np.ndarray) -> np.ndarray:
        """`(batch, time)` to `(batch, time - 1)`."""


def agreement(
    seeds: Sequence[int] = (0, 1, 2),
    order: int = 5,
    epochs: int | None = None,
    fast: bool | None = None,
    quiet: bool = False,
) -> AgreementResult:
    """Measure syntactic against sequential recency (S12), after each epoch.

    A language model reads sentences such as "the writer of the books is here".
    It is never told about subjects. Tested is whether it then finds "is" more
    probable than "are" after "the writer of the books", by the number of
    attractors: nouns of the other number between subject and verb. Up to two
    stand in the training text, up to four in the test. Beside it an n-gram
    model (Kneser-Ney) of the same text.

    Who lets the verb agree with the nearest noun has 1, 1/2, 1/4, 1/8, 0 right
    with 0, 1, 2, 3, 4 attractors. What is learned depends on the text too:
    where 0 to 4 attractors are equally frequent, most nouns near a verb have
    the other number than its subject, and a net may learn just that. Claim
    only what all seeds show.

    Taught in unit 03, section s12.

    Args:
        seeds: One training of each recurrent model for each of them.
        order: How many words the n-grams have.
        epochs: How often the text is read; 6 by default, 2 where fast.
        fast: The small setting: it shows how it goes, not what is learned.
        quiet: Print nothing.

    Returns:
        The accuracies.

    Raises:
        ValueError: There are no seeds, or no epochs.
    """
    seeds = check_seeds(seeds)
    fast = is_fast(fast)
    epochs = (2 if fast else 6) if epochs is None else epochs
    known = data.agreement(1000 if fast else 16000, TRAINED_ATTRACTORS, "train", seed=1)
    tests = [
        data.agreement(100 if fast else 400, [number], "test", seed=2)
        for number in TESTED_ATTRACTORS
    ]
    sentences = joined(known.sentences)
    vocabulary = Vocabulary.from_texts(sentences, split=words, joiner=" ")
    ids, _ = vocabulary.encode(sentences, bos=True, eos=True)

    ngram = KneserNey(order).fit(ids, len(vocabulary))
    counted = np.array(_verb_accuracies(ngram, vocabulary, tests))
    accuracy: dict[str, np.ndarray] = {}
    trainings: list[Training] = []
    for name, cell in CELLS.items():
        each_seed = []
        for seed in seeds:
            model = _language_model(len(vocabulary), cell, seed)
            training, measured = timed_by_epoch(
                name,
                seed,
                model,
                train=partial(model.fit, ids[:, :-1], ids[:, 1:], batch_size=64, verbose=0),
                measure=partial(_verb_accuracies, model, vocabulary, tests),
                epochs=epochs,
            )
            report(training, f"accuracy by attractors {np.round(measured[-1], 2)}", quiet)
            trainings.append(training)
            each_seed.append(measured)
        accuracy[name] = np.array(each_seed)
    return AgreementResult(accuracy, counted, order, trainings)


def verb_accuracy(model: Model, vocabulary: Vocabulary, sentences: data.AgreementSet) -> float:
    """How often the verb form that agrees is the more probable one.

    Args:
        model: A `LanguageModel`, a `KneserNey`, or anything else with
            `log_probabilities(ids)`.
        vocabulary: The model's words.
        sentences: What it is tested on.

    Returns:
        From 0.0 to 1.0; where both forms are equally probable, half a point.
    """
    scores = []
    for verbs in (sentences.right, sentences.wrong):
        pairs = zip(sentences.prefixes, verbs, strict=True)
        texts = joined([*prefix, verb] for prefix, verb in pairs)
        ids, mask = vocabulary.encode(texts, bos=True)
        verb_places = mask.sum(axis=1) - 2  # BOS, the first symbol, is not predicted
        scores.append(model.log_probabilities(ids)[np.arange(len(ids)), verb_places])
    right, wrong = scores
    return float(np.mean(np.where(right == wrong, 0.5, right > wrong)))


def _verb_accuracies(
    model: Model, vocabulary: Vocabulary, tests: Sequence[data.AgreementSet]
) -> list[float]:
    return [verb_accuracy(model, vocabulary, sentences) for sentences in tests]


def _language_model(vocabulary_size: int, cell: str, seed: int) -> LanguageModel:
    keras.utils.set_random_seed(seed)
    model = LanguageModel(vocabulary_size, units=64, embedding=32, cell=cell)
    model.compile(keras.optimizers.Adam(0.003, global_clipnorm=1.0), loss=masked_cross_entropy)
    return model
