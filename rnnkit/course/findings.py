"""One thing that is wrong with the course's files."""

from dataclasses import dataclass

__all__ = ["Finding"]


@dataclass(frozen=True)
class Finding:
    """What a check found.

    Args:
        file: The file, from the kit's top folder.
        problem: What is wrong, and what to do where that is not plain.
        cell: The cell as messages name it; empty when the whole file is meant.

    Example:

    >>> print(Finding("solutions/a/a.py", "the points do not add up", "cell 2 (q1)"))
    solutions/a/a.py: cell 2 (q1): the points do not add up
    """

    file: str
    problem: str
    cell: str = ""

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.cell, self.problem) if part)
