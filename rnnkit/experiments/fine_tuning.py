"""A classifier that starts from a language model, with few labels."""

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
    joined,
    points,
    report,
    timed,
)
from rnnkit.metrics import matthews
from rnnkit.models import LanguageModel, SequenceClassifier, masked_cross_entropy
from rnnkit.text import Vocabulary, words

UNITS, EMBEDDING, BATCH = 64, 32, 32


class _Setting(NamedTuple):
    unlabelled: int  # sentences for the language model
    epochs: int  # of the language model
    labels: tuple[int, ...]
    steps: int  # batches that each classifier sees
    tested: int  # sentences


FULL = _Setting(8000, 10, (50, 100, 200, 400, 800), 400, 1000)
SMALL = _Setting(400, 1, (50, 100), 10, 200)


class FineTuningResult(NamedTuple):
    """How well sentences are judged, by the number of labels learned from.

    Args:
        labels: How many labelled sentences.
        correlations: Matthews' correlation on new sentences, for each start,
            `(seeds, labels)`.
        trainings: What each training of a language model took, and each of a
            classifier with the most labels.
    """

    labels: tuple[int, ...]
    correlations: dict[str, np.ndarray]
    trainings: list[Training]

    def series(self) -> dict[str, Points]:
        """Correlation against the number of labels, for `rnnkit.plots.curves`."""
        return {name: points(self.labels, each) for name, each in self.correlations.items()}


def fine_tuning(
    seeds: Sequence[int] = (0, 1, 2),
    fast: bool | None = None,
    quiet: bool = False,
) -> FineTuningResult:
    """Compare a classifier made from a language model with one from scratch, few labels (S38).

    The language model reads grammatical sentences, without labels. The
    classifier starts from its symbol vectors and recurrent weights, and learns
    from a few labelled sentences whether a sentence is grammatical. The same
    net from scratch learns from the same labels for as many steps with the
    same optimizer. Measured are sentences that neither has read.

    The language model here has read just the kind of sentences that are to be
    judged, which is the best case. Claim what all seeds show, for the numbers
    of labels where they show it.

    Taught in unit 07, section s38.

    Args:
        seeds: For each of them one language model, its labelled sentences, and
            one training of each classifier.
        fast: The small setting: it shows how it goes, not what is learned.
        quiet: Print nothing.

    Returns:
        Matthews' correlations; 0 is chance.

    Raises:
        ValueError: There are no seeds.
    """
    seeds = check_seeds(seeds)
    setting = SMALL if is_fast(fast) else FULL
    # Half of them are grammatical.
    known = data.acceptability(2 * setting.unlabelled, "train", seed=1)
    test = data.acceptability(setting.tested, "test", seed=2)
    unlabelled = joined(
        sentence
        for sentence, label in zip(known.sentences, known.labels, strict=True)
        if label == 1
    )
    vocabulary = Vocabulary.from_texts(unlabelled, split=words, joiner=" ")
    ids, _ = vocabulary.encode(unlabelled, bos=True, eos=True)

    starts: dict[str, list[list[float]]] = {"from a language model": [], "from scratch": []}
    trainings = []
    for seed in seeds:
        language_model = _language_model(len(vocabulary), seed)
        fit = partial(language_model.fit, ids[:, :-1], ids[:, 1:], batch_size=64, verbose=0)
        training = timed(
            "language model", seed, language_model, partial(fit, epochs=setting.epochs)
        )
        report(training, "trained", quiet)
        trainings.append(training)
        labelled = [data.acceptability(count, "train", seed=100 + seed) for count in setting.labels]
        for name, correlations in starts.items():
            correlations.append([])
            for sentences in labelled:
                model = _classifier(language_model, name, seed)
                training = _train(model, name, seed, vocabulary, sentences, setting.steps)
                correlations[-1].append(judgement(model, vocabulary, test))
            report(training, f"correlations {np.round(correlations[-1], 2)}", quiet)
            trainings.append(training)
    measured = {name: np.array(each) for name, each in starts.items()}
    return FineTuningResult(setting.labels, measured, trainings)


def judgement(
    model: SequenceClassifier, vocabulary: Vocabulary, sentences: data.AcceptabilitySet
) -> float:
    """Matthews' correlation of a model's judgements with the right ones.

    Args:
        model: Gives each sentence the label 1 (grammatical) or 0.
        vocabulary: The model's words.
        sentences: What it is tested on.
    """
    ids, _ = vocabulary.encode(joined(sentences.sentences), bos=True, eos=True)
    return matthews(model.classify(ids), sentences.labels)


def _language_model(vocabulary_size: int, seed: int) -> LanguageModel:
    keras.utils.set_random_seed(seed)
    model = LanguageModel(vocabulary_size, units=UNITS, embedding=EMBEDDING)
    model.compile(keras.optimizers.Adam(0.003, global_clipnorm=1.0), loss=masked_cross_entropy)
    return model


def _classifier(language_model: LanguageModel, start: str, seed: int) -> SequenceClassifier:
    keras.utils.set_random_seed(seed)
    if start == "from a language model":
        model = SequenceClassifier.from_language_model(language_model, classes=2)
    else:
        model = SequenceClassifier(
            language_model.settings["vocabulary_size"],
            classes=2,
            units=UNITS,
            embedding=EMBEDDING,
            directions="forward",
        )
    model.compile(keras.optimizers.Adam(0.003, global_clipnorm=1.0))
    return model


def _train(
    model: SequenceClassifier,
    name: str,
    seed: int,
    vocabulary: Vocabulary,
    labelled: data.AcceptabilitySet,
    steps: int,
) -> Training:
    """Train for a number of steps, however few sentences there are."""
    ids, _ = vocabulary.encode(joined(labelled.sentences), bos=True, eos=True)
    epochs = max(1, steps * BATCH // len(ids))
    fit = partial(model.fit, ids, np.array(labelled.labels), batch_size=BATCH, verbose=0)
    return timed(name, seed, model, partial(fit, epochs=epochs))
