"""What a recurrent layer costs: time against length, and against width."""

import statistics
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import keras
import numpy as np

from rnnkit.experiments.training import is_fast
from rnnkit.layers import Recurrence, make_cell

Key = TypeVar("Key", bound=Hashable)
Times = dict[str, list[tuple[float, float]]]  # (x, milliseconds)

LENGTHS = (100, 200, 400, 800)
WIDTHS = (32, 64, 128, 256, 512)


class TimeResult(NamedTuple):
    """The time of one forward pass, in milliseconds, medians.

    Args:
        by_length: For each net, by the number of steps.
        by_width: For each net, by the number of units; as many inputs.
        width: The width while the length varied.
        length: The length while the width varied.
        batch: How many sequences were read side by side.
    """

    by_length: Times
    by_width: Times
    width: int
    length: int
    batch: int

    def series(self) -> Times:
        """Milliseconds against the length in steps."""
        return self.by_length

    def series_by_width(self) -> Times:
        """Milliseconds against the width in units."""
        return self.by_width


def time_per_step(
    lengths: Sequence[int] = LENGTHS,
    widths: Sequence[int] = WIDTHS,
    length: int = 100,
    width: int = 64,
    batch: int = 8,
    repeats: int = 15,
    fast: bool | None = None,
) -> TimeResult:
    """Measure the time of a forward pass against length and against width.

    Step t of a recurrence needs the state of step t - 1, so a sequence twice as
    long takes twice as long, on any number of processors. Within a step, all
    units are computed at once: while a step is small, starting it costs more
    than its numbers, and more units are nearly free. Beside Elman and LSTM
    stands a layer of the same width without recurrence, whose positions do not
    wait for each other.

    Times belong to one machine, and to what else it did at the time. All nets
    are measured in turn, `repeats` times, and the medians taken.

    Taught in unit 01, section s39.

    Args:
        lengths: Numbers of steps, at a width of `width`.
        widths: Numbers of units, at a length of `length`.
        length: The length while the width varies.
        width: The width while the length varies.
        batch: How many sequences are read side by side.
        repeats: How often each is measured.
        fast: A small setting: the first two lengths and widths, 3 repeats.

    Returns:
        The medians.

    Raises:
        ValueError: A number is less than 1.
    """
    numbers = [*lengths, *widths, length, width, batch, repeats]
    if not lengths or not widths or min(numbers) < 1:
        raise ValueError(
            "time_per_step expects lengths and widths, and numbers of at least 1. "
            f"Received: lengths={lengths}, widths={widths}, length={length}, width={width}, "
            f"batch={batch}, repeats={repeats}"
        )
    if is_fast(fast):
        lengths, widths, repeats = lengths[:2], widths[:2], min(repeats, 3)
    places = [*((steps, width) for steps in lengths), *((length, units) for units in widths)]
    passes = {
        (name, steps, units): _forward_pass(name, steps, units, batch)
        for name in ("Elman", "LSTM", "no recurrence")
        for steps, units in dict.fromkeys(places)
    }
    seconds = median_seconds(passes, repeats)
    by_length: Times = {}
    by_width: Times = {}
    for name in dict.fromkeys(name for name, *_ in passes):
        by_length[name] = [(steps, 1000 * seconds[name, steps, width]) for steps in lengths]
        by_width[name] = [(units, 1000 * seconds[name, length, units]) for units in widths]
    return TimeResult(by_length, by_width, width, length, batch)


def median_seconds(
    calls: Mapping[Key, Callable[[], object]],
    repeats: int,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[Key, float]:
    """The median time of each call, all measured in turn.

    What slows the machine down for a while then meets all of them. Each is
    called once before, which does not count: a graph may have to be made.

    Args:
        calls: Functions without arguments, by any name.
        repeats: How often each is measured.
        clock: Tells the time in seconds.
    """
    for call in calls.values():
        call()
    measured: dict[Key, list[float]] = {key: [] for key in calls}
    for _ in range(repeats):
        for key, call in calls.items():
            begin = clock()
            call()
            measured[key].append(clock() - begin)
    return {key: statistics.median(times) for key, times in measured.items()}


def _forward_pass(name: str, length: int, width: int, batch: int) -> Callable[[], Any]:
    """One layer over a batch of random inputs, `(batch, length, width)`."""
    inputs = keras.Input((length, width))
    if name == "no recurrence":
        outputs = keras.layers.Dense(width, activation="tanh")(inputs)
    else:
        outputs, _ = Recurrence(make_cell(name.lower(), width))(inputs)
    model = keras.Model(inputs, outputs[:, -1])
    model.compile(jit_compile=False)
    values = np.random.default_rng(0).normal(size=(batch, length, width)).astype("float32")
    return lambda: model.predict_on_batch(values)
