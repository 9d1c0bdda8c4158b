"""The cells that follow a property of a text, as bars."""

from collections.abc import Sequence

from rnnkit.metrics import CellScore
from rnnkit.plots.figure import FONT_SIZE, GREY, CourseFigure

_MOST_BARS = 16
_DIRECTIONS = {1: "rises", -1: "falls"}


def cell_ranking(
    ranking: Sequence[CellScore], score_label: str, chance: float, title: str | None = None
) -> CourseFigure:
    """Draw the scores of the best cells.

    The bar is the score that counts, from the second half of the text; the
    ring is the score on the first half, by which the cell was chosen.

    Used in unit 03, section s11.

    Args:
        ranking: What `rnnkit.metrics.rank_cells` returned, at most 16 cells.
        score_label: What the score is: `"area under the ROC curve"` for a yes
            or no, `"correlation"` for numbers.
        chance: The score of a cell that knows nothing: 0.5 or 0.
        title: Stands above the bars.

    Returns:
        The figure.

    Raises:
        ValueError: There are no cells, or more than 16.

    Example:

    >>> from rnnkit.metrics import CellScore
    >>> from rnnkit.plots import alt_text, cell_ranking
    >>> best = [CellScore(7, 0.91, 0.95, sign=1), CellScore(3, 0.62, 0.8, sign=-1)]
    >>> alt_text(cell_ranking(best, "area under the ROC curve", chance=0.5))
    'area under the ROC curve. Cell 7: 0.91, rises (0.95 where it was chosen).
    Cell 3: 0.62, falls (0.80 where it was chosen). Chance: 0.5.'
    """
    if not 1 <= len(ranking) <= _MOST_BARS:
        raise ValueError(
            f"ranking must hold 1 to {_MOST_BARS} cells; pass count to rank_cells. "
            f"Received: {len(ranking)} cells"
        )
    figure = CourseFigure(height=1.9 + 0.27 * len(ranking))
    axes = figure.subplots()
    for sign, colour, hatch in ((1, "#56B4E9", ""), (-1, "#E69F00", "//")):
        rows = [place for place, row in enumerate(ranking) if row.sign == sign]
        if rows:
            axes.barh(
                rows,
                [ranking[place].score - chance for place in rows],
                left=chance,
                height=0.7,
                color=colour,
                edgecolor="black",
                linewidth=0.8,
                hatch=hatch,
                label=f"{_DIRECTIONS[sign]} with the property",
            )
    found = [row.found for row in ranking]
    axes.plot(found, range(len(ranking)), "ko", fillstyle="none", label="where it was chosen")
    axes.axvline(chance, color=GREY, linestyle=":", linewidth=1.5, label=f"chance ({chance:g})")
    axes.set_yticks(range(len(ranking)), [f"cell {row.cell}" for row in ranking])
    axes.invert_yaxis()  # the best at the top
    axes.set_xlabel(score_label, fontsize=FONT_SIZE)
    axes.tick_params(labelsize=FONT_SIZE)
    axes.grid(alpha=0.3, axis="x")
    axes.set_axisbelow(True)
    figure.legend(loc="outside lower center", ncols=2, fontsize=FONT_SIZE, frameon=False)
    if title:
        axes.set_title(title, fontsize=FONT_SIZE)
    told = [
        f"Cell {row.cell}: {row.score:.2f}, {_DIRECTIONS[row.sign]} "
        f"({row.found:.2f} where it was chosen)."
        for row in ranking
    ]
    figure.rnnkit_alt = f"{title or score_label}. {' '.join(told)} Chance: {chance:g}."
    return figure
