"""The table of a report on chance: how often a trained model passes its check, over seeds."""

from collections.abc import Sequence

import numpy as np

COLUMNS = ("setting", "answer", "threshold", "passed", "lowest", "median", "highest")


def head(*more: str) -> str:
    """The first two lines of the table.

    Args:
        *more: Columns before the others.
    """
    columns = (*more, *COLUMNS)
    return f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}"


def row(
    names: Sequence[object],
    threshold: float,
    found: Sequence[float],
    should_pass: bool | None = None,
    at_most: bool = False,
    digits: int = 3,
) -> str:
    """One line of the table.

    Args:
        names: What stands in the columns before the threshold.
        threshold: Of the check.
        found: What the check looks at, for each seed.
        should_pass: Whether all must pass, or none; None where this is not told.
        at_most: Whether the check asks for the threshold at most, instead of at least.
        digits: After the point.
    """
    passed = sum(each <= threshold if at_most else each >= threshold for each in found)
    told = f"{passed} of {len(found)}"
    if should_pass is not None:
        told += f", expected {len(found) if should_pass else 0}"
    spread = [f"{float(each):.{digits}f}" for each in (min(found), np.median(found), max(found))]
    return f"| {' | '.join([*map(str, names), f'{threshold:g}', told, *spread])} |"
