"""The grades of a course as its gradebook has them, beside what an LMS knows people by."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from rnnkit.course.collecting.forms import Form
from rnnkit.course.collecting.record import collected_folder, read_record
from rnnkit.course.collecting.roster import COPY, Person, read_roster
from rnnkit.errors import KitError

__all__ = ["Grade", "Line", "grades_of", "points_of"]


@dataclass(frozen=True)
class Grade:
    """What the gradebook has for one student in one unit.

    Args:
        score: The points that count, the late penalty taken off.
        penalty: What was taken off for lateness.
        waits: Whether a part still waits for a person.
    """

    score: float
    penalty: float
    waits: bool


@dataclass
class Line:
    """A student and all grades.

    Args:
        person: The student, with all that an LMS may know them by.
        grades: By unit; a unit without a score is not there.
    """

    person: Person
    grades: dict[str, Grade] = field(default_factory=dict)

    @property
    def waits(self) -> bool:
        """Whether a part of a grade still waits for a person."""
        return any(grade.waits for grade in self.grades.values())


def points_of(gradebook: Gradebook, units: Sequence[str]) -> dict[str, float]:
    """The points that each unit has.

    Args:
        gradebook: The gradebook.
        units: The units.

    Raises:
        KitError: One of them is not in the gradebook.
    """
    points = {}
    for unit in units:
        try:
            points[unit] = float(gradebook.find_assignment(unit).max_score)
        except MissingEntry as error:
            there = ", ".join(sorted(each.name for each in gradebook.assignments))
            raise KitError(
                f"a unit that is in the gradebook ({there or 'there is none yet'})",
                repr(unit),
                "grade it first: rnnkit grade UNIT --course DIR",
            ) from error
    return points


def grades_of(
    gradebook: Gradebook, units: Sequence[str], root: Path, only: Collection[str] = ()
) -> list[Line]:
    """All students of the gradebook and of the class list, by name.

    Args:
        gradebook: The gradebook.
        units: The units.
        root: The course folder, where the class list was kept when it was collected.
        only: The students to give; all of them where it is empty.
    """
    roster = root / "collected" / COPY
    people = {person.student: person for person in read_roster(roster)} if roster.is_file() else {}
    lines = {student: Line(person) for student, person in people.items()}
    for student in gradebook.students:
        if student.id not in lines:
            named = (student.first_name or "", student.last_name or "")
            known_by = {"email": student.email or "", "canvas": student.lms_user_id or ""}
            lines[student.id] = Line(Person(student.id, *named, **known_by))
    for unit in units:
        for submission in gradebook.assignment_submissions(unit):
            penalty = float(submission.late_submission_penalty or 0.0)
            score = max(0.0, float(submission.score) - penalty)
            grade = Grade(score, penalty, bool(submission.needs_manual_grade))
            if submission.student_id in lines:  # a gradebook may hold other courses too
                lines[submission.student_id].grades[unit] = grade
        _add_numbers(lines, unit, root, alone=len(units) == 1)
    chosen = [line for student, line in lines.items() if not only or student in only]
    return sorted(chosen, key=lambda line: (line.person.sortable.casefold(), line.person.student))


def _add_numbers(lines: dict[str, Line], unit: str, root: Path, alone: bool) -> None:
    """What the zips said about people: Canvas's numbers, and Moodle's for one assignment.

    A class list may have Moodle's numbers for another assignment; they are not used.
    """
    for each in lines.values():
        each.person = replace(each.person, participant="")
    for attempt in read_record(collected_folder(root, unit)).attempts:
        line = lines.get(attempt.student)
        if line is None or not attempt.lms_id:
            continue
        person = line.person
        if not (person.full or person.given or person.surname):
            person = replace(person, full=attempt.lms_name)
        if attempt.form == Form.CANVAS and attempt.lms_id.isdigit():
            person = replace(person, canvas=person.canvas or attempt.lms_id)
        elif attempt.form == Form.MOODLE and alone:
            person = replace(person, participant=attempt.lms_id)
        line.person = person
