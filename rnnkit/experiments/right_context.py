"""Words whose meaning only the right context tells: one direction against two."""

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
    timed_by_epoch,
)
from rnnkit.models import TokenTagger
from rnnkit.text import Vocabulary, pad, words

DIRECTIONS = {"forward": "forward", "both directions": "both"}
LABELS = ("other", "nature", "people")  # their ids are 1, 2, 3; 0 is padding


class RightContextResult(NamedTuple):
    """How often the meaning of the ambiguous word is found.

    Args:
        accuracy: For each model, `(seeds, epochs)`.
        trainings: What each training took.
    """

    accuracy: dict[str, np.ndarray]
    trainings: list[Training]

    def series(self) -> dict[str, Points]:
        """Accuracy against epochs, for `rnnkit.plots.curves`; chance is 0.5."""
        return {
            name: points(range(1, each.shape[1] + 1), each) for name, each in self.accuracy.items()
        }


def right_context(
    seeds: Sequence[int] = (0, 1, 2),
    epochs: int | None = None,
    fast: bool | None = None,
    quiet: bool = False,
) -> RightContextResult:
    """Compare a forward and a bidirectional LSTM on words with two meanings (S16).

    "The bank consists of the sides of the river" and "the bank lends money"
    are alike up to the word that matters, and a little further. Each word
    gets a label, the ambiguous ones their meaning. Each beginning comes as
    often with either meaning, so whatever a net has learned that reads from
    left to right, its accuracy is exactly 1/2: both sentences of a pair get the
    same answer. The bidirectional net has as many units in each direction.

    Taught in unit 04, section s16.

    Args:
        seeds: One training of each model for each of them.
        epochs: How often the sentences are read; 5 by default, 1 where fast.
        fast: The small setting: it shows how it goes, not what is learned.
        quiet: Print nothing.

    Returns:
        The accuracies at the ambiguous words, after each epoch.

    Raises:
        ValueError: There are no seeds, or no epochs.
    """
    seeds = check_seeds(seeds)
    fast = is_fast(fast)
    epochs = (1 if fast else 5) if epochs is None else epochs
    known = data.bank_sentences(100 if fast else 2000, "train", seed=1)
    test = data.bank_sentences(100 if fast else 1000, "test", seed=2)
    texts = joined(known.sentences)
    vocabulary = Vocabulary.from_texts(texts, split=words, joiner=" ")
    ids, _ = vocabulary.encode(texts)
    tags, _ = pad([[1 + LABELS.index(label) for label in row] for row in known.labels])

    accuracy: dict[str, np.ndarray] = {}
    trainings: list[Training] = []
    for name, directions in DIRECTIONS.items():
        each_seed = []
        for seed in seeds:
            model = _tagger(len(vocabulary), directions, seed)
            training, measured = timed_by_epoch(
                name,
                seed,
                model,
                train=partial(model.fit, ids, tags, batch_size=32, verbose=0),
                measure=partial(meaning_accuracy, model, vocabulary, test),
                epochs=epochs,
            )
            report(training, f"accuracy by epoch {np.round(measured, 3)}", quiet)
            trainings.append(training)
            each_seed.append(measured)
        accuracy[name] = np.array(each_seed)
    return RightContextResult(accuracy, trainings)


def meaning_accuracy(model: TokenTagger, vocabulary: Vocabulary, sentences: data.BankSet) -> float:
    """How often the more probable of the two meanings is the right one.

    Args:
        model: Gives logits, `(batch, time, 4)`: padding, and `LABELS`.
        vocabulary: The model's words.
        sentences: What it is tested on.

    Returns:
        From 0.0 to 1.0.
    """
    ids, _ = vocabulary.encode(joined(sentences.sentences))
    logits = np.asarray(model.predict(ids, batch_size=100, verbose=0))
    at_words = logits[np.arange(len(ids)), sentences.positions]
    nature, people = (at_words[:, 1 + LABELS.index(label)] for label in LABELS[1:])
    found = np.where(nature > people, "nature", "people")
    return float(np.mean(found == np.array(sentences.meanings)))


def _tagger(vocabulary_size: int, directions: str, seed: int) -> TokenTagger:
    keras.utils.set_random_seed(seed)
    model = TokenTagger(
        vocabulary_size,
        tags=1 + len(LABELS),
        units=32,
        embedding=32,
        directions=directions,
    )
    model.compile(keras.optimizers.Adam(0.005, global_clipnorm=1.0))
    return model
