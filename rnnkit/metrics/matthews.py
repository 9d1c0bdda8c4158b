"""Matthews' correlation coefficient, for yes and no."""

from collections.abc import Sequence

import numpy as np

from rnnkit.metrics.exact import check_pairs


def matthews(predictions: Sequence[int], targets: Sequence[int]) -> float:
    r"""How well predicted classes agree with the right ones, whatever their sizes.

    For two classes, with counts of true and false positives and negatives,

    $$\frac{TP \cdot TN - FP \cdot FN}
      {\sqrt{(TP + FP)(TP + FN)(TN + FP)(TN + FN)}}$$

    1 is perfect, -1 is all wrong, and 0 is what guessing gives: also what
    "always yes" gives where nine of ten are yes, which has an accuracy of 0.9.
    Where either side has one class only, it is 0. Taught in unit 04, section s17.

    Args:
        predictions: A class for each text: bool, or whole numbers.
        targets: The right classes.

    Returns:
        A number from -1.0 to 1.0.

    Raises:
        ValueError: The lists are empty or differ in length, or hold something
            else than classes.

    Example:

    >>> from rnnkit.metrics import matthews
    >>> matthews([1, 1, 0, 0], [1, 1, 0, 1])
    0.5773502691896258
    >>> matthews([1, 1, 1, 1], [1, 1, 0, 1])
    0.0
    """
    from sklearn.metrics import matthews_corrcoef  # slow to import, so only where it is used

    predicted, right = (
        _classes(name, each) for name, each in (("predictions", predictions), ("targets", targets))
    )
    check_pairs(predictions, targets)
    return float(matthews_corrcoef(right, predicted))


def _classes(name: str, values: Sequence[int]) -> np.ndarray:
    classes = np.asarray(values)
    if classes.ndim != 1 or (classes.size and classes.dtype.kind not in "biu"):
        raise ValueError(
            f"{name} must be a list of classes: bool, or whole numbers; compare probabilities "
            f"with a threshold first. Received: {classes.dtype}, shape {classes.shape}"
        )
    return classes
