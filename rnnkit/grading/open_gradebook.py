"""nbgrader's gradebook, open for a whole run and written in whole transactions."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any
from unittest import mock

from nbgrader.api import BaseCell, Comment, Grade, Gradebook
from sqlalchemy import Select, select, text
from sqlalchemy.orm import Session, scoped_session, sessionmaker

__all__ = ["OpenGradebook", "lent"]


class _Held(Session):
    """A session whose commits wait for the end of the transaction.

    nbgrader commits after each cell. Here that changes nothing: what is pending is
    sent before the next query, and kept by `keep` alone.
    """

    def commit(self) -> None:
        """Wait: `keep` commits all at once."""

    def keep(self) -> None:
        """Commit all that was done."""
        super().commit()


class OpenGradebook(Gradebook):
    """nbgrader's `Gradebook`, opened once; its steps may "open" and "close" it freely.

    Args:
        db_url: Where the gradebook is.
        course_id: The course; nbgrader's default when empty.
    """

    db: "scoped_session[_Held]"

    def __init__(self, db_url: str, course_id: str = "") -> None:
        if course_id:
            super().__init__(db_url, course_id)
        else:
            super().__init__(db_url)
        self.db.remove()
        self.db = scoped_session(sessionmaker(class_=_Held, bind=self.engine))
        self._is_file = db_url.startswith("sqlite")
        self._found: dict[tuple[str, ...], dict[str, Any]] = {}

    def __exit__(self, *_: object) -> None:
        """Stay open: `shut` closes."""

    def shut(self) -> None:
        """Close it for good."""
        self.db.remove()
        self.engine.dispose()

    def find_grade(self, grade_cell: str, notebook: str, assignment: str, student: str) -> Grade:
        """As nbgrader's own, which asks the database for each cell; this asks once for all."""
        found = self._all_of(Grade, notebook, assignment, student).get(grade_cell)
        return found or super().find_grade(grade_cell, notebook, assignment, student)

    def find_comment(
        self, solution_cell: str, notebook: str, assignment: str, student: str
    ) -> Comment:
        """As nbgrader's own, which asks the database for each cell; this asks once for all."""
        found = self._all_of(Comment, notebook, assignment, student).get(solution_cell)
        return found or super().find_comment(solution_cell, notebook, assignment, student)

    def grades(self, notebook: str, assignment: str, student: str) -> dict[str, Grade]:
        """All of a student's grades in a notebook, by the name of the cell."""
        return self._all_of(Grade, notebook, assignment, student)

    def _all_of(self, kind: type, notebook: str, assignment: str, student: str) -> dict[str, Any]:
        key = (kind.__name__, notebook, assignment, student)
        if key not in self._found:
            submitted = self.find_submission_notebook(notebook, assignment, student)
            cells = select(BaseCell.id, BaseCell.name).where(
                BaseCell.notebook_id == submitted.notebook_id
            )
            names: dict[str, str] = {cell: name for cell, name in self.db.execute(cells)}
            # By both keys, for which there is an index; by the notebook alone all are read.
            mine: Select[Any] = select(kind).where(
                kind.cell_id.in_(list(names)),  # type: ignore[attr-defined]
                kind.notebook_id == submitted.id,  # type: ignore[attr-defined]
            )
            rows = self.db.execute(mine).scalars()
            self._found[key] = {names[row.cell_id]: row for row in rows}
        return self._found[key]

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read; forget afterwards what was read, so that memory stays flat."""
        try:
            yield
        finally:
            self._found.clear()
            self.db.remove()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written inside is kept at the end, or nothing of it."""
        with self.reading():
            if self._is_file:  # take the lock now: no wait in the middle, and no read that ages
                self.db.execute(text("BEGIN IMMEDIATE"))
            yield
            self.db().keep()


@contextmanager
def lent(gradebook: OpenGradebook, *modules: ModuleType) -> Iterator[None]:
    """Let nbgrader's steps use an open gradebook where they would open one themselves.

    Args:
        gradebook: The open gradebook.
        modules: The modules of nbgrader's steps.
    """
    with mock.patch.object(modules[0], "Gradebook", lambda *_: gradebook):
        if modules[1:]:
            with lent(gradebook, *modules[1:]):
                yield
        else:
            yield
