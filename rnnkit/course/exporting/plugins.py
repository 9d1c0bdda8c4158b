"""nbgrader's exporters for Moodle, for Canvas and for a spreadsheet.

`rnnkit export` uses them, and so can plain nbgrader, in the course folder::

    nbgrader export --exporter=rnnkit.course.exporting.MoodleExport --to grades.csv
"""

import datetime
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.plugins import ExportPlugin
from traitlets import Dict, Unicode

from rnnkit.course.exporting.grades import Line, grades_of, points_of
from rnnkit.course.exporting.tables import canvas_table, csv_table, moodle_table, table_text
from rnnkit.errors import KitError

__all__ = ["CanvasExport", "CsvExport", "Exported", "MoodleExport"]


@dataclass
class Exported:
    """What was written.

    Args:
        path: The file.
        rows: How many students are in it.
        left_out: Students without a score, whom an LMS's file leaves out.
        waiting: Students whose written answers have not all been graded.
        by_name: Students whom Canvas can find by their name only.
    """

    path: Path
    rows: int
    left_out: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    by_name: list[str] = field(default_factory=list)


class _Export(ExportPlugin):
    """Writes one table; each exporter says which."""

    file_name = "grades.csv"
    all_students = False

    course_root = Unicode(
        "", help="The course folder; nbgrader's own by default, else the current one."
    ).tag(config=True)

    def export(self, gradebook: Gradebook) -> None:
        """Write the table to ``to``.

        Args:
            gradebook: The gradebook.

        Raises:
            KitError: There is nothing to write, or nothing to find people by.
        """
        units = [str(unit) for unit in self.assignment]
        units = units or sorted(each.name for each in gradebook.assignments)
        points = points_of(gradebook, units)
        only = {str(student) for student in self.student}
        lines = grades_of(gradebook, units, self._root(), only)
        scored = [line for line in lines if line.grades]
        if not scored:
            raise KitError(
                "at least one student with a score",
                f"none in {', '.join(units) or 'the gradebook'}",
                "grade the class first: rnnkit grade UNIT --course DIR",
            )
        rows = self.table(lines if self.all_students else scored, points)
        path = Path(self.to or self.file_name)
        part = path.with_name(path.name + ".part")
        part.write_text(table_text(rows), encoding="utf-8", newline="")
        os.replace(part, path)
        self.exported = Exported(
            path,
            len(lines if self.all_students else scored),
            [line.person.student for line in lines if not line.grades],
            [line.person.student for line in scored if line.waits],
        )
        self.log.info("Exported the grades of %d students to %s", self.exported.rows, path)

    def table(self, lines: Sequence[Line], points: Mapping[str, float]) -> list[list[str]]:
        """The rows of the table.

        Args:
            lines: The students.
            points: The points of each unit.
        """
        raise NotImplementedError

    def _root(self) -> Path:
        if self.course_root or self.parent is None:
            return Path(self.course_root or ".")
        return Path(self.parent.coursedir.root)


class MoodleExport(_Export):
    """The CSV that Moodle's gradebook, or an assignment's grading worksheet, imports."""

    file_name = "moodle.csv"

    def table(self, lines: Sequence[Line], points: Mapping[str, float]) -> list[list[str]]:
        """As `moodle_table` makes it."""
        return moodle_table(lines, points, datetime.datetime.now(datetime.UTC))


class CanvasExport(_Export):
    """The CSV that Canvas's gradebook imports."""

    file_name = "canvas.csv"

    titles = Dict(
        help="For each unit the name of its column in Canvas, such as 'Lab 6 (12345)'."
    ).tag(config=True)

    def table(self, lines: Sequence[Line], points: Mapping[str, float]) -> list[list[str]]:
        """As `canvas_table` makes it."""
        self.by_name = [
            line.person.student
            for line in lines
            if not (line.person.canvas or line.person.number or line.person.login)
        ]
        return canvas_table(lines, points, self.titles)

    def export(self, gradebook: Gradebook) -> None:
        """Write the table, and note who has no number."""
        super().export(gradebook)
        self.exported.by_name = self.by_name


class CsvExport(_Export):
    """A table for a spreadsheet."""

    all_students = True

    def table(self, lines: Sequence[Line], points: Mapping[str, float]) -> list[list[str]]:
        """As `csv_table` makes it."""
        return csv_table(lines, points)
