"""What a student reads: the graded notebook without the hidden tests."""

import copy
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jinja2
from nbconvert.exporters.exporter import ResourcesDict
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor, getgrades
from nbgrader.utils import is_grade, is_locked, is_solution, is_task
from traitlets.config import Config

from rnnkit.grading.open_gradebook import OpenGradebook, lent
from rnnkit.grading.own_errors import LEFT_OUT, NOT_RUN, TIMED_OUT
from rnnkit.grading.referee.judge import HIDDEN_LINE
from rnnkit.grading.status import Status
from rnnkit.plain_text import plain_text, without_colours

__all__ = [
    "HideTests",
    "failure_text",
    "feedback_page",
    "first_failure",
    "for_students",
    "page_environment",
    "split_hidden",
    "status_page",
]

BEGIN_HIDDEN = "BEGIN HIDDEN TESTS"
END_HIDDEN = "END HIDDEN TESTS"
WRAP_ERRORS = "div.output_text pre { white-space: pre-wrap; overflow-wrap: anywhere; }"
LONGEST_MESSAGE = 300  # characters, in the class report
NOT_READ = "**Your written answers have not been read yet.** Until then they count 0 in the sum."
NO_MESSAGE = "the check failed and gives no message"
# Errors whose message needs no name before it.
SAYS_IT_ALL = ("AssertionError", TIMED_OUT, LEFT_OUT, NOT_RUN)
SHORTEST_SECRET = 8  # a hidden line shorter than this, such as `)`, gives nothing away

_FRAME = re.compile(r"^\s*(?:Cell |Input )?In ?\[(\d+)\]|^\s*Cell In\[(\d+)\]")
_CODE_LINE = re.compile(r"^\s*(-+>)?\s*\d+\s?(.*)$")


def split_hidden(source: str) -> tuple[str, list[str]]:
    """The visible part of a test's source, and the hidden lines.

    Args:
        source: The whole source.
    """
    visible: list[str] = []
    hidden: list[str] = []
    inside = False
    for line in source.split("\n"):
        if BEGIN_HIDDEN in line:
            inside = True
        elif END_HIDDEN in line:
            inside = False
        else:
            (hidden if inside else visible).append(line)
    return "\n".join(visible), hidden


def for_students(notebook: NotebookNode) -> NotebookNode:
    """A copy of a graded notebook that shows nothing of the hidden tests.

    Hidden regions leave the source of test cells. A failed test cell keeps the
    error's name and message and the lines of the student's own cells. A line of a
    hidden test that turns up in any other output is taken out.

    Args:
        notebook: The executed notebook, as it stands in ``autograded/``.
    """
    shown = copy.deepcopy(notebook)
    # Colab writes widgets in a form that stops nbconvert; a page shows none of them.
    shown.metadata.pop("widgets", None)
    secrets: set[str] = set()
    tests: set[int] = set()  # execution counts of cells that are not the student's
    visible_lines: set[str] = set()
    for cell in shown.cells:
        if cell.cell_type != "code":
            continue
        if is_locked(cell):
            if cell.get("execution_count"):
                tests.add(cell.execution_count)
            cell.source, hidden = split_hidden(cell.source)
            secrets.update(line.strip() for line in hidden)
        visible_lines.update(line.strip() for line in cell.source.split("\n"))
    secrets = {line for line in secrets - visible_lines if len(line) >= SHORTEST_SECRET}
    for cell in shown.cells:
        if cell.cell_type == "code":
            for output in cell.outputs:
                _clean_output(output, tests, secrets)
    return shown


def _clean_output(output: NotebookNode, tests: set[int], secrets: set[str]) -> None:
    if output.output_type == "error":
        output.evalue = _without(output.evalue, secrets)
        output.traceback = list(_student_traceback(output, tests, secrets))
    elif output.output_type == "stream":
        output.text = _without(output.text, secrets)
    else:
        for kind, value in output.get("data", {}).items():
            if kind.startswith("text/") and isinstance(value, str):
                output.data[kind] = _without(value, secrets)


def _without(text: str, secrets: set[str]) -> str:
    """The text with each line that holds a hidden line replaced."""
    if not any(secret in without_colours(text) for secret in secrets):
        return text
    lines = []
    for line in text.split("\n"):
        plain = without_colours(line)
        lines.append(HIDDEN_LINE if any(secret in plain for secret in secrets) else line)
    return "\n".join(lines)


def _student_traceback(output: NotebookNode, tests: set[int], secrets: set[str]) -> Iterator[str]:
    """Where the student's own code was, then the error and its message."""
    for entry in output.traceback[:-1]:
        frame = _FRAME.match(without_colours(entry))
        if frame is None:
            continue  # a library's frame, or a rule between frames
        if int(frame.group(1) or frame.group(2)) not in tests:
            yield _without(entry, secrets)
            continue
        for line in without_colours(entry).split("\n"):
            code = _CODE_LINE.match(line)
            if code and code.group(1):
                text = code.group(2).strip()
                is_secret = any(text in secret or secret in text for secret in secrets)
                yield "In the test: " + (HIDDEN_LINE if is_secret else text)
    last = without_colours(output.traceback[-1]) if output.traceback else ""
    if _FRAME.match(last):  # a syntax error comes in one piece with its line
        yield _without(last, secrets)
    else:
        yield f"{output.ename}: {output.evalue or NO_MESSAGE}"


def first_failure(cell: NotebookNode) -> str:
    """The message of the first error of a graded cell, on one line; else empty.

    Args:
        cell: A cell of an executed notebook.
    """
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            message = plain_text(output.evalue).strip().split("\n")[0]
            if output.ename == "NotImplementedError":
                return "the answer is not written yet (NotImplementedError)"
            if output.ename not in SAYS_IT_ALL:
                message = f"{output.ename}: {message}" if message else output.ename
            return (message or NO_MESSAGE)[:LONGEST_MESSAGE]
    return ""


def failure_text(cell: NotebookNode) -> str:
    """What a student reads under a cell that failed; empty for one that did not.

    Args:
        cell: A cell of what `for_students` returned.
    """
    if cell.cell_type != "code":
        return ""
    errors = [output for output in cell.outputs if output.output_type == "error"]
    return plain_text("\n".join(line for error in errors for line in error.traceback))


def _as_text(sentence: str) -> str:
    """A sentence in Markdown that shows as it is: it may hold a student's file name."""
    return re.sub(r"([\\`*_{}\[\]<>#|$~&])", r"\\\1", sentence)


class HideTests(NbGraderPreprocessor):
    """The first step of feedback: `for_students`, under the submission's status.

    It stands in the course's ``nbgrader_config.py`` too, so that feedback made in
    formgrader, after hand grading, hides the same things.
    """

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Hide the hidden tests; say how the submission ended when not all is done."""
        shown = for_students(nb)
        ended = nb.metadata.get("rnnkit", {})
        status = Status(ended.get("status", Status.OK.value))
        mended = ended.get("mended", [])
        if status not in (Status.OK, Status.NEEDS_HAND_GRADING) or ended.get("note") or mended:
            note = f" In your notebook: {ended['note']}." if ended.get("note") else ""
            sentence = f"**{status.value.capitalize()}.** {status.for_student}{note}"
            items = "".join(f"\n- {_as_text(sentence)}" for sentence in mended)
            shown.cells.insert(0, new_markdown_cell(sentence + ("\n" + items if items else "")))
        if _waits_for_a_reader(nb, resources.get("nbgrader", {})):
            shown.cells.insert(0, new_markdown_cell(NOT_READ))
        return shown, resources


def _waits_for_a_reader(nb: NotebookNode, found: Mapping[str, str]) -> bool:
    """Whether the gradebook says that a written answer has still to be graded."""
    written = [
        cell.metadata.nbgrader.grade_id
        for cell in nb.cells
        if is_task(cell) or (is_grade(cell) and is_solution(cell))
    ]
    if not written or "db_url" not in found:
        return False
    where = found["notebook"], found["assignment"], found["student"]
    with getgrades.Gradebook(found["db_url"]) as gradebook:  # the lent one, where there is one
        return any(gradebook.find_grade(name, *where).needs_manual_grade for name in written)


def feedback_page(
    notebook: NotebookNode,
    student: str,
    unit: str,
    coursedir: CourseDirectory,
    config: Config,
    gradebook: OpenGradebook,
) -> str:
    """The student's page, through nbgrader's own feedback steps and template.

    Args:
        notebook: The notebook as it stands in ``autograded/``.
        student: The student's name in the gradebook.
        unit: The unit.
        coursedir: The course's folders.
        config: The course's settings.
        gradebook: The course's gradebook, which gives scores and comments.

    Returns:
        HTML.
    """
    converter = GenerateFeedback(coursedir=coursedir, config=config)
    exporter = converter.exporter_class(parent=converter, config=converter.config)
    for step in converter.preprocessors:
        if step is not HideTests:
            exporter.register_preprocessor(step, enabled=True)
    resources = ResourcesDict(
        unique_key=unit,
        output_files_dir=f"{unit}_files",
        nbgrader={
            "student": student,
            "assignment": unit,
            "notebook": unit,
            "db_url": coursedir.db_url,
        },
    )
    # Hidden here and not by the settings, so that an older settings file cannot leak them.
    with lent(gradebook, getgrades):
        shown, _ = HideTests().preprocess(notebook, resources)
        page, _ = exporter.from_notebook_node(shown, resources=resources)
    return str(page).replace("</head>", f"<style>{WRAP_ERRORS}</style></head>", 1)


def status_page(student: str, unit: str, status: Status, note: str) -> str:
    """The page of a submission that has no graded notebook.

    Args:
        student: The student's name.
        unit: The unit.
        status: How the submission ended.
        note: What was found, in a sentence.
    """
    return (
        page_environment()
        .get_template("status.html.j2")
        .render(student=student, unit=unit, status=status, note=note)
    )


def page_environment() -> jinja2.Environment:
    """The templates of this package; everything is escaped, and shown as plain text."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        finalize=lambda value: plain_text(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
