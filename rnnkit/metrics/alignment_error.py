"""The alignment error rate."""

from collections.abc import Sequence

import numpy as np

Links = np.ndarray | Sequence[np.ndarray]


def alignment_error_rate(predicted: Links, sure: Links, possible: Links) -> float:
    """How far predicted links are from gold links: 0.0 is perfect, 1.0 is all wrong.

    With A the predicted links, S the sure and P the possible gold links,

        AER = 1 - (|A and S| + |A and P|) / (|A| + |S|)

    so a missing sure link costs, and so does a predicted link that is not even
    possible; a possible link may be predicted or not. For several pairs the
    four counts are added up first. With no predicted and no sure link at all
    nothing is wrong, and the rate is 0.0.

    A target position that has no gold link (a hyphen of an ISO date) costs
    whenever it is predicted to have one: leave such rows out of all three
    arrays if that is not meant.

    Args:
        predicted: A: bool ``(target, source)`` for one pair, or a list of such
            arrays (or one array ``(pairs, target, source)``) for several.
        sure: S, of the same shape.
        possible: P, of the same shape; it holds all of S.

    Returns:
        A number from 0.0 to 1.0.

    Raises:
        ValueError: The shapes differ, an array is not bool, or a sure link is
            not possible.

    Example:

    >>> import numpy as np
    >>> from rnnkit.metrics import alignment_error_rate
    >>> sure = np.array([[True, False], [False, False]])
    >>> possible = np.array([[True, False], [True, True]])
    >>> alignment_error_rate(possible, sure, possible)
    0.0
    >>> alignment_error_rate(~sure, sure, possible)
    0.5

    Reference:
        Och and Ney (2003), A systematic comparison of various statistical
        alignment models. Computational Linguistics 29(1).
    """
    matched = total = 0
    for a, s, p in _pairs(predicted, sure, possible):
        matched += int((a & s).sum() + (a & p).sum())
        total += int(a.sum() + s.sum())
    return 1.0 - matched / total if total else 0.0


def _pairs(
    predicted: Links, sure: Links, possible: Links
) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    lists = [_as_list(links) for links in (predicted, sure, possible)]
    if len({len(links) for links in lists}) != 1:
        counts = ", ".join(str(len(links)) for links in lists)
        raise ValueError(
            f"predicted, sure and possible must hold as many pairs each. Received: {counts} pairs"
        )
    triples = list(zip(*lists, strict=True))
    for index, (a, s, p) in enumerate(triples):
        _check(index, a, s, p)
    return triples


def _as_list(links: Links) -> list[np.ndarray]:
    # A list is several pairs, or one pair written as a list of rows.
    if isinstance(links, np.ndarray) and links.ndim == 2:
        return [links]
    arrays = [np.asarray(pair) for pair in links]
    if arrays and all(array.ndim == 1 for array in arrays):
        return [np.array(arrays)]
    return arrays


def _check(index: int, a: np.ndarray, s: np.ndarray, p: np.ndarray) -> None:
    if not a.shape == s.shape == p.shape or a.ndim != 2:
        raise ValueError(
            f"the arrays of a pair must have the same shape (target, source). Received: pair "
            f"{index} with predicted {a.shape}, sure {s.shape}, possible {p.shape}"
        )
    if not a.dtype == s.dtype == p.dtype == bool:
        raise ValueError(
            "links must be bool arrays; use links_from_weights for attention weights. Received: "
            f"pair {index} with predicted {a.dtype}, sure {s.dtype}, possible {p.dtype}"
        )
    if (s & ~p).any():
        raise ValueError(
            f"each sure link must also be possible. Received: pair {index} with "
            f"{int((s & ~p).sum())} sure links that are not"
        )
