"""Check that the files in the kit are what their sources give."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from rnnkit.course.build import BuiltFile
from rnnkit.course.findings import Finding
from rnnkit.course.kit import Kit
from rnnkit.course.notebooks import cell_name, parse_notebook

__all__ = ["check_built", "check_orphans", "check_scripts", "check_strays"]

# What tools leave behind, and git does not track.
LEFT_BY_TOOLS = {".ipynb_checkpoints", "__pycache__", ".pytest_cache"}


def check_built(kit: Kit, built: Iterable[BuiltFile]) -> list[Finding]:
    """Files that are missing, or are not what their source gives.

    Args:
        kit: The kit.
        built: What the sources give.
    """
    return [
        Finding(kit.shown(file.path), problem, cell)
        for file in built
        for cell, problem in _differences(file)
    ]


def check_strays(kit: Kit, unit: str, expected: Iterable[BuiltFile]) -> list[Finding]:
    """Files of the exercise, and notebooks beside the solution, that no source gives.

    Args:
        kit: The kit.
        unit: The unit to look at.
        expected: All files that the unit's source gives.
    """
    known = {file.path for file in expected}
    found = [
        Finding(kit.shown(path), "no source gives this file: delete it or put it beside the source")
        for path in _files(kit.exercises / unit)
        if path not in known and path.suffix != ".py"
    ]
    found += [
        Finding(kit.shown(path), "no percent script gives this notebook: delete it")
        for path in _files(kit.solutions / unit)
        if path.suffix == ".ipynb" and path not in known
    ]
    return found + check_scripts(kit, unit)


def check_scripts(kit: Kit, unit: str) -> list[Finding]:
    """Python files in an exercise: a percent script holds all answers."""
    return [
        Finding(kit.shown(path), "a .py file in exercises/ may hold the answers: delete it")
        for path in _files(kit.exercises / unit)
        if path.suffix == ".py"
    ]


def check_orphans(kit: Kit) -> list[Finding]:
    """Units and lectures that have notebooks but no source."""
    units = set(kit.units())
    folders = [
        folder
        for top in (kit.solutions, kit.exercises)
        for folder in sorted(top.glob("*"))
        if folder.is_dir() and folder.name not in units and any(folder.rglob("*.ipynb"))
    ]
    lectures = [
        path
        for path in sorted(kit.lectures.glob("*.ipynb"))
        if not path.with_suffix(".py").exists()
    ]
    return [
        Finding(kit.shown(path), "no percent script gives this: delete it or write its source")
        for path in (*folders, *lectures)
    ]


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not LEFT_BY_TOOLS & set(path.parts):
            yield path


def _differences(file: BuiltFile) -> Iterator[tuple[str, str]]:
    if not file.path.is_file():
        yield "", "missing: run rnnkit build"
        return
    content = file.path.read_bytes()
    if content == file.content:
        return
    cell, what = "", "differs from what its source gives"
    if file.path.suffix == ".ipynb":
        cell, what = _notebook_difference(content, file.content)
    yield cell, f"{what}: run rnnkit build (edit the percent script, never the notebook)"


def _notebook_difference(committed: bytes, built: bytes) -> tuple[str, str]:
    """The first cell that differs, and in what way."""
    present, wanted = parse_notebook(committed), parse_notebook(built)
    assert wanted is not None
    if present is None:
        return "", "is no notebook that can be read"
    for index, (cell, want) in enumerate(zip_longest(present["cells"], wanted["cells"])):
        if cell != want:
            return _cell_difference(index, cell, want)
    if present != wanted:
        return "", "has metadata that its source does not give"
    return "", "differs from what its source gives in spacing or order only"


def _cell_difference(
    index: int, cell: dict[str, Any] | None, want: dict[str, Any] | None
) -> tuple[str, str]:
    if cell is None:
        assert want is not None
        return cell_name(want, index), "is missing"
    if want is None:
        return cell_name(cell, index), "is not in the source"
    part = next(
        key for key in ("source", *sorted({*cell, *want})) if cell.get(key) != want.get(key)
    )
    return cell_name(want, index), f"its {part} is not what its source gives"
