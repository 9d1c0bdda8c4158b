"""The copying task, learned by many small nets side by side."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import keras
import numpy as np
from keras import ops

from rnnkit.experiments.copying import EMBEDDING, SYMBOLS, CopyingResult, Net, sequences
from rnnkit.experiments.training import check_seeds, is_fast, report, timed
from rnnkit.layers import Tensor, make_cell

UNITS, RATE = 32, 0.005
# Made anew for each net: an initializer of Keras gives the same numbers each time.
RECURRENCES: dict[str, Callable[[int], Any]] = {
    "orthogonal": lambda units: "orthogonal",
    "Gaussian": lambda units: keras.initializers.RandomNormal(stddev=units**-0.5),
}
EMBEDDINGS: dict[str, Callable[[], Any]] = {
    "embeddings as Keras makes them": keras.initializers.RandomUniform,  # from -0.05 to 0.05
    "embeddings of standard deviation 1": lambda: keras.initializers.RandomNormal(stddev=1.0),
}
NAMES = {"elman": "Elman", "lstm": "LSTM"}


def copying_together(
    seeds: Sequence[int] = (0, 1, 2),
    forget_biases: Sequence[float] = (0, 1, 3, 5),
    delay: int = 49,
    updates: int | None = None,
    fast: bool | None = None,
    quiet: bool = False,
) -> CopyingResult:
    """Measure what `copying` measures, in a time that a lesson has.

    The nets are smaller (32 units), and the wait is half as long. Those of one
    kind learn at the same time: each has its own weights, its own clipping and
    its own seed, and none sees another, but they share the loop over time,
    which is what takes long. So tens of nets take little longer than one.

    Claim what all seeds show. Taught in unit 02, section s7.

    Args:
        seeds: Each net begins from each of them.
        forget_biases: What the LSTM's forget gates begin with.
        delay: How many steps after the symbol its copy is asked for.
        updates: How often each net's weights are changed; 300 by default, 20
            where fast.
        fast: A small setting, which shows how it goes but not what is learned:
            the wait is 9 steps then.
        quiet: Print nothing.

    Returns:
        The accuracies, as `copying` returns them. A training stands for all
        nets of its kind.

    Raises:
        ValueError: There are no seeds, or one comes twice.
    """
    seeds = check_seeds(seeds)
    if is_fast(fast):
        delay, updates = min(delay, 9), updates or 20
    nets = {
        "elman": [Net("elman", each) for each in RECURRENCES],
        "lstm": [Net("lstm", each, bias) for each in RECURRENCES for bias in forget_biases],
    }
    accuracy: dict[str, dict[Net, list[float]]] = {panel: {} for panel in EMBEDDINGS}
    trainings = []
    for kind, own in nets.items():
        runs = [(panel, net, seed) for panel in EMBEDDINGS for net in own for seed in seeds]
        model = side_by_side(kind, [first_weights(*run) for run in runs], delay)
        train = partial(train_side_by_side, model, delay, updates or 300)
        trainings.append(timed(NAMES[kind], seeds[0], model, train))
        for (panel, net, _), share in zip(runs, shares_right(model, delay), strict=True):
            accuracy[panel].setdefault(net, []).append(share)
        report(trainings[-1], f"{len(runs)} nets trained side by side", quiet)
    return CopyingResult(accuracy, delay, 1 / SYMBOLS, trainings)


def first_weights(panel: str, net: Net, seed: int, units: int = UNITS) -> list[np.ndarray]:
    """What a net begins with: embedding, W, U and b of its cell, and of its last layer.

    Args:
        panel: A name in `EMBEDDINGS`.
        net: An Elman net or an LSTM.
        seed: Decides all weights.
        units: The size of its state.
    """
    keras.utils.set_random_seed(seed)
    bias = {} if net.forget_bias is None else {"forget_bias": net.forget_bias}
    start = RECURRENCES[net.recurrence](units)
    cell = make_cell(net.cell, units, recurrent_initializer=start, **bias)
    embedding = EMBEDDINGS[panel]()((SYMBOLS + 3, EMBEDDING))
    cell.build((None, EMBEDDING))
    last = keras.layers.Dense(SYMBOLS + 3)
    last.build((None, units))
    return [ops.convert_to_numpy(embedding), *cell.get_weights(), *last.get_weights()]


def side_by_side(kind: str, beginnings: Sequence[list[np.ndarray]], delay: int) -> keras.Model:
    """A model that is many nets: it gives scores `(batch, nets, ids)`.

    Args:
        kind: "elman" or "lstm".
        beginnings: For each net, what `first_weights` returned; all of one size.
        delay: Blanks between the symbol and its copy.
    """
    ids = keras.Input((delay + 2,), dtype="int32")
    nets = _SideBySide(kind, [np.stack(weights) for weights in zip(*beginnings, strict=True)])
    model = keras.Model(ids, nets(ids))
    model.compile(
        optimizer=_ClipEachNet(RATE, name="clip_each_net"),
        loss=_sum_over_nets,
        jit_compile=keras.backend.backend() == "jax",  # as in `copying`
    )
    return model


def train_side_by_side(model: keras.Model, delay: int, updates: int) -> None:
    """Train on all sequences at each update."""
    inputs, targets = sequences(delay)
    model.fit(
        np.tile(inputs, (updates, 1)),
        np.tile(targets, (updates, model.output_shape[1])),
        batch_size=SYMBOLS,
        shuffle=False,
        verbose=0,
    )


def shares_right(model: keras.Model, delay: int) -> list[float]:
    """For each net, the share of the symbols that it says again correctly."""
    inputs, targets = sequences(delay)
    scores = ops.convert_to_numpy(model(inputs))  # (batch, nets, ids)
    return (scores.argmax(axis=-1) == targets).mean(axis=0).tolist()


class _SideBySide(keras.layers.Layer):
    """Nets of one kind that never touch: the first axis of each weight is the net."""

    def __init__(self, kind: str, beginnings: list[np.ndarray]) -> None:
        super().__init__()
        self.units = beginnings[2].shape[1]
        self.step = make_cell(kind, self.units).step  # its way of computing, without weights
        self.state_count = {"elman": 1, "lstm": 2}[kind]
        self.beginnings = beginnings

    def build(self, ids_shape: Any) -> None:
        """One weight for all nets in the place of each weight of a net."""
        names = ("embedding", "kernel", "recurrent", "bias", "last", "last_bias")
        for name, beginning in zip(names, self.beginnings, strict=True):
            weight = self.add_weight(name=name, shape=beginning.shape)
            weight.assign(beginning)
            setattr(self, name, weight)
        self.built = True

    def call(self, ids: Tensor) -> Tensor:
        """Scores of the last step, `(batch, nets, ids)`."""
        # What each symbol gives to the gates, (nets, symbols, blocks * units), and each position.
        table = ops.matmul(self.embedding, self.kernel) + self.bias[:, None]
        projected = ops.take(ops.transpose(table, (1, 0, 2)), ops.transpose(ids), axis=0)
        projected = ops.transpose(projected, (0, 2, 1, 3))  # (time, nets, batch, blocks * units)
        blocks = ops.split(self.recurrent, self.recurrent.shape[-1] // self.units, axis=-1)
        zeros = ops.zeros((len(self.beginnings[0]), ops.shape(ids)[0], self.units))
        states = (zeros,) * self.state_count  # (nets, batch, units) each
        for position in ops.unstack(projected, ids.shape[1]):
            _, states = self.step(position, states, blocks)
        scores = ops.matmul(states[0], self.last) + self.last_bias[:, None]
        return ops.transpose(scores, (1, 0, 2))


class _ClipEachNet(keras.optimizers.Adam):
    """Adam, with the gradient of each net clipped to norm 1 for itself."""

    def apply(self, grads: Any, trainable_variables: Any = None) -> None:
        """As in Keras."""
        squares = sum(
            ops.sum(ops.square(grad), axis=tuple(range(1, len(grad.shape)))) for grad in grads
        )
        factors = 1 / ops.maximum(1.0, ops.sqrt(squares))  # (nets,)
        clipped = [
            grad * ops.reshape(factors, (-1,) + (1,) * (len(grad.shape) - 1)) for grad in grads
        ]
        super().apply(clipped, trainable_variables)


def _sum_over_nets(targets: Tensor, scores: Tensor) -> Tensor:
    """The sum, so that no net's gradient depends on how many there are."""
    losses = keras.losses.sparse_categorical_crossentropy(targets, scores, from_logits=True)
    return ops.sum(losses, axis=-1)
