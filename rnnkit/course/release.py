"""A solution to an exercise, by nbgrader's own ``generate_assignment``."""

import functools
import logging
import shutil
import tempfile
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory

from rnnkit.course.kit import Kit
from rnnkit.course.notebooks import normalise, notebook_bytes
from rnnkit.course.settings import nbgrader_settings, scripts_on_path
from rnnkit.errors import KitError

__all__ = ["release"]

GRADEBOOK = "gradebook.db"


def release(kit: Kit, unit: str, solution: bytes) -> dict[str, bytes]:
    """What students get of a unit.

    nbgrader works in a temporary course folder with a gradebook of its own, so
    that the instructor's gradebook is not touched.

    Args:
        kit: The kit.
        unit: A unit of the kit.
        solution: The content of the unit's solution notebook.

    Returns:
        The content of each file of the exercise, by its path inside
        ``exercises/UNIT``: the notebook in its normal form, other files as
        nbgrader copies them.

    Raises:
        KitError: nbgrader refused the notebook.
    """
    with tempfile.TemporaryDirectory(prefix="rnnkit-release-") as folder:
        course_folder = Path(folder).resolve()
        course = _course_directory(kit, unit, course_folder)
        source = Path(course.format_path(course.source_directory, ".", unit))
        shutil.copytree(
            kit.solutions / unit, source, ignore=shutil.ignore_patterns("*.ipynb", "__pycache__")
        )
        (source / f"{unit}.ipynb").write_bytes(solution)
        (course_folder / GRADEBOOK).write_bytes(_empty_gradebook())
        _generate(course, kit)
        released = Path(course.format_path(course.release_directory, ".", unit))
        return {
            path.relative_to(released).as_posix(): _content(path)
            for path in sorted(released.rglob("*"))
            if path.is_file()
        }


def _content(path: Path) -> bytes:
    if path.suffix != ".ipynb":
        return path.read_bytes()
    return notebook_bytes(normalise(nbformat.read(path, as_version=4), paired=False))


def _course_directory(kit: Kit, unit: str, folder: Path) -> CourseDirectory:
    course = CourseDirectory(config=nbgrader_settings(kit))
    course.root = str(folder)
    course.db_url = f"sqlite:///{folder / GRADEBOOK}"
    course.assignment_id = unit
    course.notebook_id = "*"
    return course


@functools.cache
def _empty_gradebook() -> bytes:
    """The content of a new gradebook: made once, as nbgrader takes a second for it."""
    with tempfile.TemporaryDirectory(prefix="rnnkit-gradebook-") as folder, scripts_on_path():
        path = Path(folder) / GRADEBOOK
        gradebook = Gradebook(f"sqlite:///{path}")
        gradebook.close()
        return path.read_bytes()


def _generate(course: CourseDirectory, kit: Kit) -> None:
    complaints = _Complaints()
    # A logger of its own, below no other: nbgrader's log must not reach stderr.
    log = logging.Logger("rnnkit.release")
    log.addHandler(complaints)
    course.log = log
    try:
        GenerateAssignment(coursedir=course, config=nbgrader_settings(kit), log=log).start()
    except (Exception, SystemExit) as error:
        raise KitError(
            f"nbgrader to make an exercise of unit {course.assignment_id}",
            complaints.cause() or f"{type(error).__name__}: {error}",
            "mend the cell in the unit's source, then build again",
        ) from error


class _Complaints(logging.Handler):
    """Keeps what nbgrader logs as errors."""

    def __init__(self) -> None:
        super().__init__(level=logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())

    def cause(self) -> str:
        """The error that nbgrader met, without its traceback.

        nbgrader logs the traceback of what failed as one message; the last
        line of the first such message is the cause. What it logged before that
        shows the cell.
        """
        for place, message in enumerate(self.messages):
            if "Traceback (most recent call last)" in message:
                lines = [line for line in message.strip().splitlines() if line.strip()]
                return "\n".join([*self.messages[:place], lines[-1]])
        return "\n".join(self.messages)
