"""Accuracy for short, longer and long texts."""

import itertools
from collections.abc import Sequence

from rnnkit.metrics.exact import check_pairs, exact_match


def accuracy_by_length(
    predictions: Sequence[str],
    targets: Sequence[str],
    lengths: Sequence[int],
    edges: Sequence[int],
) -> list[tuple[int, int, int, float]]:
    """The share of exact matches for each range of lengths.

    Args:
        predictions: What a model gave.
        targets: What is right.
        lengths: The length of each pair, usually ``len(source)``.
        edges: Where ranges begin, rising; the last number ends the last range.
            ``[3, 9, 25]`` means lengths 3 to 8, and 9 to 24.

    Returns:
        ``(low, high, count, accuracy)`` for each range: its smallest and its
        greatest length (both belong to it), how many pairs it has, and the
        share of them that match. A range without pairs has accuracy ``nan``.

    Raises:
        ValueError: The lists differ in length, the edges do not rise, or a
            length lies outside them.

    Example:

    >>> from rnnkit.metrics import accuracy_by_length
    >>> accuracy_by_length(["ba", "cba", "dca"], ["ba", "cba", "dcba"], [2, 3, 4], [2, 4, 6])
    [(2, 3, 2, 1.0), (4, 5, 1, 0.0)]
    """
    check_pairs(predictions, targets)
    if len(lengths) != len(targets):
        raise ValueError(
            "there must be one length for each target. "
            f"Received: {len(lengths)} lengths, {len(targets)} targets"
        )
    if len(edges) < 2 or any(low >= high for low, high in itertools.pairwise(edges)):
        raise ValueError(f"edges must be two or more rising numbers. Received: {list(edges)}")
    outside = [length for length in lengths if not edges[0] <= length < edges[-1]]
    if outside:
        raise ValueError(
            f"each length must be from {edges[0]} to {edges[-1] - 1}, the range of edges. "
            f"Received: {outside[0]}"
        )
    table = []
    for low, end in itertools.pairwise(edges):
        rows = [row for row, length in enumerate(lengths) if low <= length < end]
        accuracy = (
            exact_match([predictions[row] for row in rows], [targets[row] for row in rows])
            if rows
            else float("nan")
        )
        table.append((int(low), int(end) - 1, len(rows), accuracy))
    return table
