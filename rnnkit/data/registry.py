"""One way to load any data set by its name."""

import difflib
import inspect
import itertools
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

KINDS = ("generated", "package", "download")

_WIDEST_COLUMN = 34

Loader = TypeVar("Loader", bound=Callable[..., Any])


@dataclass(frozen=True)
class DataInfo:
    """What one should know of a data set before using it.

    Args:
        name: The name that ``load`` takes, which is also the function's.
        kind: "generated" (made here, needs nothing), "package" (comes in a
            Python package) or "download" (fetched once, then cached).
        description: What it holds, in a few words.
        size: How much there is: "any count", "5.4 MB, 38 plays".
        licence: The licence of the data: "MIT".
        source: Who made it, or where it comes from.
        stands_in: The name of a generated set that can take its place where
            this one cannot be had. None for generated sets.

    Raises:
        ValueError: The kind is another than the three.
    """

    name: str
    kind: str
    description: str
    size: str
    licence: str
    source: str
    stands_in: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}. Received: {self.kind!r}")


class DataTable(tuple[DataInfo, ...]):
    """The sets there are, as a tuple that prints as a table."""

    __slots__ = ()

    def __repr__(self) -> str:
        head = ("name", "what", "size", "licence", "source", "kind")
        rows = [
            (each.name, each.description, each.size, each.licence, each.source, each.kind)
            for each in self
        ]
        longest = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        widths = [min(width, _WIDEST_COLUMN) for width in longest]
        rules = tuple("-" * width for width in widths)
        return "\n".join(_row(cells, widths) for cells in (head, rules, *rows))


def _row(cells: tuple[str, ...], widths: list[int]) -> str:
    """One row of a table, on several lines where a cell is long."""
    wrapped = [
        textwrap.wrap(cell, width, break_on_hyphens=False) or [""]
        for cell, width in zip(cells, widths, strict=True)
    ]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in itertools.zip_longest(*wrapped, fillvalue="")
    )


_INFOS: dict[str, DataInfo] = {}
_LOADERS: dict[str, Callable[..., Any]] = {}
_told: set[str] = set()  # the sets whose line was printed in this process


def register(info: DataInfo) -> Callable[[Loader], Loader]:
    """Make a function loadable by name: stands above its ``def``.

    Args:
        info: What the function gives.

    Returns:
        A decorator that leaves the function as it is.

    Raises:
        ValueError: The name is taken by another function.
    """

    def keep(loader: Loader) -> Loader:
        known = _LOADERS.get(info.name)
        if known is not None and known.__module__ != loader.__module__:
            raise ValueError(f"each set needs a name of its own. Received: {info.name!r} again")
        _INFOS[info.name] = info
        _LOADERS[info.name] = loader
        return loader

    return keep


def sets() -> DataTable:
    """All data sets, generated ones first: name, what, size, licence, source.

    Returns:
        A tuple of ``DataInfo`` that prints as a table.

    Example:

    >>> from rnnkit.data import sets
    >>> [info.licence for info in sets() if info.name == "reversals"]
    ['MIT']
    """
    return DataTable(sorted(_INFOS.values(), key=lambda info: (KINDS.index(info.kind), info.name)))


def load(name: str, *, quiet: bool = False, **settings: Any) -> Any:
    """Load a data set by its name.

    The first time in a process it prints one line with the set's size, licence
    and source. ``load("dates", count=5)`` is ``dates(count=5)``: the settings
    are those of the function of that name in ``rnnkit.data``.

    Args:
        name: One of the names in ``rnnkit.data.sets()``.
        quiet: Print nothing.
        settings: The settings of that set, such as ``count`` and ``seed``.

    Returns:
        What the set's own function returns.

    Raises:
        ValueError: There is no set of that name.
        TypeError: The set has no such setting.

    Example:

    >>> from rnnkit.data import load
    >>> sources, targets = load("reversals", quiet=True, count=2, seed=1)
    >>> targets[0] == sources[0][::-1]
    True
    """
    if name not in _LOADERS:
        raise ValueError(f"name must be that of a data set. Received: {name!r}. {_advice(name)}")
    _check_settings(name, settings)
    if not quiet and name not in _told:  # before a download, not after it
        _told.add(name)
        info = _INFOS[name]
        print(
            f"{name}: {info.description}. "
            f"Size: {info.size}. Licence: {info.licence}. Source: {info.source}."
        )
    return _LOADERS[name](**settings)


def _advice(name: object) -> str:
    near = difflib.get_close_matches(str(name), _LOADERS, n=3, cutoff=0.5)
    if near:
        return f"Near it: {', '.join(near)}. All of them: rnnkit.data.sets()"
    return f"There are: {', '.join(sorted(_LOADERS))}"


def _check_settings(name: str, settings: dict[str, Any]) -> None:
    signature = inspect.signature(_LOADERS[name])
    try:
        signature.bind(**settings)
    except TypeError as error:
        known = ", ".join(signature.parameters) or "none"
        received = ", ".join(settings) or "none"
        raise TypeError(f"{name} takes the settings {known}. Received: {received}") from error
