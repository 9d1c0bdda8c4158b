"""How many predictions are right to the last character."""

from collections.abc import Sequence


def exact_match(predictions: Sequence[str], targets: Sequence[str]) -> float:
    """The share of predictions that equal their targets.

    Args:
        predictions: What a model gave.
        targets: What is right.

    Returns:
        A number from 0.0 to 1.0.

    Raises:
        ValueError: There are no targets, or not as many predictions.

    Example:

    >>> from rnnkit.metrics import exact_match
    >>> exact_match(["2026-11-27", "2026-11-2"], ["2026-11-27", "2026-11-28"])
    0.5
    """
    check_pairs(predictions, targets)
    right = sum(
        prediction == target for prediction, target in zip(predictions, targets, strict=True)
    )
    return float(right / len(targets))


def check_pairs(predictions: Sequence[object], targets: Sequence[object]) -> None:
    """Check that there is one prediction for each target, and at least one.

    Raises:
        ValueError: There are no targets, or not as many predictions.
    """
    if isinstance(predictions, str) or isinstance(targets, str):
        raise ValueError(
            "predictions and targets must be lists of strings. "
            f"Received: predictions={predictions!r}, targets={targets!r}"
        )
    if len(targets) == 0 or len(predictions) != len(targets):
        raise ValueError(
            "there must be one prediction for each target, and at least one. "
            f"Received: {len(predictions)} predictions, {len(targets)} targets"
        )
