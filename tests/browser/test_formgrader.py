"""A teacher grades in nbgrader's formgrader, opened from JupyterLab's menu, in a browser."""

import contextlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
import pytest
from lab_page import open_lab
from lab_server import Server, lab_server
from nbgrader.api import Gradebook
from tiny_unit import DOUBLE_TEST, QUICK, UNIT, hand_in, handed_in, make_kit, write_answers

from rnnkit.grading.assignment import Assignment, prepare_assignment
from rnnkit.grading.classroom import grade_class
from rnnkit.grading.progress import Progress
from rnnkit.grading.sample_class import write_sample_class

pytestmark = pytest.mark.slow

# Equal to everything: in a kernel of its own, this passes the test.
RIGGED = """class Yes:
    def __eq__(self, other):
        return True
def double(x):
    return Yes()"""
# What lies outside the fence.
SPYING = """import os
print("gradebook seen:", os.path.exists({!r}))
def greet(name):
    return "hello " + name"""
COMMENT = "Say which of the two, and why."
POINTS = 2.5  # of 3
SECRET = "secret_number"  # in a hidden test


@dataclass
class Class:
    """A graded class, and a submission that came later.

    Args:
        root: The course folder.
        students: Their names.
        assignment: The unit.
    """

    root: Path
    students: list[str]
    assignment: Assignment

    def points(self, student: str, cell: str) -> float:
        with self._gradebook() as book:
            return float(book.find_grade(cell, UNIT, UNIT, student).score)

    def waits(self, student: str) -> bool:
        """Whether the written answer waits for a person."""
        with self._gradebook() as book:
            return bool(book.find_grade("q3-why", UNIT, UNIT, student).needs_manual_grade)

    def comment(self, student: str) -> str:
        with self._gradebook() as book:
            return str(book.find_comment("q3-why", UNIT, UNIT, student).manual_comment)

    def page(self, student: str) -> str:
        path = self.root / "feedback" / student / UNIT / f"{UNIT}.html"
        return path.read_text(encoding="utf-8")

    def printed(self, student: str, cell: str) -> str:
        path = self.root / "autograded" / student / UNIT / f"{UNIT}.ipynb"
        cells = {each["id"]: each for each in nbformat.read(path, as_version=4).cells}
        return "".join(output.get("text", "") for output in cells[cell].outputs)

    def _gradebook(self) -> Gradebook:
        return Gradebook(f"sqlite:///{self.root / 'gradebook.db'}")


@pytest.fixture(scope="module")
def graded(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Class:
    """The sample class of `rnnkit demo`, made of a tiny unit and graded; and one who is late."""
    folder = tmp_path_factory.mktemp("formgrader")
    kit, root = make_kit(folder / "kit"), folder / "course"
    write_answers(kit)
    assignment = prepare_assignment(
        UNIT, kit.solutions / UNIT, kit.root / "nbgrader_config.py", folder / "prepared"
    )
    students = write_sample_class(kit, assignment, root / "submitted")
    grade_class(kit, UNIT, root, lambda _: QUICK, Progress())
    spying = SPYING.format(str(root / "gradebook.db"))
    notebook = handed_in(assignment, q1_double=RIGGED, q2_greet=spying)
    hand_in(root / "submitted", "rigged", notebook)
    return Class(root, [*students, "rigged"], assignment)


@pytest.fixture(scope="module")
def server(graded: Class, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """JupyterLab in the course folder."""
    with lab_server(graded.root, tmp_path_factory.mktemp("home")) as started:
        yield started


@dataclass
class Seen:
    """What the teacher saw.

    Args:
        assignments: The page *Manage Assignments*.
        before: The row of each student in *Manage Submissions*, at first.
        autograded: What the button *Autograde* said.
        after: The row of the late student then.
        scores: The row of each student in *Manual Grading*.
        feedback: What the button *Generate feedback* said.
    """

    assignments: str = ""
    before: dict[str, str] = field(default_factory=dict)
    autograded: str = ""
    after: str = ""
    scores: dict[str, str] = field(default_factory=dict)
    feedback: str = ""


class Formgrader:
    """Formgrader inside JupyterLab's window."""

    def __init__(self, page: Any, look: Callable[[str], None]) -> None:
        self.page = page
        self.look = look
        self.frame = page.frame_locator("#formgrader iframe")

    def open_from_the_menu(self) -> None:
        self.page.get_by_role("menuitem", name="Nbgrader").click()
        self.page.get_by_role("menuitem", name="Formgrader", exact=True).click()

    def follow(self, link: str) -> None:
        self.frame.get_by_role("link", name=link, exact=True).click()

    def row(self, student: str) -> Any:
        """The student's row in *Manage Submissions*."""
        return self.frame.locator(f'#main-table tr:has(td.student-id[data-order="{student}"])')

    def rows(self, students: list[str]) -> dict[str, str]:
        return {student: str(self.row(student).inner_text()) for student in students}

    @contextlib.contextmanager
    def saved(self, what: str) -> Iterator[None]:
        """Wait until the server has written what is typed meanwhile."""
        with self.page.expect_response(
            lambda answer: f"/api/{what}/" in answer.url and answer.request.method == "PUT"
        ) as answer:
            yield
        assert answer.value.ok

    def press(self, student: str, button: str) -> str:
        """Press a button in a student's row; gives what the page says, once it is done."""
        self.row(student).locator(f".{button} a").click()
        said = self.frame.locator(".modal")
        said.locator(".modal-title").wait_for()
        text = str(said.inner_text())
        self.look(f"teacher-{button}")
        said.locator("button.btn-primary").click()
        said.wait_for(state="detached")
        return text


@pytest.fixture(scope="module")
def seen(server: Server, graded: Class, page: Any, look: Callable[[str], None]) -> Seen:
    """All that a teacher does, in order."""
    what = Seen()
    open_lab(page, server)
    formgrader = Formgrader(page, look)
    formgrader.open_from_the_menu()
    unit = formgrader.frame.get_by_role("link", name=UNIT, exact=True)
    unit.wait_for()
    what.assignments = formgrader.frame.locator("#main-table").inner_text()
    unit.scroll_into_view_if_needed()
    look("teacher-1-assignments")
    formgrader.follow(str(len(graded.students)))
    what.before = formgrader.rows(graded.students)
    formgrader.row("rigged").scroll_into_view_if_needed()
    look("teacher-2-submissions")
    what.autograded = formgrader.press("rigged", "autograde")
    formgrader.row("rigged").get_by_text("needs manual grading").wait_for()
    what.after = formgrader.row("rigged").inner_text()
    look("teacher-3-autograded")
    grade_by_hand(formgrader, what, graded)
    formgrader.follow("Manual Grading")
    formgrader.follow("Manage Assignments")
    formgrader.follow(str(len(graded.students)))
    what.feedback = formgrader.press("reference", "generate-feedback")
    return what


def grade_by_hand(formgrader: Formgrader, what: Seen, graded: Class) -> None:
    """Give the reference points and a comment for its written answer."""
    frame = formgrader.frame
    formgrader.follow("Manual Grading")
    for _ in range(2):  # the unit, then its notebook, which has the same name
        frame.locator("#main-table").get_by_role("link", name=UNIT, exact=True).click()
    frame.get_by_role("link", name="Submission #1", exact=True).wait_for()
    frame.get_by_role("button", name="Show All Names").click()
    rows = frame.locator("#main-table tr")
    what.scores = dict(row.split("\t", 2)[1:] for row in rows.all_inner_texts())
    rows.last.scroll_into_view_if_needed()
    formgrader.look("teacher-4-notebooks")
    formgrader.follow("reference")
    score = frame.locator("input.score#q3-why")
    comment = frame.locator("textarea#q3-why-comment")
    # The page fills its fields when the gradebook has answered; what is typed before is lost.
    frame.locator("#q3-why_extra_credit[placeholder]").wait_for()
    frame.locator("#q3-why-comment[placeholder]").wait_for()
    with formgrader.saved("grade"):
        score.fill(str(POINTS))
        score.press("Tab")
    with formgrader.saved("comment"):
        comment.fill(COMMENT)
        score.focus()  # leaving the comment saves it
    formgrader.look("teacher-5-by-hand")


def test_class_is_listed_with_its_submissions(seen: Seen, graded: Class) -> None:
    row = next(line for line in seen.assignments.splitlines() if line.startswith(UNIT))
    assert row.split()[-1] == str(len(graded.students))
    assert set(seen.before) == set(graded.students)


def test_late_submission_needs_autograding_until_the_button_is_pressed(seen: Seen) -> None:
    assert "needs autograding" in seen.before["rigged"]
    assert "needs manual grading" in seen.before["reference"]
    assert "Successfully autograded" in seen.autograded
    assert "needs manual grading" in seen.after


def test_rigged_answer_passes_in_a_plain_kernel() -> None:
    names: dict[str, Any] = {}
    exec(RIGGED, names)
    exec(DOUBLE_TEST, names)  # an AssertionError otherwise


def test_rigged_answer_gets_nothing_by_the_button(seen: Seen, graded: Class) -> None:
    assert graded.points("rigged", "q1-double-test") == 0
    assert graded.points("rigged", "q2-greet-test") == 1


def test_submission_runs_behind_the_fence_by_the_button(seen: Seen, graded: Class) -> None:
    assert (graded.root / "gradebook.db").exists()
    assert graded.printed("rigged", "q2-greet") == "gradebook seen: False\n"


def test_gradebook_shows_the_scores(seen: Seen) -> None:
    overall = {student: re.split(r"\s+", row)[0] for student, row in seen.scores.items()}
    assert overall["right-sum"] == "3"
    assert overall["wrong-square"] == "1"
    assert overall["rigged"] == "1"


def test_points_and_comment_that_are_typed_come_into_the_gradebook(
    seen: Seen, graded: Class
) -> None:
    assert graded.points("reference", "q3-why") == POINTS
    assert not graded.waits("reference")
    assert graded.waits("right-sum")
    assert graded.comment("reference") == COMMENT


def test_feedback_made_by_the_button_has_the_comment_and_no_hidden_test(
    seen: Seen, graded: Class
) -> None:
    assert "Successfully generated feedback" in seen.feedback
    page = graded.page("reference")
    assert COMMENT in page
    assert SECRET not in page
    assert "have not been read yet" not in page
