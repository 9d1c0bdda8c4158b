"""Can a net say a symbol again that it read a hundred steps ago?"""

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import keras
import numpy as np

from rnnkit import data
from rnnkit.experiments.training import Points, Training, check_seeds, is_fast, report, timed
from rnnkit.layers import Recurrence, make_cell

UNITS, EMBEDDING, SYMBOLS = 64, 32, 8
PART = 50  # updates, after which we look if a net has learned it
# Made anew for each model: an initializer of Keras gives the same numbers each time.
RECURRENCES: dict[str, Callable[[], Any]] = {
    "orthogonal": lambda: "orthogonal",
    "Gaussian": lambda: keras.initializers.RandomNormal(stddev=UNITS**-0.5),
}
EMBEDDINGS: dict[str, Callable[[], Any]] = {
    "embeddings as Keras makes them": lambda: "uniform",  # even between -0.05 and 0.05
    "embeddings of standard deviation 1": lambda: keras.initializers.RandomNormal(stddev=1.0),
}


class Net(NamedTuple):
    """A net that is compared.

    Args:
        cell: A name that `rnnkit.layers.make_cell` knows.
        recurrence: How its weights U begin: "orthogonal" or "Gaussian".
        forget_bias: What an LSTM's forget gates begin with; None for the others.
    """

    cell: str
    recurrence: str
    forget_bias: float | None = None


class CopyingResult(NamedTuple):
    """How often a symbol is said again correctly after a long wait.

    Args:
        accuracy: By embeddings, then by net: one number for each seed.
        delay: How many blanks stood between the symbol and its copy.
        chance: What guessing reaches.
        trainings: What each training took.
    """

    accuracy: dict[str, dict[Net, list[float]]]
    delay: int
    chance: float
    trainings: list[Training]

    def series(self) -> dict[str, dict[str, Points]]:
        """Accuracy against the forget bias, in a panel for each kind of embeddings.

        A net without a forget gate is a level line to compare with.
        """
        return {panel: _lines(nets) for panel, nets in self.accuracy.items()}


def _lines(nets: dict[Net, list[float]]) -> dict[str, Points]:
    biases = sorted({net.forget_bias for net in nets if net.forget_bias is not None})
    lines: dict[str, Points] = {}
    for net, values in nets.items():
        own = biases if net.forget_bias is None else [net.forget_bias]
        lines.setdefault(_name(net), []).extend((bias, values) for bias in own)
    return lines


def _name(net: Net) -> str:
    cell = {"elman": "Elman", "gru": "GRU", "lstm": "LSTM"}[net.cell]
    return f"{cell}, {net.recurrence}"


def copying(
    seeds: Sequence[int] = (0, 1, 2),
    forget_biases: Sequence[float] = (0, 1, 3, 5),
    delay: int = 99,
    updates: int | None = None,
    fast: bool | None = None,
    quiet: bool = False,
) -> CopyingResult:
    """Measure which nets learn to copy a symbol over a long wait, by how they begin.

    One of 8 symbols, then blanks, then the symbol must be said. All nets have
    64 units and learn alike, with Adam and clipped gradients, and each update
    sees all 8 sequences; a net that has them right 50 times stops early. Elman and
    LSTM begin with recurrent weights that are orthogonal, or Gaussian with
    standard deviation 1/√units; the GRU with orthogonal ones.

    A forget gate near 1 keeps the gradient of the memory, but σ(1) is 0.73,
    and 0.73 to the power of 100 is nothing: what an LSTM *can* keep, it need
    not keep at first. A plain net keeps the gradient too while its U is
    orthogonal and its states are small, as small embeddings make them. So "an
    LSTM remembers, a plain net forgets" depends on how both begin.

    Claim what all seeds show. Taught in unit 02, section s7.

    Args:
        seeds: One training of each net for each of them.
        forget_biases: What the LSTM's forget gates begin with.
        delay: How many steps after the symbol its copy is asked for.
        updates: How often each net's weights are changed at most, a multiple of
            50; 600 by default, 100 where fast.
        fast: A small setting, which shows how it goes but not what is learned:
            the wait is 9 steps then.
        quiet: Print nothing.

    Returns:
        The accuracies. There are only 8 sequences, one for each symbol, so this
        asks what can be learned at all, not what is true of new sequences.

    Raises:
        ValueError: There are no seeds, or one comes twice.
    """
    seeds = check_seeds(seeds)
    if is_fast(fast):
        delay, updates = min(delay, 9), updates or 2 * PART
    nets = [
        *(Net("elman", recurrence) for recurrence in RECURRENCES),
        Net("gru", "orthogonal"),
        *(Net("lstm", each, bias) for each in RECURRENCES for bias in forget_biases),
    ]
    accuracy: dict[str, dict[Net, list[float]]] = {panel: {} for panel in EMBEDDINGS}
    trainings = []
    for panel, net, seed in itertools.product(EMBEDDINGS, nets, seeds):
        model = copying_model(net, EMBEDDINGS[panel](), delay, seed)
        train = partial(_train, model, delay, updates or 12 * PART)
        trainings.append(timed(_name(net), seed, model, train))
        share = copying_accuracy(model, delay)
        accuracy[panel].setdefault(net, []).append(share)
        gate = "" if net.forget_bias is None else f"forget bias {net.forget_bias:g}, "
        report(trainings[-1], f"{panel}, {gate}accuracy {share:.2f}", quiet)
    return CopyingResult(accuracy, delay, 1 / SYMBOLS, trainings)


def copying_model(net: Net, embeddings: Any, delay: int, seed: int) -> keras.Model:
    """A net that reads a sequence and scores the symbol to be said at its end.

    Args:
        net: The recurrent layer, and how it begins.
        embeddings: A Keras initializer.
        delay: Blanks between the symbol and its copy.
        seed: Decides all weights.
    """
    keras.utils.set_random_seed(seed)
    bias = {} if net.forget_bias is None else {"forget_bias": net.forget_bias}
    start = RECURRENCES[net.recurrence]()
    cell = make_cell(net.cell, UNITS, recurrent_initializer=start, **bias)
    ids = keras.Input((delay + 2,), dtype="int32")
    vectors = keras.layers.Embedding(SYMBOLS + 3, EMBEDDING, embeddings_initializer=embeddings)(ids)
    _, (last, *_) = Recurrence(cell)(vectors)
    model = keras.Model(ids, keras.layers.Dense(SYMBOLS + 3)(last))
    model.compile(
        optimizer=keras.optimizers.Adam(0.002, global_clipnorm=1.0),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
        # JAX runs step by step without it; TensorFlow compiles for longer than it saves.
        jit_compile=keras.backend.backend() == "jax",
    )
    return model


def _train(model: keras.Model, delay: int, updates: int) -> None:
    """Learn until a whole part is right."""
    inputs, targets = (np.tile(each, (PART, 1)) for each in sequences(delay))
    for _ in range(updates // PART):
        history = model.fit(inputs, targets, batch_size=SYMBOLS, shuffle=False, verbose=0)
        if history.history["accuracy"][-1] == 1.0:
            break


def copying_accuracy(model: Callable[..., Any], delay: int) -> float:
    """The share of the symbols that are said again correctly; each is asked for once.

    Args:
        model: Takes ids `(batch, time)`, returns scores `(batch, ids)` of the
            symbol to be said at the end.
        delay: Blanks between the symbol and its copy.
    """
    inputs, targets = sequences(delay)
    scores = keras.ops.convert_to_numpy(model(inputs))
    return float(np.mean(scores.argmax(axis=-1) == targets[:, 0]))


def sequences(delay: int) -> tuple[np.ndarray, np.ndarray]:
    """All sequences with one symbol, `(symbols, time)`, and the symbols, `(symbols, 1)`."""
    inputs = np.repeat(data.copying(1, delay, 1, SYMBOLS).inputs, SYMBOLS, axis=0)
    inputs[:, 0] = np.arange(1, SYMBOLS + 1)
    return inputs, inputs[:, :1]
