"""How probable is a word that was said once, many words ago?"""

from collections.abc import Callable, Sequence
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
from rnnkit.models import KneserNey, LanguageModel
from rnnkit.text import Vocabulary, words
from rnnkit.text.vocabulary import PAD

UNITS, EMBEDDING, BATCH = 64, 32, 32
# The last word of a story counts as much as about all other words together:
# it is the only one that needs a long memory, and would be lost among them.
WEIGHT_OF_LAST = 30


class LongRangeResult(NamedTuple):
    """The mean probability of the right last word.

    Args:
        distances: The tested distances, in words.
        probability: For each recurrent model, an array `(seeds, distances)`.
        ngram: Of the n-gram model, `(distances,)`; it has no seed.
        order: How many words its n-grams have.
        chance: What guessing among the things to bring gives.
        trainings: What each training took.
    """

    distances: tuple[int, ...]
    probability: dict[str, np.ndarray]
    ngram: np.ndarray
    order: int
    chance: float
    trainings: list[Training]

    def series(self) -> dict[str, Points]:
        """Probability against distance, for `rnnkit.plots.curves`."""
        curves = {**self.probability, f"{self.order}-gram": self.ngram[np.newaxis]}
        return {name: points(self.distances, values) for name, values in curves.items()}


def long_range(
    seeds: Sequence[int] = (0, 1, 2),
    trained: Sequence[int] = (8, 12, 16, 24, 32),
    tested: Sequence[int] = (8, 16, 32, 64, 128),
    forget_biases: Sequence[float] = (3,),
    order: int = 5,
    fast: bool | None = None,
    quiet: bool = False,
) -> LongRangeResult:
    """Measure the probability of the right word against its distance.

    In "anna promised to bring the tickets . ... at last anna brought the", the
    word that comes was said once, so many words before; it is one of 16. An
    n-gram model cannot see it. A recurrent one can, if its memory lasts.

    All recurrent models learn alike: the shortest distance alone in the first
    epoch, one distance more in each epoch after it, then one epoch more; and
    the last word counts 30 times. The largest tested distances are longer than
    any story in the training text. The LSTM's forget gates begin nearly open,
    at σ(3) = 0.95.

    Claim what all seeds show. Taught in unit 03, section s13.

    Args:
        seeds: One training of each model for each of them.
        trained: The distances in the training text, in words.
        tested: The distances that are tested.
        forget_biases: One LSTM for each of them.
        order: How many words the n-grams of the baseline have.
        fast: A small setting, which shows how it goes but not what is learned.
        quiet: Print nothing.

    Returns:
        The probabilities on new stories.

    Raises:
        ValueError: There are no seeds, or one comes twice, or a distance is
            too short for a story.
    """
    seeds, fast = check_seeds(seeds), is_fast(fast)
    known = data.tickets(640 if fast else 8000, trained, distractors=0, split="train", seed=1)
    tests = [
        data.tickets(50 if fast else 400, [distance], distractors=0, split="test", seed=2)
        for distance in tested
    ]
    texts = joined(known.sentences)
    vocabulary = Vocabulary.from_texts(texts, split=words, joiner=" ")
    ids, _ = vocabulary.encode(texts)
    new = [vocabulary.encode(joined(each.sentences))[0] for each in tests]

    def probabilities(log_probabilities: Callable[[np.ndarray], np.ndarray]) -> list[float]:
        return [last_word_probability(log_probabilities, each) for each in new]

    ngram = probabilities(KneserNey(order).fit(ids, len(vocabulary)).log_probabilities)
    nets: dict[str, float | None] = {"Elman": None}
    nets |= {f"LSTM, forget bias {bias:g}": bias for bias in forget_biases}
    lessons = _lessons(ids, np.array(known.distances), trained)
    trainings, measured = [], {}
    for name, bias in nets.items():
        each_seed = []
        for seed in seeds:
            model = _model(len(vocabulary), bias, seed)
            training = timed(name, seed, model, partial(_learn, model, lessons))
            after = probabilities(model.log_probabilities)
            report(training, f"probability {np.round(after, 2).tolist()}", quiet)
            trainings.append(training)
            each_seed.append(after)
        measured[name] = np.array(each_seed)
    chance = 1 / len(set(known.answers))
    return LongRangeResult(tuple(tested), measured, np.array(ngram), order, chance, trainings)


def _lessons(ids: np.ndarray, distances: np.ndarray, trained: Sequence[int]) -> list[np.ndarray]:
    """The stories of each epoch: from the nearest on, one distance more each time."""
    limits = sorted(set(trained))
    return [ids[distances <= limit] for limit in (*limits, limits[-1])]


def _model(vocabulary_size: int, forget_bias: float | None, seed: int) -> LanguageModel:
    """An Elman net, or an LSTM where there is a forget bias."""
    keras.utils.set_random_seed(seed)
    name = "elman" if forget_bias is None else "lstm"
    model = LanguageModel(vocabulary_size, units=UNITS, embedding=EMBEDDING, cell=name)
    if forget_bias is not None:
        cell = model.recurrences[0].cell
        cell.forget_bias = forget_bias
        cell.bias.assign(cell.initial_bias(cell.bias.shape))
    model.compile(
        optimizer=keras.optimizers.Adam(0.005, global_clipnorm=1.0),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    return model


def _learn(model: LanguageModel, lessons: Sequence[np.ndarray]) -> None:
    """One epoch on the stories of each lesson."""
    for ids in lessons:
        weights = (ids[:, 1:] != PAD).astype("float32")
        weights[np.arange(len(ids)), _last(ids) - 1] = WEIGHT_OF_LAST
        model.fit(ids[:, :-1], ids[:, 1:], sample_weight=weights, batch_size=BATCH, verbose=0)


def last_word_probability(
    log_probabilities: Callable[[np.ndarray], np.ndarray], ids: np.ndarray
) -> float:
    """The mean probability of the last word of each story.

    Args:
        log_probabilities: Of `LanguageModel` or `KneserNey`: takes ids
            `(batch, time)`, returns `(batch, time - 1)`.
        ids: `(batch, time)`, padded with 0.
    """
    values = log_probabilities(ids)[np.arange(len(ids)), _last(ids) - 1]
    return float(np.exp(values).mean())


def _last(ids: np.ndarray) -> np.ndarray:
    """The position of the last word of each story, `(batch,)`."""
    return (ids != PAD).sum(axis=1) - 1
