"""Make notebooks from percent scripts, and exercises from solutions."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rnnkit.course.kit import Kit
from rnnkit.course.notebooks import notebook_bytes, read_script
from rnnkit.course.release import release
from rnnkit.course.stated import settled
from rnnkit.errors import KitError

__all__ = [
    "BuiltFile",
    "Selection",
    "build_exercise",
    "build_lecture",
    "build_script",
    "build_solution",
    "select",
]


@dataclass(frozen=True)
class BuiltFile:
    """A file that a source gives.

    Args:
        path: Where it belongs.
        content: What belongs in it.
    """

    path: Path
    content: bytes

    def write(self) -> bool:
        """Write the file unless it holds this content already.

        Returns:
            Whether the file was written.
        """
        if self.path.is_file() and self.path.read_bytes() == self.content:
            return False
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(self.content)
        return True


@dataclass(frozen=True)
class Selection:
    """The units and lectures that a command works on.

    Args:
        units: Names of units, in order.
        lectures: Names of lectures, in order.
        everything: Whether this is all that the kit has.
    """

    units: Sequence[str]
    lectures: Sequence[str]
    everything: bool


def select(kit: Kit, names: Sequence[str]) -> Selection:
    """The units and lectures with these names; all of the kit if there are none.

    Raises:
        KitError: A name is neither a unit's nor a lecture's.
    """
    units, lectures = kit.units(), kit.lecture_names()
    for name in names:
        if name not in units and name not in lectures:
            known = sorted({*units, *lectures})
            raise KitError(
                "the name of a unit: " + (", ".join(known) or "none has a source yet"),
                repr(name),
                "call the command again with one of these names, or with none for all",
            )
    if not names:
        return Selection(units, lectures, everything=True)
    return Selection(
        [unit for unit in units if unit in names],
        [lecture for lecture in lectures if lecture in names],
        everything=False,
    )


def build_script(kit: Kit, unit: str) -> BuiltFile:
    """The unit's script itself, with points and numbers in its texts as its cells give them.

    Raises:
        KitError: The script is not UTF-8, or a text names a question that is not there.
    """
    path = kit.source_script(unit)
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise KitError(
            "a percent script in UTF-8", f"{path}: {error}", "save the file again as UTF-8 text"
        ) from error
    return BuiltFile(path, settled(text, kit.shown(path)).encode())


def build_solution(kit: Kit, unit: str) -> BuiltFile:
    """The solution notebook that the unit's percent script gives.

    Raises:
        KitError: The script cannot be read.
    """
    notebook = read_script(kit.source_script(unit))
    return BuiltFile(kit.solution_notebook(unit), notebook_bytes(notebook))


def build_exercise(kit: Kit, unit: str, solution: BuiltFile) -> list[BuiltFile]:
    """The files of the exercise that a solution notebook gives.

    Raises:
        KitError: nbgrader refused the notebook.
    """
    folder = kit.exercises / unit
    return [
        BuiltFile(folder / name, content)
        for name, content in release(kit, unit, solution.content).items()
    ]


def build_lecture(kit: Kit, name: str) -> BuiltFile:
    """The notebook that a lecture's percent script gives.

    Raises:
        KitError: The script cannot be read.
    """
    notebook = read_script(kit.lecture_script(name))
    return BuiltFile(kit.lecture_notebook(name), notebook_bytes(notebook))
