"""Figures. Each function returns one, which a notebook shows when it ends a cell."""

from typing import TYPE_CHECKING, Any

from rnnkit.plots.attention import attention_map
from rnnkit.plots.curves import accuracy_curves
from rnnkit.plots.figure import alt_text
from rnnkit.plots.gradients import gradient_norms
from rnnkit.plots.unrolling import unrolled

if TYPE_CHECKING:
    from rnnkit.plots.training import TrainingCurve

__all__ = [
    "TrainingCurve",
    "accuracy_curves",
    "alt_text",
    "attention_map",
    "gradient_norms",
    "unrolled",
]


def __getattr__(name: str) -> Any:
    # A Keras callback cannot be defined without Keras, so it is imported when
    # it is first asked for.
    if name == "TrainingCurve":
        from rnnkit.plots.training import TrainingCurve

        return TrainingCurve
    raise AttributeError(f"module 'rnnkit.plots' has no attribute {name!r}")
