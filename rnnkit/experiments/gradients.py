"""How much of a gradient is left many steps back, before any training?"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import keras
import numpy as np

from rnnkit.experiments.training import Points, check_seeds, is_fast, points
from rnnkit.layers import Recurrence, make_cell
from rnnkit.models import gradient_by_distance

UNITS, FEATURES, SENTENCES = 64, 32, 8
# Names for a figure, and the largest eigenvalue of U, about; None for an orthogonal U.
ELMAN_RECURRENCES = {
    "orthogonal": None,
    "Gaussian, radius 0.5": 0.5,
    "Gaussian, radius 1": 1.0,
    "Gaussian, radius 2": 2.0,
}
LSTM_RECURRENCES = {"orthogonal": None, "Gaussian, radius 1": 1.0}
# Names for a figure, and the standard deviation of the inputs.
INPUTS = {"small inputs": 0.03, "inputs of standard deviation 1": 1.0}

Norms = dict[str, np.ndarray]  # for each curve, (seeds, distances)


class GradientsResult(NamedTuple):
    """Norms of gradients by distance, for each seed the median over sentences.

    Args:
        elman: By inputs, then by recurrence.
        hidden: Of the LSTM's h, by inputs, then recurrence, then forget bias.
        memory: Of the LSTM's c, likewise.
    """

    elman: dict[str, Norms]
    hidden: dict[str, dict[str, Norms]]
    memory: dict[str, dict[str, Norms]]

    def series(self) -> dict[str, dict[str, Points]]:
        """Elman: the norm against the distance, a panel for each kind of inputs.

        Taught in unit 01, section s3. Draw it with `log_y=True`.
        """
        return {inputs: _points(norms) for inputs, norms in self.elman.items()}

    def by_forget_bias(
        self, state: str = "h", inputs: str = "inputs of standard deviation 1"
    ) -> dict[str, dict[str, Points]]:
        """LSTM by forget bias beside an orthogonal Elman net, a panel for each recurrence.

        Taught in unit 02, section s7. Draw it with `log_y=True`.

        Args:
            state: Of which state: "h" or "c".
            inputs: A name in `INPUTS`.
        """
        of_state = {"h": self.hidden, "c": self.memory}[state][inputs]
        elman = {"Elman, orthogonal": self.elman[inputs]["orthogonal"]}
        nearest = {"h": 0, "c": 1}[state]  # the last c has no part in u · h
        return {
            f"U {recurrence}": _points({**norms, **elman}, nearest)
            for recurrence, norms in of_state.items()
        }


def _points(norms: Norms, nearest: int = 0) -> dict[str, Points]:
    return {
        name: points(range(values.shape[1]), values)[nearest:] for name, values in norms.items()
    }


def gradients(
    seeds: Sequence[int] = (0, 1, 2),
    steps: int = 100,
    forget_biases: Sequence[float] = (0, 1, 3, 5),
    fast: bool | None = None,
) -> GradientsResult:
    r"""Measure how gradients vanish or explode with distance, in nets as they begin.

    The norm of $\partial\, \mathrm{cost}_N / \partial h_t$ against N - t, which
    is 1 at distance 0, for nets of 64 units that have learned nothing yet, on
    random inputs. An Elman net's gradient is multiplied by U and by the slope
    of tanh at each step: with a small U it vanishes, with a large U and small
    inputs it can explode at first. An LSTM's memory is multiplied by its forget
    gate alone on its own way: near σ(bias) for each step, on average. The ways
    through the other gates come on top, so norms can also grow.

    "Orthogonal" is what Keras begins with. In an LSTM it makes the rows of all
    four blocks of U together orthogonal, so each block alone is about half as
    large as an orthogonal matrix.

    This says how learning can begin, not what is learned; see `copying`.
    Taught in unit 01, section s3, and unit 02, section s7.

    Args:
        seeds: One net of each kind for each of them.
        steps: The largest distance.
        forget_biases: What the LSTM's forget gates begin with.
        fast: A small setting: at most 20 steps.

    Returns:
        The norms.

    Raises:
        ValueError: There are no seeds, or one comes twice; or `steps` is less
            than 1.
    """
    seeds = check_seeds(seeds)
    if steps < 1:
        raise ValueError(f"gradients expects steps >= 1. Received: steps={steps}")
    if is_fast(fast):
        steps = min(steps, 20)
    elman: dict[str, Norms] = {}
    hidden: dict[str, dict[str, Norms]] = {}
    memory: dict[str, dict[str, Norms]] = {}
    for inputs, size in INPUTS.items():
        elman[inputs] = {
            name: _each_seed("elman", radius, size, steps, seeds)
            for name, radius in ELMAN_RECURRENCES.items()
        }
        for state, norms in enumerate((hidden, memory)):
            norms[inputs] = {
                name: {
                    f"LSTM, forget bias {bias:g}": _each_seed(
                        "lstm", radius, size, steps, seeds, state, forget_bias=bias
                    )
                    for bias in forget_biases
                }
                for name, radius in LSTM_RECURRENCES.items()
            }
    return GradientsResult(elman, hidden, memory)


def _each_seed(
    cell: str,
    radius: float | None,
    inputs_size: float,
    steps: int,
    seeds: Sequence[int],
    state: int = 0,
    **settings: Any,
) -> np.ndarray:
    """The norms of a net as it begins, `(seeds, distances)`."""
    each = []
    for seed in seeds:
        keras.utils.set_random_seed(seed)
        start = _gaussian(radius) if radius else "orthogonal"
        layer = Recurrence(make_cell(cell, UNITS, recurrent_initializer=start, **settings))
        inputs = np.random.default_rng(seed).normal(
            0, inputs_size, (SENTENCES, steps + 1, FEATURES)
        )
        norms = gradient_by_distance(layer, inputs.astype("float32"), seed=seed, state=state)
        each.append(np.median(norms, axis=0))
    return np.array(each)


def _gaussian(radius: float) -> Any:
    """Numbers whose square matrices have a largest eigenvalue of about `radius`."""
    return keras.initializers.RandomNormal(stddev=radius * UNITS**-0.5)
