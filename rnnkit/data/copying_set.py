"""Copying after a long wait: what a net's memory is measured with."""

import random
from typing import NamedTuple

import numpy as np

from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import check_count


class CopyingSet(NamedTuple):
    """Sequences to copy, as ids. Time is ``2 * length + delay`` steps.

    Ids 1 to ``symbols`` are the symbols, ``symbols + 1`` is a blank,
    ``symbols + 2`` says that the copy must come now. Id 0 stays free for
    padding; nothing here is padded.

    Args:
        inputs: int32 ``(count, time)``: the symbols, then blanks, the last of
            them a "now", then blanks while the copy is to be said.
        targets: int32 ``(count, time)``: blanks, and at the end the symbols.
        mask: bool ``(count, time)``, True in the last ``length`` steps: score
            these alone.
        vocabulary_size: How many ids there are, with 0.
    """

    inputs: np.ndarray
    targets: np.ndarray
    mask: np.ndarray
    vocabulary_size: int


@register(
    DataInfo(
        name="copying",
        kind="generated",
        description="symbols to say again after a long wait",
        size="any count",
        licence="MIT",
        source="made here",
    )
)
def copying(
    count: int = 1000, delay: int = 50, length: int = 5, symbols: int = 8, seed: int = 0
) -> CopyingSet:
    """Make sequences whose first symbols must be said again at the end.

    A net must keep ``length`` symbols, each for exactly ``length + delay``
    steps, while blanks come in. Symbols are drawn evenly and independently, so
    chance is ``1 / symbols`` on the masked steps, with a cross-entropy of
    ``log(symbols)`` nats. Taught in unit 02, section s7.

    Args:
        count: How many sequences.
        delay: Blanks between the symbols and their copy, in steps; the last of
            them is the "now".
        length: Symbols in each sequence.
        symbols: How many symbols there are to choose from.
        seed: The same seed gives the same sequences.

    Returns:
        Arrays of ``2 * length + delay`` steps.

    Raises:
        ValueError: A setting is too small.

    Example:

    >>> from rnnkit.data import copying
    >>> data = copying(1, delay=3, length=2, symbols=4, seed=1)
    >>> data.inputs  # two symbols, blank (5), blank, now (6), two blanks
    array([[1, 4, 5, 5, 6, 5, 5]], dtype=int32)
    >>> data.targets
    array([[5, 5, 5, 5, 5, 1, 4]], dtype=int32)
    """
    check_count(count)
    if delay < 1 or length < 1 or symbols < 2:
        raise ValueError(
            "copying needs delay >= 1, length >= 1 and symbols >= 2. "
            f"Received: delay={delay}, length={length}, symbols={symbols}"
        )
    blank, now = symbols + 1, symbols + 2
    generator = random.Random(seed)
    drawn = generator.choices(range(1, symbols + 1), k=count * length)
    said = np.array(drawn, dtype="int32").reshape(count, length)

    shape = (count, 2 * length + delay)  # (count, time)
    inputs = np.full(shape, blank, dtype="int32")
    targets = np.full(shape, blank, dtype="int32")
    mask = np.zeros(shape, dtype=bool)
    inputs[:, :length] = said
    inputs[:, length + delay - 1] = now
    targets[:, -length:] = said
    mask[:, -length:] = True
    return CopyingSet(inputs, targets, mask, vocabulary_size=symbols + 3)
