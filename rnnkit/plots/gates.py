"""The values of gates while a network reads a text."""

from collections.abc import Mapping, Sequence

import numpy as np

from rnnkit.plots.figure import FONT_SIZE, CourseFigure
from rnnkit.plots.heat_map import draw_heat_map, joined, visible, write_values

_MOST_GATES = 4
_MOST_SYMBOLS = 50
# Where so few cells are shown, the value stands in each.
_FEW_UNITS = 5
_FEW_SYMBOLS = 9


def gates_over_time(
    gates: Mapping[str, np.ndarray], symbols: Sequence[str], title: str | None = None
) -> CourseFigure:
    """Draw how far gates are open at each symbol, one row for each unit.

    Used in unit 02, sections s5 to s7.

    Args:
        gates: For each gate's name, its values `(time, units)`, from 0 (white)
            to 1 (dark blue). At most four gates.
        symbols: What was read at each step: a string or a list.
        title: Stands above.

    Returns:
        The figure, with one map for each gate.

    Raises:
        ValueError: There are no gates or more than four, a gate has another
            number of steps than there are symbols (at most 50), or a value
            lies outside 0 to 1.

    Example:

    >>> from rnnkit.plots import alt_text, gates_over_time
    >>> figure = gates_over_time({"forget gate": [[0.9, 0.7], [0.1, 0.3]]}, ["the", "cats"])
    >>> alt_text(figure)
    'Gates over time: the cats. forget gate: mean 0.50 over 2 units and 2 steps,
    highest at the (0.80), lowest at cats (0.20).'
    """
    names = visible(symbols)
    values = {name: np.asarray(gate, dtype=float) for name, gate in gates.items()}
    _check(values, len(names))
    tallest = max(gate.shape[1] for gate in values.values())
    height = min(1.8, max(0.8, 0.2 * tallest))
    figure = CourseFigure(height=1.1 + len(values) * (height + 0.35))
    all_axes = figure.subplots(len(values), squeeze=False)[:, 0]
    for number, (axes, (name, gate)) in enumerate(zip(all_axes, values.items(), strict=True)):
        image = draw_heat_map(axes, gate.T, names, rows=[])
        if number > 0:  # the symbols stand above the first map
            axes.set_xticks([])
        axes.set_ylabel("unit", fontsize=FONT_SIZE)
        axes.yaxis.get_major_locator().set_params(integer=True)
        axes.tick_params(labelsize=FONT_SIZE, axis="y")
        axes.set_xlabel(name, fontsize=FONT_SIZE)
        if gate.shape[1] <= _FEW_UNITS and len(names) <= _FEW_SYMBOLS:
            write_values(axes, gate.T)
    bar = figure.colorbar(image, ax=list(all_axes), fraction=0.05, pad=0.02, ticks=[0, 0.5, 1])
    bar.set_label("value of the gate", fontsize=FONT_SIZE)
    bar.ax.tick_params(labelsize=FONT_SIZE)
    if title:
        figure.suptitle(title, fontsize=FONT_SIZE)
    told = [_tell(name, gate, names) for name, gate in values.items()]
    figure.rnnkit_alt = f"{title or 'Gates over time'}: {joined(names)}. {' '.join(told)}"
    return figure


def _check(gates: dict[str, np.ndarray], length: int) -> None:
    if not 1 <= len(gates) <= _MOST_GATES:
        raise ValueError(f"gates must hold 1 to {_MOST_GATES} gates. Received: {len(gates)}")
    if not 1 <= length <= _MOST_SYMBOLS:
        raise ValueError(f"symbols must hold 1 to {_MOST_SYMBOLS}. Received: {length} symbols")
    for name, gate in gates.items():
        if gate.ndim != 2 or len(gate) != length or not gate.shape[1]:
            raise ValueError(
                f"each gate must have the shape (len(symbols), units) = ({length}, units). "
                f"Received: shape {gate.shape} for {name!r}"
            )
        wrong = gate[~((gate >= 0) & (gate <= 1))]  # nan is caught too
        if wrong.size:
            raise ValueError(f"gates must be from 0 to 1. Received: {wrong[0]:g} for {name!r}")


def _tell(name: str, gate: np.ndarray, symbols: list[str]) -> str:
    means = gate.mean(axis=1)
    high, low = int(means.argmax()), int(means.argmin())
    steps, units = gate.shape
    return (
        f"{name}: mean {gate.mean():.2f} over {units} units and {steps} steps, highest at "
        f"{symbols[high]} ({means[high]:.2f}), lowest at {symbols[low]} ({means[low]:.2f})."
    )
