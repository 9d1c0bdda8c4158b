"""An encoder-decoder, unrolled over time."""

from collections.abc import Sequence

from matplotlib.axes import Axes

from rnnkit.plots.figure import FONT_SIZE, GREY, HIGHLIGHT, CourseFigure

# A node is a letter and a position: ("x", 0) is the first source symbol.
# x: source symbol, h: encoder state, c: context, s: decoder state, y: output.
Node = tuple[str, int]
Arrow = tuple[Node, Node]

_HEIGHTS = {"x": 0.0, "h": 1.0, "c": 2.1, "s": 3.1, "y": 4.1}
_MOST_SYMBOLS = 16


def unrolled(
    encoder_symbols: Sequence[str],
    decoder_symbols: Sequence[str],
    attention: bool = True,
    path: tuple[int, int] | None = None,
    title: str | None = None,
) -> CourseFigure:
    """Draw an encoder-decoder with one column for each step.

    Used in units 05 and 06.

    Args:
        encoder_symbols: The source symbols: a string or a list.
        decoder_symbols: The output symbols: a string or a list.
        attention: Draw the arrows of attention: from each encoder state to
            each context.
        path: ``(source position, output position)``, both from 0: the shortest
            way from one to the other is drawn strong, and its arrows are
            counted. Gradients take the same way back.
        title: Stands above the drawing, in place of the count.

    Returns:
        The figure.

    Raises:
        ValueError: A list of symbols is empty, there are more than 16 symbols together,
            or ``path`` points to none.

    Example:

    >>> from rnnkit.plots import alt_text, unrolled
    >>> print(alt_text(unrolled("abc", "cba", attention=False, path=(0, 2))))
    Encoder over a b c, decoder giving c b a, without attention.
    From input 'a' to output 'a': 7 arrows.
    """
    _check(encoder_symbols, decoder_symbols, path)
    source, target = len(encoder_symbols), len(decoder_symbols)
    arrows = _arrows(source, target, attention)
    way = _shortest_way(arrows, ("x", path[0]), ("y", path[1])) if path else []

    columns = source + target
    figure = CourseFigure(width=max(6.4, 0.5 * (columns + 1)), height=3.6)
    axes = figure.subplots()
    for arrow in arrows:
        _draw_arrow(axes, arrow, source, strong=arrow in way)
    for node in sorted({node for arrow in arrows for node in arrow}):
        _draw_node(axes, node, source, [*encoder_symbols], [*decoder_symbols])
    _draw_row_names(axes, attention)
    axes.set_xlim(-1.9, columns - 0.4)
    axes.set_ylim(-0.4, 4.5)
    axes.axis("off")

    count = ""
    if path:
        first, last = encoder_symbols[path[0]], decoder_symbols[path[1]]
        count = f"From input {first!r} to output {last!r}: {len(way)} arrows"
    if title or count:
        axes.set_title(title or count, fontsize=FONT_SIZE)
    figure.rnnkit_alt = (
        f"Encoder over {' '.join(encoder_symbols)}, decoder giving {' '.join(decoder_symbols)}, "
        f"{'with' if attention else 'without'} attention." + (f" {count}." if count else "")
    )
    return figure


def _check(source: Sequence[str], target: Sequence[str], path: tuple[int, int] | None) -> None:
    if not source or not target or len(source) + len(target) > _MOST_SYMBOLS:
        raise ValueError(
            "encoder_symbols and decoder_symbols need a symbol each, and at most "
            f"{_MOST_SYMBOLS} together. Received: {len(source)} and {len(target)} symbols"
        )
    if path and not (0 <= path[0] < len(source) and 0 <= path[1] < len(target)):
        raise ValueError(
            f"path must be (0 to {len(source) - 1}, 0 to {len(target) - 1}). Received: {path}"
        )


def _arrows(source: int, target: int, attention: bool) -> list[Arrow]:
    arrows: list[Arrow] = [(("x", i), ("h", i)) for i in range(source)]
    arrows += [(("h", i), ("h", i + 1)) for i in range(source - 1)]
    arrows += [(("h", source - 1), ("s", 0))]
    arrows += [(("s", j), ("s", j + 1)) for j in range(target - 1)]
    arrows += [(("s", j), ("y", j)) for j in range(target)]
    if attention:
        arrows += [(("h", i), ("c", j)) for i in range(source) for j in range(target)]
        arrows += [(("c", j), ("s", j)) for j in range(target)]
    return arrows


def _shortest_way(arrows: list[Arrow], start: Node, end: Node) -> list[Arrow]:
    """The arrows from start to end, by breadth-first search; all arrows count the same."""
    ways: dict[Node, list[Arrow]] = {start: []}
    queue = [start]
    for node in queue:
        for arrow in arrows:
            if arrow[0] == node and arrow[1] not in ways:
                ways[arrow[1]] = [*ways[node], arrow]
                queue.append(arrow[1])
    return ways[end]


def _place(node: Node, source: int) -> tuple[float, float]:
    letter, position = node
    column = position if letter in "xh" else source + position
    return float(column), _HEIGHTS[letter]


def _draw_arrow(axes: Axes, arrow: Arrow, source: int, strong: bool) -> None:
    begin, end = arrow
    is_attention = begin[0] == "h" and end[0] == "c"
    if strong:
        look = {"color": HIGHLIGHT, "linewidth": 3.5, "zorder": 3}
    elif is_attention:
        look = {"color": "#56B4E9", "linewidth": 0.8, "zorder": 1}
    else:
        look = {"color": GREY, "linewidth": 1.5, "zorder": 2}
    axes.annotate(
        "",
        xy=_place(end, source),
        xytext=_place(begin, source),
        zorder=look.pop("zorder"),
        arrowprops={"arrowstyle": "-|>", "shrinkA": 10, "shrinkB": 11, **look},
    )


def _draw_node(
    axes: Axes, node: Node, source: int, encoder_symbols: list[str], decoder_symbols: list[str]
) -> None:
    letter, position = node
    text = {"x": encoder_symbols, "y": decoder_symbols}.get(letter)
    x, y = _place(node, source)
    if text is None:
        shape = {"h": "s", "s": "s", "c": "o"}[letter]
        axes.plot(x, y, shape, markersize=17, color="white", markeredgecolor=GREY, zorder=4)
    label = text[position] if text else letter
    style = "normal" if text else "italic"
    axes.text(x, y, label, ha="center", va="center", fontsize=FONT_SIZE, fontstyle=style, zorder=5)


def _draw_row_names(axes: Axes, attention: bool) -> None:
    names = {"x": "input", "h": "encoder", "c": "context", "s": "decoder", "y": "output"}
    for letter, name in names.items():
        if letter != "c" or attention:
            axes.text(-1.9, _HEIGHTS[letter], name, va="center", fontsize=FONT_SIZE, color=GREY)
