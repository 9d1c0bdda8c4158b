"""A text in rows, as a biLM reads it when it is only tested."""

import itertools
from typing import NamedTuple

import numpy as np

from rnnkit.elmo.streams import BEGIN_FORM, END_FORM, IndexedText, both_streams, round_up


class Reading(NamedTuple):
    """Rows of text that are read side by side by a model that is only tested.

    Args:
        inputs: `(2 directions, rows, time)`: numbers of forms.
        targets: The form after each.
        counts: Whether it counts: not on padding, nor where a sentence begins.
    """

    inputs: np.ndarray
    targets: np.ndarray
    counts: np.ndarray


def readings(text: IndexedText, batch: int, unroll: int, carried: bool) -> list[Reading]:
    """A text as it is read for a perplexity, in rows that each start from nothing.

    What counts are the words and the closing mark of each sentence, so both
    ways of reading predict the same.

    Args:
        text: The text.
        batch: How many rows a reading has.
        unroll: Of how many positions its time is a multiple.
        carried: One reading, whose rows go over the ends of sentences; False:
            each sentence is a row of its own.
    """
    ahead, back = both_streams(text, np.arange(len(text.starts) - 1))
    if carried:
        rows = min(max(len(ahead) // (10 * unroll), 1), batch)  # at least ten windows long
        length = -(-(len(ahead) - 1) // rows)
        cuts = [(start, start + length + 1) for start in range(0, len(ahead) - 1, length)]
        return [_reading(ahead, back, cuts, batch, unroll)]
    cuts = sorted(itertools.pairwise(text.starts.tolist()), key=lambda cut: cut[1] - cut[0])
    return [
        _reading(ahead, back, cuts[start : start + batch], batch, unroll)
        for start in range(0, len(cuts), batch)
    ]


def _reading(
    ahead: np.ndarray, back: np.ndarray, cuts: list[tuple[int, int]], batch: int, unroll: int
) -> Reading:
    longest = max(end - start for start, end in cuts) - 1
    shape = (2, batch, round_up(longest, unroll))
    made = Reading(np.zeros(shape, "int32"), np.zeros(shape, "int32"), np.zeros(shape, bool))
    streams = ((ahead, BEGIN_FORM), (back, END_FORM))
    for direction, (stream, opening) in enumerate(streams):
        for row, (start, end) in enumerate(cuts):
            words = stream[start:end]
            place = (direction, row, slice(len(words) - 1))
            made.inputs[place], made.targets[place] = words[:-1], words[1:]
            made.counts[place] = words[1:] != opening
    return made
