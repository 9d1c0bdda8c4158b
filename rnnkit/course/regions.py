"""The parts of a cell that students must not see."""

from collections.abc import Iterator

__all__ = ["BEGIN_HIDDEN", "BEGIN_SOLUTION", "END_HIDDEN", "END_SOLUTION", "MARKERS", "regions"]

# nbgrader's own words, searched for anywhere in a line, as nbgrader does.
BEGIN_SOLUTION, END_SOLUTION = "BEGIN SOLUTION", "END SOLUTION"
BEGIN_HIDDEN, END_HIDDEN = "BEGIN HIDDEN TESTS", "END HIDDEN TESTS"
MARKERS = (BEGIN_SOLUTION, END_SOLUTION, BEGIN_HIDDEN, END_HIDDEN)


def regions(source: str, begin: str, end: str) -> Iterator[list[str]]:
    """The lines between each pair of markers.

    Args:
        source: A cell's source.
        begin: The words that open a region.
        end: The words that close it.

    Example:

    >>> list(regions("a\\n# BEGIN\\nb\\n# END\\nc", "BEGIN", "END"))
    [['b']]
    """
    inside: list[str] | None = None
    for line in source.split("\n"):
        if begin in line:
            inside = []
        elif end in line:
            if inside is not None:
                yield inside
            inside = None
        elif inside is not None:
            inside.append(line)
