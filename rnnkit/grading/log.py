"""The log of a submission: how it ended, and all that was put right before it ran."""

from pathlib import Path

from rnnkit.grading.course import Course
from rnnkit.grading.files import write_whole
from rnnkit.grading.gradebook import Recorded
from rnnkit.grading.outcome import Outcome
from rnnkit.grading.tables import megabytes
from rnnkit.plain_text import plain_text

__all__ = ["log_path", "write_log"]


def log_path(course: Course, student: str) -> Path:
    """Where the log of a student's submission lies.

    Args:
        course: The course.
        student: The student.
    """
    return course.root / "logs" / course.unit / f"{student}.txt"


def write_log(course: Course, outcome: Outcome, recorded: Recorded) -> None:
    """Write the log of one submission, unless it says all this already.

    Args:
        course: The course.
        outcome: How the run ended.
        recorded: What the gradebook says.
    """
    status = recorded.status
    lines = [
        f"student: {outcome.submission.student}",
        f"unit: {course.unit}",
        f"folder: {outcome.submission.folder}",
        f"status: {status.value}",
        f"for the instructor: {status.for_instructor}",
        f"for the student: {status.for_student}",
        f"seconds: {outcome.seconds:.1f}",
    ]
    if outcome.peak_bytes:
        lines.append(f"peak memory: {megabytes(outcome.peak_bytes)} MB")
    if outcome.fence.for_instructor:
        lines.append(f"fence: {outcome.fence.for_instructor}")
    lines += [f"{mending.weight.value}: {mending.for_instructor}" for mending in outcome.mendings]
    if recorded.note:
        lines.append(f"note: {recorded.note}")
    if outcome.log:
        lines += ["from the run:", *(f"    {line}" for line in outcome.log.splitlines())]
    path = log_path(course, outcome.submission.student)
    text = plain_text("\n".join(lines)) + "\n"
    try:
        if path.read_text(encoding="utf-8") == text:
            return
    except (OSError, ValueError):
        pass  # none yet, or damaged
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text)
