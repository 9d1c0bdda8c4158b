"""Feedback pages as the zip that an LMS hands out to students."""

import os
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from rnnkit.course.collecting.forms import Form
from rnnkit.course.collecting.record import Attempt, collected_folder, read_record
from rnnkit.errors import KitError

__all__ = ["FeedbackZip", "feedback_zip"]


@dataclass
class FeedbackZip:
    """A zip of feedback pages.

    Args:
        path: The zip.
        pages: How many pages are in it.
        no_page: Students for whom no page has been made.
        no_place: Students whose place in the LMS is not known: their files came otherwise.
    """

    path: Path
    pages: int = 0
    no_page: list[str] = field(default_factory=list)
    no_place: list[str] = field(default_factory=list)


def feedback_zip(
    path: Path, unit: str, root: Path, page_of: Callable[[str], Path], form: str
) -> FeedbackZip:
    """Write a zip of pages, each under the name by which the LMS knows its student.

    Moodle takes a page for the person whose folder it lies in, as that was called in the
    zip of submissions; Canvas by the begin of its name.

    Args:
        path: The zip to write.
        unit: The unit.
        root: The course folder.
        page_of: Gives a student's page.
        form: The LMS, one of `Form`.

    Raises:
        KitError: Nothing was collected from this LMS, or no page has been made.
    """
    attempts = read_record(collected_folder(root, unit)).attempts
    places = _places([attempt for attempt in attempts if attempt.student], form)
    result = FeedbackZip(path)
    result.no_place = sorted({a.student for a in attempts if a.student} - places.keys())
    if not places:
        raise KitError(
            f"submissions of {unit} that were collected from {form.capitalize()}'s zip, whose "
            "names say where each page belongs",
            f"none in {collected_folder(root, unit)}",
            f"collect it first: rnnkit collect {unit} ZIP --course {root}",
        )
    pages = {student: page_of(student) for student in places}
    result.no_page = sorted(student for student, page in pages.items() if not page.is_file())
    if len(result.no_page) == len(pages):
        raise KitError(
            "feedback pages",
            "none has been made",
            f"grade the class first: rnnkit grade {unit} --course {root}",
        )
    part = path.with_name(path.name + ".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
        for student, place in sorted(places.items()):
            if student not in result.no_page:
                archive.write(pages[student], f"{place}{unit}.html")
                result.pages += 1
    os.replace(part, path)
    return result


def _places(attempts: list[Attempt], form: str) -> dict[str, str]:
    """For each student what the name of the page begins with."""
    ordered = sorted(attempts, key=lambda attempt: attempt.order)
    slash = "/" if form == Form.MOODLE else ""
    return {
        attempt.student: attempt.lms_folder + slash
        for attempt in ordered
        if attempt.form == form and attempt.lms_folder
    }
