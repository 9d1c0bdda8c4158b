"""A course folder on nbgrader's plan: its settings, its source, who handed in what."""

import os
import shutil
import tempfile
import unicodedata
from dataclasses import dataclass, replace
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from rnnkit.course.kit import Kit
from rnnkit.errors import KitError
from rnnkit.grading.folders import course_directory, load_config
from rnnkit.grading.handed_in import same_name
from rnnkit.grading.limits import Limits
from rnnkit.grading.outcome import Submission

__all__ = ["Course", "open_course", "take_kits_source"]

CONFIG_NAME = "nbgrader_config.py"
PLACEHOLDER = "STUDENT"


@dataclass(frozen=True)
class Course:
    """A course folder that is ready for grading one unit.

    Args:
        root: The folder.
        unit: The unit.
        config_file: Its ``nbgrader_config.py``.
        config: What that file says.
        coursedir: nbgrader's view of the folder.
        messages: What the instructor should know before grading starts.
    """

    root: Path
    unit: str
    config_file: Path
    config: Config
    coursedir: CourseDirectory
    messages: tuple[str, ...]

    @property
    def source(self) -> Path:
        """The folder of the solution notebook that grading uses."""
        return self._path(self.coursedir.source_directory, ".")

    def autograded(self, student: str) -> Path:
        """Where a student's graded notebook lies."""
        return self._path(self.coursedir.autograded_directory, student)

    def feedback(self, student: str) -> Path:
        """The page that goes back to a student."""
        folder = self._path(self.coursedir.feedback_directory, student)
        return folder / f"{self.unit}.html"

    @property
    def cell_seconds(self) -> int | None:
        """The cell limit in the course's settings, if there is one."""
        for section in ("Execute", "ExecutePreprocessor"):
            value = self.config[section].get("timeout") if section in self.config else None
            if isinstance(value, int) and value > 0:
                return value
        return None

    def with_sizes(self, limits: Limits) -> Limits:
        """Limits with the sizes that the course's settings allow.

        Args:
            limits: The limits otherwise.
        """
        settings = self.config.get("CourseDirectory", {})

        def allowed(setting: str, default: int) -> int:
            value = settings.get(setting)  # nbgrader counts in kilobytes
            return 1000 * value if isinstance(value, int) and value > 0 else default

        return replace(
            limits,
            notebook_bytes=allowed("max_file_size", limits.notebook_bytes),
            folder_bytes=allowed("max_dir_size", limits.folder_bytes),
        )

    def submissions(self, also: list[str]) -> list[Submission]:
        """What was handed in, a submission for each student.

        Args:
            also: Students of the gradebook, who may have handed in nothing.
        """
        found = {
            path.name
            for path in _students_folder(self.coursedir, self.unit).iterdir()
            if path.is_dir() and not path.name.startswith(".")
        }
        folders = {_one_spelling(name, found, also): name for name in found}
        return [
            Submission(student, self._submitted(folders.get(student, student)))
            for student in sorted(folders.keys() | set(also))
        ]

    def _submitted(self, student: str) -> Path:
        """A student's folder of the unit, also where its name is in another case."""
        folder = self._path(self.coursedir.submitted_directory, student)
        if folder.exists() or not folder.parent.is_dir():
            return folder
        alike = [
            path
            for path in sorted(folder.parent.iterdir())
            if same_name(path.name, folder.name) and path.is_dir() and not path.is_symlink()
        ]
        return alike[0] if alike else folder

    def _path(self, step: str, student: str) -> Path:
        return Path(os.path.normpath(self.coursedir.format_path(step, student, self.unit)))


def _one_spelling(name: str, found: set[str], also: list[str]) -> str:
    """A student's name with its accents written as one letter each, as people type them.

    macOS writes an accent as a letter of its own. A name stays as it is where
    the gradebook has it so, or where both spellings are there.
    """
    composed = unicodedata.normalize("NFC", name)
    return name if name in also or composed in found - {name} else composed


def _students_folder(coursedir: CourseDirectory, unit: str) -> Path:
    """The folder with one folder for each student."""
    step = coursedir.submitted_directory
    path = Path(coursedir.format_path(step, PLACEHOLDER, unit))
    for folder in (path, *path.parents):
        if folder.name == PLACEHOLDER:
            return folder.parent
    raise KitError(
        "a directory_structure in which one folder is {student_id}",
        coursedir.directory_structure,
        f"change CourseDirectory.directory_structure in {CONFIG_NAME}",
    )


def _check_folder(root: Path) -> None:
    if not root.is_dir():
        raise KitError(
            "a course folder",
            f"no folder {root}" if not root.exists() else f"{root} is not a folder",
            "make it, and put what students handed in into submitted/STUDENT/UNIT/UNIT.ipynb "
            "below it",
        )
    if "?" in str(root):
        raise KitError(
            "a course folder without '?' in its path: nbgrader cannot open a gradebook there",
            str(root),
            "rename the folder",
        )
    try:
        with tempfile.TemporaryFile(dir=root):
            pass
    except OSError as error:
        raise KitError(
            "a course folder that can be written",
            f"{root}: {error.strerror}",
            "change its permissions, or make room on the disk",
        ) from error


def open_course(kit: Kit, unit: str, root: Path, mended: bool = False) -> Course:
    """Make a course folder ready: settings and source are copied in where they lack.

    Args:
        kit: The kit.
        unit: The unit.
        root: The course folder.
        mended: Whether the kit's source will be taken in place of the course's own.

    Raises:
        KitError: The folder is not there, cannot be written or holds no submissions.
    """
    root = root.resolve()
    _check_folder(root)
    messages = []
    config_file = root / CONFIG_NAME
    kits_config = kit.root / CONFIG_NAME
    config = load_config(config_file if config_file.exists() else kits_config)
    coursedir = course_directory(root, config)
    students = _students_folder(coursedir, unit)
    if not students.is_dir():
        raise KitError(
            f"the submissions in {students}",
            "no such folder",
            f"put each notebook at {students.name}/STUDENT/{unit}/{unit}.ipynb below {root}",
        )
    if not config_file.exists():
        shutil.copy(kits_config, config_file)
        messages.append(f"copied the kit's {CONFIG_NAME} into {root}")
    source = Path(os.path.normpath(coursedir.format_path(coursedir.source_directory, ".", unit)))
    messages += _bring_source(kit, unit, source, coursedir.ignore, mended)
    return Course(root, unit, config_file, config, coursedir, tuple(messages))


def _bring_source(kit: Kit, unit: str, source: Path, ignore: list[str], mended: bool) -> list[str]:
    """Copy the kit's solution in, or say that the course has another."""
    kits = kit.solution_notebook(unit)
    own = source / f"{unit}.ipynb"
    if own.exists():
        if own.resolve() == kits.resolve() or not kits.exists():
            return []
        if own.read_bytes() == kits.read_bytes():
            same = f"{own} is the kit's already. After an edit, call `rnnkit build {unit}` first"
            return [same] if mended else []
        other = f"{own} is not the kit's: grading uses this copy. To grade with the kit's, "
        return [] if mended else [other + "call the command with --mended"]
    if not kits.is_file():
        raise KitError(
            f"the solution notebook of {unit}",
            f"no file {kits}",
            "run `rnnkit build` to make it from its script",
        )
    _copy_source(kits.parent, source, ignore)
    return [f"copied the kit's solutions of {unit} into {source}"]


def _copy_source(kits: Path, source: Path, ignore: list[str]) -> None:
    without = shutil.ignore_patterns(*ignore, "*.py")
    shutil.copytree(kits, source, ignore=without, dirs_exist_ok=True)


def take_kits_source(kit: Kit, course: Course) -> str:
    """Put the kit's solutions of the unit in the place of the course's own.

    Args:
        kit: The kit.
        course: The course.

    Returns:
        A line for the instructor; empty where both are the same.
    """
    kits, own = kit.solution_notebook(course.unit), course.source / f"{course.unit}.ipynb"
    if not kits.is_file() or own.read_bytes() == kits.read_bytes():
        return ""
    with tempfile.TemporaryDirectory(prefix=".new-", dir=course.source.parent) as place:
        new = Path(place) / "new"
        _copy_source(kits.parent, new, course.coursedir.ignore)
        course.source.rename(Path(place) / "old")
        new.rename(course.source)
    return f"took the kit's solutions of {course.unit} in the place of {course.source}"
