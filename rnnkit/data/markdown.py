"""The table of all sets in docs/data.md."""

from rnnkit.data.registry import DataInfo, sets

_HOW = {
    "generated": "made on your machine",
    "package": "comes in a Python package",
    "download": "downloaded once",
}


def markdown_table() -> str:
    """All data sets as a table in Markdown: ``python -m rnnkit.data`` prints it.

    Returns:
        The table, one line for each set, in the order of ``sets()``.

    Example:

    >>> markdown_table().splitlines()[0]
    '| name | what | size | licence | source | how you get it | stand-in |'
    """
    head = ("name", "what", "size", "licence", "source", "how you get it", "stand-in")
    return "\n".join(_line(*row) for row in [head, ("---",) * len(head), *map(_row, sets())])


def _row(info: DataInfo) -> tuple[str, ...]:
    stand_in = f"`{info.stands_in}`" if info.stands_in else ""
    name, how = f"`{info.name}`", _HOW[info.kind]
    return (name, info.description, info.size, info.licence, info.source, how, stand_in)


def _line(*cells: str) -> str:
    escaped = (cell.replace("|", "\\|") for cell in cells)  # a bar would begin a new cell
    return f"| {' | '.join(escaped)} |"
