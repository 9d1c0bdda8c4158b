"""Answer files: what people might hand in, written down, with what it must lose.

A notebook that a student handed in, or asked about, can be graded like them.
"""

import copy
import dataclasses
import hashlib
import re
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode

from rnnkit.course.kit import Kit
from rnnkit.course.slices import slice_notebook
from rnnkit.errors import KitError
from rnnkit.grading.assignment import Assignment, prepare_assignment
from rnnkit.grading.feedback import failure_text, first_failure, for_students
from rnnkit.grading.limits import Limits
from rnnkit.grading.outcome import Outcome, Submission
from rnnkit.grading.runner import run_submissions

__all__ = [
    "KINDS",
    "REFERENCE",
    "STUDENTS",
    "Answer",
    "GradedAnswer",
    "answer_files",
    "answer_notebook",
    "grade_answers",
    "read_answer",
]

KINDS = ("right", "wrong", "blank", "hostile")
REFERENCE = "reference"
STUDENTS = "a student's"  # the kind of a notebook: nothing is known of its points
_HEADER = re.compile(rf"^#\s*({'|'.join(KINDS)}):\s*(.*)$")
_FIELD = re.compile(r"^#\s*(loses|says):\s*(.*)$")
_CELL = re.compile(r"^# %%\s*(?:\[markdown\]\s*)?(\S*)\s*(?:\[markdown\]\s*)?$")


@dataclass(frozen=True)
class Answer:
    """An answer file.

    Args:
        path: The file; None for the reference itself.
        kind: right, wrong, blank or hostile; `STUDENTS` for a notebook.
        description: What it is, in a few words.
        loses: The graded cells that must give 0.
        says: Words that must stand in the feedback of those cells.
        cells: The new source of each replaced cell.
    """

    path: Path | None
    kind: str
    description: str
    loses: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    cells: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self.path.stem if self.path else REFERENCE


@dataclass(frozen=True)
class GradedAnswer:
    """An answer with what it got.

    Args:
        answer: The answer.
        outcome: How its run ended, with the points of each cell.
        feedback: What a student reads under each graded cell that failed.
        messages: The last words of each of these, on one line.
    """

    answer: Answer
    outcome: Outcome
    feedback: dict[str, str]
    messages: dict[str, str] = field(default_factory=dict)

    def faults(self) -> list[str]:
        """What is not as the answer file says, a line each."""
        answer, points = self.answer, self.outcome.points
        auto = {name: pair for name, pair in points.items() if pair[0] is not None}
        if answer.kind == STUDENTS:
            return []
        if not auto:
            return [f"{answer.name}: not graded: {self.outcome.status.value}. {self.outcome.note}"]
        if answer.kind == "hostile":
            return []
        faults = []
        for name, (score, most) in auto.items():
            must_lose = answer.kind == "blank" or name in answer.loses
            expected = 0.0 if must_lose else most
            if score != expected:
                faults.append(
                    f"{answer.name}: {name} gave {score:g}, expected {expected:g}. "
                    + self.feedback.get(name, "").replace("\n", " | ")[-300:]
                )
        lost = "\n".join(self.feedback.get(name, "") for name in answer.loses)
        for words in answer.says:
            if words not in lost:
                faults.append(
                    f"{answer.name}: the feedback of {' '.join(answer.loses)} does not "
                    f"say {words!r}"
                )
        return faults


def read_answer(path: Path) -> Answer:
    """Read an answer file, or take a student's notebook as it is.

    Raises:
        KitError: There is no such file, or it has no header.
    """
    if not path.is_file():
        raise KitError(
            "an answer file", f"no file {path}", "call the command again with a file that exists"
        )
    if path.suffix == ".ipynb":
        return Answer(path, STUDENTS, "a notebook")
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise KitError(
            "an answer file in UTF-8", f"{path}: {error}", "save the file again as UTF-8 text"
        ) from error
    header = next((match for line in lines[:1] if (match := _HEADER.match(line))), None)
    if header is None:
        raise KitError(
            f"{path}: a first line such as `# wrong: the mask is left out` "
            f"(one of {', '.join(KINDS)})",
            lines[0] if lines else "an empty file",
            "write that line at the top of the file",
        )
    loses: list[str] = []
    says: list[str] = []
    cells: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in lines[1:]:
        if line.startswith("# %%"):
            match = _CELL.match(line)
            if match is None or not match.group(1) or match.group(1) in cells:
                raise KitError(
                    f"{path}: a cell heading `# %% GRADE_ID`, each grade_id once",
                    line,
                    "name the cell of the exercise that this cell replaces",
                )
            current = cells[match.group(1)] = []
        elif current is not None:
            current.append(line)
        elif match := _FIELD.match(line):
            if match.group(1) == "loses":
                loses += match.group(2).split()
            else:
                says.append(match.group(2).strip())
    sources = {name: "\n".join(text).strip("\n") for name, text in cells.items()}
    return Answer(path, header.group(1), header.group(2), tuple(loses), tuple(says), sources)


def answer_files(kit: Kit, unit: str) -> list[Path]:
    """The unit's answer files, in order."""
    folder = kit.answers / unit
    return [
        path
        for path in sorted(folder.glob("*.py"))
        if not path.name.startswith(("test_", "_")) and path.name != "conftest.py"
    ]


def answer_notebook(answer: Answer, assignment: Assignment) -> NotebookNode:
    """The notebook that a student with this answer would hand in.

    Args:
        answer: The answer; a blank stands for the exercise as released.
        assignment: The unit.

    Raises:
        KitError: The answer replaces or loses a cell that the unit does not have.
    """
    if answer.kind == "blank":
        return copy.deepcopy(assignment.released)
    notebook = copy.deepcopy(assignment.reference)
    solutions = {
        cell.metadata.nbgrader.grade_id: cell
        for cell in notebook.cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }
    tests = [cell.name for cell in assignment.cells if not cell.by_hand]
    for name in answer.cells:
        if name not in solutions:
            raise _unknown(answer, name, "solution cell", list(solutions))
    for name in answer.loses:
        if name not in tests:
            raise _unknown(answer, name, "test cell", tests)
    for name, source in answer.cells.items():
        if solutions[name].cell_type == "markdown":
            source = "\n".join(re.sub(r"^# ?", "", line) for line in source.splitlines())
        solutions[name].source = source
    return notebook


def _unknown(answer: Answer, name: str, what: str, known: list[str]) -> KitError:
    return KitError(
        f"{answer.path}: the grade_id of a {what}: {', '.join(known) or 'there is none'}",
        name,
        "use one of these names",
    )


def grade_answers(
    kit: Kit,
    unit: str,
    answers: Iterable[Answer],
    limits: Limits,
    done: Callable[[GradedAnswer], None] = lambda graded: None,
    rest: bool = True,
) -> list[GradedAnswer]:
    """Grade answers as if students had handed them in.

    Of an answer, only what it can change is run: the cells that depend on
    those that it replaces, and what these need. Its other cells get the points
    of the reference, which is run with them. Answers that make the same
    notebook are run once.

    Args:
        kit: The kit.
        unit: The unit.
        answers: What to grade.
        limits: Times and settings.
        done: Called for each when it is graded.
        rest: Whether cells that an answer cannot change get the reference's points. Without
            them the whole reference is not run; such cells then have None.

    Returns:
        The graded answers in the order given.

    Raises:
        KitError: The unit or an answer does not fit.
    """
    answers = list(answers)
    with tempfile.TemporaryDirectory(prefix="rnnkit-") as temporary:
        place = Path(temporary)
        config = kit.root / "nbgrader_config.py"
        assignment = prepare_assignment(
            unit,
            kit.solutions / unit,
            config if config.is_file() else None,
            place / "assignment",
        )
        runs = [_run_for(answer, assignment) for answer in answers]
        # The reference first: it takes longest, and the others need its points.
        whole = _Run(_bytes(assignment.reference), frozenset(), sliced=False)
        needed_runs = [whole] if rest and any(run.sliced for run in runs) else []
        by_content = {run.content: run for run in [*needed_runs, *runs]}
        submissions = [_hand_in(run, unit, place / "answers") for run in by_content.values()]
        (place / "runs").mkdir()
        outcomes: dict[str, Outcome] = {}
        waiting = dict(enumerate(runs))
        graded: dict[int, GradedAnswer] = {}
        for outcome in run_submissions(assignment, submissions, limits, place / "runs"):
            outcomes[outcome.submission.student] = outcome
            for index, run in list(waiting.items()):
                needed = [run.content, whole.content] if rest and run.sliced else [run.content]
                if all(_digest(content) in outcomes for content in needed):
                    own, *reference = (outcomes[_digest(content)] for content in needed)
                    graded[index] = _graded(answers[index], run, own, *reference)
                    del waiting[index]
                    done(graded[index])
    return [graded[index] for index in range(len(answers))]


@dataclass(frozen=True)
class _Run:
    """What is run for an answer.

    Args:
        content: The notebook's file.
        affected: The graded cells that the answer can change.
        sliced: Whether the notebook holds only a part of the unit.
        mend: Whether it is mended before it runs, as a student's is.
    """

    content: bytes
    affected: frozenset[str]
    sliced: bool
    mend: bool = False


def _run_for(answer: Answer, assignment: Assignment) -> _Run:
    tests = {cell.name for cell in assignment.cells if not cell.by_hand}
    if answer.kind == STUDENTS and answer.path is not None:
        return _Run(answer.path.read_bytes(), frozenset(tests), sliced=False, mend=True)
    notebook = answer_notebook(answer, assignment)
    whole = _Run(_bytes(notebook), frozenset(tests), sliced=False)
    if not answer.cells:
        return whole
    part = slice_notebook(notebook, answer.cells.keys(), tests)
    kept = [notebook.cells[index] for index in sorted(part.run)]
    affected = tests & {cell.metadata.get("nbgrader", {}).get("grade_id", "") for cell in kept}
    if affected == tests:
        return whole
    notebook.cells = kept
    return _Run(_bytes(notebook), frozenset(affected), sliced=True)


def _bytes(notebook: NotebookNode) -> bytes:
    text: str = nbformat.writes(notebook)
    return text.encode()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _hand_in(run: _Run, unit: str, place: Path) -> Submission:
    digest = _digest(run.content)
    folder = place / digest
    folder.mkdir(parents=True)
    (folder / f"{unit}.ipynb").write_bytes(run.content)
    return Submission(digest, folder, mend=run.mend)


def _graded(
    answer: Answer, run: _Run, own: Outcome, reference: Outcome | None = None
) -> GradedAnswer:
    """An answer with what it got itself, and elsewhere what the reference got."""
    feedback, messages = (_of_failures(own, text_of) for text_of in (failure_text, first_failure))
    if reference is None:
        return GradedAnswer(answer, own, feedback, messages)
    # Where the reference fails too, the reason stands in its notebook alone.
    failed = {
        name: f"The reference fails here: {text}"
        for name, text in _of_failures(reference, failure_text).items()
        if name not in run.affected
    }
    merged = _with_points_of(own, reference, run)
    return GradedAnswer(answer, merged, {**failed, **feedback}, messages)


def _with_points_of(outcome: Outcome, reference: Outcome, run: _Run) -> Outcome:
    """The outcome with the reference's points where the answer changes nothing."""
    if not run.affected <= outcome.points.keys():  # it was not graded: nothing is known of it
        return outcome
    own = {name: pair for name, pair in outcome.points.items() if name in run.affected}
    return dataclasses.replace(outcome, points={**reference.points, **own}, note="")


def _of_failures(outcome: Outcome, text_of: Callable[[NotebookNode], str]) -> dict[str, str]:
    """What is said of each graded cell that failed."""
    if outcome.notebook is None:
        return {}
    shown = for_students(outcome.notebook)
    texts = {}
    for cell in shown.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if name in outcome.points and (text := text_of(cell)):
            texts[name] = text
    return texts
