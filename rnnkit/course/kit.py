"""Where the kit's folders are."""

from dataclasses import dataclass
from pathlib import Path

from rnnkit.errors import KitError


@dataclass(frozen=True)
class Kit:
    """A checkout of the kit: the folder that holds ``solutions/`` and ``exercises/``.

    Args:
        root: The top folder.
    """

    root: Path

    @property
    def solutions(self) -> Path:
        """Sources of the units, and solution notebooks."""
        return self.root / "solutions"

    @property
    def exercises(self) -> Path:
        """What students get."""
        return self.root / "exercises"

    @property
    def lectures(self) -> Path:
        """Sources and notebooks of the lectures."""
        return self.root / "lectures"

    @property
    def answers(self) -> Path:
        """Answer files that prove the grading."""
        return self.root / "tests" / "answers"

    def units(self) -> list[str]:
        """The names of the units that have a source, in order."""
        return sorted(
            path.parent.name
            for path in self.solutions.glob("*/*.py")
            if path.stem == path.parent.name
        )

    def check_unit(self, unit: str) -> str:
        """The unit's name again.

        Raises:
            KitError: There is no such unit.
        """
        if unit not in self.units():
            raise KitError(
                "the name of a unit: " + (", ".join(self.units()) or "none has a source yet"),
                f"{unit!r}",
                "call the command again with one of these names",
            )
        return unit

    def lecture_names(self) -> list[str]:
        """The names of the lectures that have a source, in order."""
        return sorted(path.stem for path in self.lectures.glob("*.py"))

    def source_script(self, unit: str) -> Path:
        """The percent script of a unit."""
        return self.solutions / unit / f"{unit}.py"

    def solution_notebook(self, unit: str) -> Path:
        """The notebook with answers and hidden tests."""
        return self.solutions / unit / f"{unit}.ipynb"

    def exercise_notebook(self, unit: str) -> Path:
        """The notebook that students get."""
        return self.exercises / unit / f"{unit}.ipynb"

    def lecture_script(self, name: str) -> Path:
        """The percent script of a lecture."""
        return self.lectures / f"{name}.py"

    def lecture_notebook(self, name: str) -> Path:
        """The notebook built from a lecture's script."""
        return self.lectures / f"{name}.ipynb"

    def shown(self, path: Path) -> str:
        """A path as messages name it: from the top folder, with forward slashes."""
        return path.relative_to(self.root).as_posix()


def find_kit(start: Path | None = None, *, without_units: bool = False) -> Kit:
    """Find the kit from a folder inside it, else where the package is installed from.

    Args:
        start: Where to look first; the current folder by default.
        without_units: Whether a kit will do from which all units were taken out.

    Raises:
        KitError: Neither place belongs to a checkout of the kit.
    """
    first = (start or Path.cwd()).resolve()
    installed_from = Path(__file__).resolve().parent
    for place in (first, *first.parents, *installed_from.parents):
        # A class's course folder has both of these too, but no sources of units.
        kit = Kit(place)
        is_kit = kit.units() or (without_units and (place / "pyproject.toml").is_file())
        if (place / "nbgrader_config.py").is_file() and is_kit:
            return kit
    raise KitError(
        "a checkout of the kit (a folder with nbgrader_config.py and solutions/UNIT/UNIT.py)",
        f"none at or above {first}",
        "run the command inside the kit's folder",
    )
