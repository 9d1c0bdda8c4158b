"""Students never see a hidden test, and always see what went wrong."""

import pytest
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from tiny_unit import handed_in

from rnnkit.grading.assignment import Assignment
from rnnkit.grading.feedback import HideTests, failure_text, first_failure, for_students
from rnnkit.grading.status import Status

SECRET = "secret_number"


def failed(assignment: Assignment, name: str, *traceback: str, message: str = "") -> NotebookNode:
    """The reference as if one of its test cells had failed."""
    notebook = handed_in(assignment)
    count = 0
    for cell in notebook.cells:
        if cell.cell_type == "code":
            count += 1
            cell.execution_count = count
        if cell.metadata.get("nbgrader", {}).get("grade_id") == name:
            lines = [*traceback, f"AssertionError: {message}"]
            cell.outputs = [
                new_output("error", ename="AssertionError", evalue=message, traceback=lines)
            ]
    return notebook


def shown_text(notebook: NotebookNode, name: str) -> str:
    cells = for_students(notebook).cells
    return failure_text(next(c for c in cells if c.get("id") == name))


def test_hidden_region_leaves_the_source(assignment: Assignment) -> None:
    cells = {cell.get("id"): cell for cell in for_students(assignment.reference).cells}
    assert cells["q1-double-test"].source == 'assert double(2) == 4, "double(2) is not 4"'


def test_graded_notebook_itself_keeps_the_hidden_region(assignment: Assignment) -> None:
    for_students(assignment.reference)
    assert any(SECRET in cell.source for cell in assignment.reference.cells)


def test_hidden_line_in_a_traceback_is_not_shown(assignment: Assignment) -> None:
    frame = (
        "Cell In[2], line 4\n      3 secret_number = 21\n----> 4 assert double(secret_number) == 42"
    )
    notebook = failed(assignment, "q1-double-test", frame, message="wrong for another number")
    text = shown_text(notebook, "q1-double-test")
    assert SECRET not in text
    assert "AssertionError: wrong for another number" in text


def test_colours_do_not_carry_a_hidden_line_through(assignment: Assignment) -> None:
    frame = "Cell In[2], line 4\n\x1b[0;32m----> 4\x1b[0m secret_\x1b[31mnumber\x1b[0m = 21"
    text = shown_text(failed(assignment, "q1-double-test", frame), "q1-double-test")
    assert SECRET not in text


def test_message_of_a_check_is_shown_as_plain_text(assignment: Assignment) -> None:
    acts = "\x1b[31mred\x1b[0m\x1b[2J\x00\u202e"
    notebook = failed(assignment, "q1-double-test", message=f"{acts}\nmore")
    assert shown_text(notebook, "q1-double-test").endswith("AssertionError: red?[2J?\nmore")
    cell = next(c for c in notebook.cells if c.get("id") == "q1-double-test")
    assert first_failure(cell) == "red?[2J?"


def test_visible_failing_line_is_shown(assignment: Assignment) -> None:
    frame = 'Cell In[2], line 1\n----> 1 assert double(2) == 4, "double(2) is not 4"'
    text = shown_text(failed(assignment, "q1-double-test", frame), "q1-double-test")
    assert "In the test: assert double(2) == 4" in text


def test_students_own_frame_is_shown_and_a_librarys_is_not(assignment: Assignment) -> None:
    frames = ("Cell In[1], line 3, in double(x)\n----> 3 return y", "File /lib/x.py:3, in f()")
    text = shown_text(failed(assignment, "q1-double-test", *frames), "q1-double-test")
    assert "return y" in text
    assert "/lib/x.py" not in text


def test_hidden_line_printed_by_a_student_is_taken_out(assignment: Assignment) -> None:
    notebook = handed_in(assignment)
    spy = "mine\nassert double(secret_number) == 42, 'no'\nsecret_number = 21\n"
    notebook.cells[2].outputs = [new_output("stream", name="stdout", text=spy)]
    notebook.cells[4].outputs = [new_output("display_data", data={"text/plain": spy})]
    outputs = [
        output for cell in for_students(notebook).cells for output in cell.get("outputs", [])
    ]
    assert "secret_number = 21" not in outputs[0].text
    assert "mine" in outputs[0].text


def test_check_without_a_message_says_so(assignment: Assignment) -> None:
    text = shown_text(failed(assignment, "q2-greet-test"), "q2-greet-test")
    assert "gives no message" in text


@pytest.mark.parametrize(
    ("name", "message", "expected"),
    [
        ("AssertionError", "too long\nby 3", "too long"),
        ("ValueError", "bad shape", "ValueError: bad shape"),
        ("NotImplementedError", "", "the answer is not written yet (NotImplementedError)"),
    ],
)
def test_first_failure_is_one_line(
    assignment: Assignment, name: str, message: str, expected: str
) -> None:
    cell = handed_in(assignment).cells[3]
    cell.outputs = [new_output("error", ename=name, evalue=message, traceback=[])]
    assert first_failure(cell) == expected


def test_status_opens_the_page_of_a_stopped_notebook(assignment: Assignment) -> None:
    notebook = handed_in(assignment)
    notebook.metadata["rnnkit"] = {"status": "timed out", "note": "cells stopped: q1-double-test"}
    shown, _ = HideTests().preprocess(notebook, {})
    assert Status.TIMED_OUT.for_student in shown.cells[0].source
    assert "q1-double-test" in shown.cells[0].source
