"""How a run ended, in words that can be shown."""

from pathlib import Path

import pytest
from tiny_unit import CONFIG, UNIT

from rnnkit.grading.course import Course
from rnnkit.grading.folders import course_directory, load_config
from rnnkit.grading.gradebook import Recorded
from rnnkit.grading.log import log_path, write_log
from rnnkit.grading.outcome import Outcome, Submission
from rnnkit.grading.status import Status

RINGS = "a\x07b\n\x1b]0;title\x1b\\c\x1b[31md\x1b[0m\u202e"


@pytest.fixture
def outcome() -> Outcome:
    """One whose words a student's files and kernel have had a part in."""
    submission = Submission("ada\x1b[2J", Path("submitted"))
    return Outcome(submission, Status.UNREADABLE, RINGS, log=RINGS)


def test_note_is_one_line_of_plain_text(outcome: Outcome) -> None:
    assert outcome.note == "a?b ?]0;title?\\cd?"


def test_log_is_lines_of_plain_text(outcome: Outcome) -> None:
    assert outcome.log == "a?b\n?]0;title?\\cd?"


def test_written_log_is_plain_text(outcome: Outcome, tmp_path: Path) -> None:
    config = load_config(CONFIG)
    course = Course(tmp_path, UNIT, CONFIG, config, course_directory(tmp_path, config), ())
    write_log(course, outcome, Recorded(outcome.status, note=RINGS))
    text = log_path(course, outcome.submission.student).read_text(encoding="utf-8")
    assert "student: ada?[2J\n" in text
    assert all(letter.isprintable() or letter == "\n" for letter in text)
