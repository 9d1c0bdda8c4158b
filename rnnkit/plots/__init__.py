"""Figures. Each function returns one, which a notebook shows when it ends a cell."""

from typing import TYPE_CHECKING, Any

from rnnkit.plots.accuracy import accuracy_curves
from rnnkit.plots.attention import attention_map
from rnnkit.plots.beam_tree import beam_tree
from rnnkit.plots.cell_ranking import cell_ranking
from rnnkit.plots.coloured_text import coloured_text
from rnnkit.plots.curves import curves
from rnnkit.plots.draw_network import draw_network
from rnnkit.plots.figure import alt_text
from rnnkit.plots.gates import gates_over_time
from rnnkit.plots.gradients import gradient_norms
from rnnkit.plots.influence import influence
from rnnkit.plots.layer_weights import layer_weights
from rnnkit.plots.network import describe_network, network
from rnnkit.plots.network_parts import Link, Network, Row
from rnnkit.plots.next_symbols import next_symbols
from rnnkit.plots.over_words import over_words
from rnnkit.plots.play import play
from rnnkit.plots.step_probabilities import step_probabilities
from rnnkit.plots.unrolling import unrolled
from rnnkit.plots.word_map import word_map

if TYPE_CHECKING:
    from rnnkit.plots.training import TrainingCurve

__all__ = [
    "Link",
    "Network",
    "Row",
    "TrainingCurve",
    "accuracy_curves",
    "alt_text",
    "attention_map",
    "beam_tree",
    "cell_ranking",
    "coloured_text",
    "curves",
    "describe_network",
    "draw_network",
    "gates_over_time",
    "gradient_norms",
    "influence",
    "layer_weights",
    "network",
    "next_symbols",
    "over_words",
    "play",
    "step_probabilities",
    "unrolled",
    "word_map",
]


def __getattr__(name: str) -> Any:
    # A Keras callback cannot be defined without Keras, so it is imported when
    # it is first asked for.
    if name == "TrainingCurve":
        import rnnkit.quiet_keras  # noqa: F401
        from rnnkit.plots.training import TrainingCurve

        return TrainingCurve
    raise AttributeError(f"module 'rnnkit.plots' has no attribute {name!r}")
