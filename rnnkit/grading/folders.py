"""nbgrader's settings and folders, for a course and for a private copy of it."""

import sqlite3
from pathlib import Path

import nbgrader
from alembic.script import ScriptDirectory
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from rnnkit.errors import KitError

__all__ = ["course_directory", "load_config", "new_gradebook", "scratch_config"]


def new_gradebook(path: Path) -> None:
    """Begin a gradebook file, which nbgrader fills when it opens it.

    nbgrader asks the program ``alembic`` for the version to write into a new
    gradebook. That takes seconds, and fails where the program is not in PATH, as
    when a user calls an environment's ``rnnkit`` by its path. A file that
    has its version already is not asked about.

    Args:
        path: A file that does not exist yet.
    """
    scripts = ScriptDirectory(str(Path(nbgrader.__file__).parent / "alembic"))
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        version = scripts.get_current_head()
        connection.execute("INSERT INTO alembic_version (version_num) VALUES (?)", (version,))
    connection.close()


def load_config(path: Path | None) -> Config:
    """Read an ``nbgrader_config.py``.

    Args:
        path: The file; None for nbgrader's own settings.

    Raises:
        KitError: The file does not run.
    """
    if path is None:
        return Config()
    try:
        return PyFileConfigLoader(path.name, path=str(path.parent)).load_config()
    except Exception as error:  # the file is Python: anything can come out of it
        raise KitError(
            "an nbgrader_config.py that Python can run",
            f"{path}: {type(error).__name__}: {error}",
            "mend the file, or delete it so that the kit's is copied in",
        ) from error


def course_directory(root: Path, config: Config) -> CourseDirectory:
    """nbgrader's view of a course folder, wherever its settings put things."""
    own = Config()
    own.merge(config)
    if "root" not in own.CourseDirectory:
        own.CourseDirectory.root = str(root.resolve())
    return CourseDirectory(config=own)


def scratch_config(course_config: Path | None, folder: Path) -> Config:
    """The course's settings, with every folder moved into a private one.

    Args:
        course_config: The course's ``nbgrader_config.py``.
        folder: The private folder.
    """
    config = load_config(course_config)
    places = config.CourseDirectory
    places.root = str(folder)
    places.db_url = f"sqlite:///{folder / 'gradebook.db'}"
    places.directory_structure = "{nbgrader_step}/{student_id}/{assignment_id}"
    places.source_directory = "source"
    places.release_directory = "release"
    places.submitted_directory = "submitted"
    places.autograded_directory = "autograded"
    places.feedback_directory = "feedback"
    places.notebook_id = "*"
    places.course_id = ""
    return config
