"""How much each task takes from each layer."""

from collections.abc import Mapping, Sequence

import numpy as np

from rnnkit.plots.figure import FONT_SIZE, CourseFigure
from rnnkit.plots.heat_map import draw_heat_map, write_values


def layer_weights(
    weights: Mapping[str, Sequence[float]],
    layers: Sequence[str] | None = None,
    title: str | None = None,
) -> CourseFigure:
    """Draw the weights of layers that each task has learned, one row for each task.

    Used in unit 07, section s37.

    Args:
        weights: For each task's name, the softmax-normalised weight of each
            layer, from below.
        layers: The layers' names; by default `token layer`, `layer 1`, …
        title: Stands above.

    Returns:
        The figure.

    Raises:
        ValueError: There are no tasks, a task has another number of weights
            than there are layers, or weights are negative or do not sum to 1.

    Example:

    >>> from rnnkit.plots import alt_text, layer_weights
    >>> alt_text(layer_weights({"tags": [0.2, 0.5, 0.3], "senses": [0.2, 0.3, 0.5]}))
    'Weights of layers. tags: token layer 0.20, layer 1 0.50, layer 2 0.30.
    senses: token layer 0.20, layer 1 0.30, layer 2 0.50.'
    """
    if not weights:
        raise ValueError("weights must hold a task. Received: none")
    first = next(iter(weights.values()))
    names = layers or ["token layer", *(f"layer {number}" for number in range(1, len(first)))]
    for task, row in weights.items():
        if len(row) != len(names):
            raise ValueError(
                f"each task must have {len(names)} weights, one for each layer. "
                f"Received: {len(row)} for {task!r}"
            )
        if min(row) < 0 or abs(sum(row) - 1) > 1e-3:
            raise ValueError(
                f"the weights of a task must be 0 or more and sum to 1, as softmax gives them. "
                f"Received: {list(row)} for {task!r}"
            )
    values = np.array(list(weights.values()), dtype=float)
    figure = CourseFigure(height=1.2 + 0.36 * len(weights))
    axes = figure.subplots()
    image = draw_heat_map(axes, values, list(names), list(weights))
    write_values(axes, values)
    bar = figure.colorbar(image, ax=axes, fraction=0.05, pad=0.02, ticks=[0, 0.5, 1])
    bar.set_label("weight", fontsize=FONT_SIZE)
    bar.ax.tick_params(labelsize=FONT_SIZE)
    if title:
        axes.set_title(title, fontsize=FONT_SIZE)
    told = [
        f"{task}: " + ", ".join(f"{n} {w:.2f}" for n, w in zip(names, row, strict=True)) + "."
        for task, row in weights.items()
    ]
    figure.rnnkit_alt = f"{title or 'Weights of layers'}. {' '.join(told)}"
    return figure
