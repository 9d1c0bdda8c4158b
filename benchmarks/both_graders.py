"""The bank of answers under three graders: the points of each cell, side by side.

    python benchmarks/both_graders.py --cache FOLDER --stock 8 > docs/reports/both_graders.md

`referee` is what `rnnkit grade` does: tests run outside the student's process. `kernel` is the
same with every test marked `run_in: kernel`, as stock nbgrader runs them; both run the cells
that an answer can change. `stock` is `nbgrader autograde` itself, without the course's settings
but for the limit of a cell, on whole notebooks: the reference, all right answers and every N-th
wrong one.

What is graded stays in the cache's folder until the unit, the answer or what they use of rnnkit
changes, so a run that was stopped goes on. `--print` runs nothing and prints what is there.
Exit status 1: an answer is not graded, or did not get what it says, or a difference is not
explained in `REASONS`.
"""

import argparse
import contextlib
import functools
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatch
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, MissingEntry

import rnnkit
from rnnkit.course.kit import Kit, find_kit
from rnnkit.grading.answers import (
    Answer,
    GradedAnswer,
    answer_files,
    answer_notebook,
    grade_answers,
    read_answer,
)
from rnnkit.grading.assignment import prepare_assignment
from rnnkit.grading.files import files_beside, write_whole
from rnnkit.grading.keys import environment
from rnnkit.grading.limits import Limits
from rnnkit.grading.mutants.cache import checks_used, key_of

GRADERS = ("stock", "referee", "kernel")
CELL_SECONDS = 240
ANSWER_SECONDS = 1800  # the longest that stock nbgrader may take for one notebook
HEAD = """# The bank of answers under three graders

`{command}`, in the short setting (`RNNKIT_FAST=1`).

What a student might hand in is written down in `tests/answers`, with the cells that it must
lose and the words that the feedback must hold. Here each is graded by the [referee](../referee.md)
and again with all tests in the student's process (`kernel`), where stock nbgrader runs them; and
a sample by `nbgrader autograde` itself (`stock`), whole notebooks, without the course's settings
but for a limit of {seconds} seconds for a cell. Points are compared cell by cell.

"As they say": all points but for the cells that the answer names, and the words under these. Where
fewer answers are graded than there are, the run was stopped; the same command goes on from there.
"""
# Why graders differ: a pattern of GRADER/UNIT/ANSWER/CELL, and the reason.
REASONS: dict[str, str] = {}
ERROR_STREAM = "wrote to the error stream"
NO_POINTS = "the answer warns; stock gives 0 where a test cell writes to the error stream"
COLUMNS = "| grader | answers | graded | as they say | compared | same | different |"
NOT_EXPLAINED = "**not explained**"


@dataclass(frozen=True)
class Result:
    """What a grader gave an answer.

    Args:
        points: Of each auto-graded cell; None where it was not graded.
        faults: What is not as the answer file says, a line each; not known of stock.
        messages: What stands under each cell that failed, or that warned.
        note: How the run ended, where it did not end well.
    """

    points: dict[str, float | None]
    faults: list[str] = field(default_factory=list)
    messages: dict[str, str] = field(default_factory=dict)
    note: str = ""


class Cache:
    """Results in a folder, kept as long as what they come from is the same.

    Args:
        folder: The folder; it is made where it is missing.
        kit: The kit.
    """

    def __init__(self, folder: Path, kit: Kit) -> None:
        self.folder = folder
        self.kit = kit

    def get(self, unit: str, grader: str, answer: Answer) -> Result | None:
        """The result, where there is one of just this answer, unit and what they use of rnnkit."""
        path = self._path(unit, grader, answer)
        if not path.is_file():
            return None
        kept = json.loads(path.read_text(encoding="utf-8"))
        return Result(**kept["result"]) if kept["key"] == self._key(unit, answer) else None

    def put(self, unit: str, grader: str, answer: Answer, result: Result) -> None:
        """Keep a result, at once and whole."""
        path = self._path(unit, grader, answer)
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = {"key": self._key(unit, answer), "result": asdict(result)}
        write_whole(path, json.dumps(kept, indent=1))

    def _path(self, unit: str, grader: str, answer: Answer) -> Path:
        return self.folder / unit / grader / f"{answer.name}.json"

    def _key(self, unit: str, answer: Answer) -> str:
        own = answer.path.read_bytes() if answer.path else b""
        config = self.kit.root / "nbgrader_config.py"
        files = files_beside(self.kit.solutions / unit)
        path = self.kit.solution_notebook(unit)
        parts = (path.read_bytes(), files, config.read_bytes(), own)
        versions = {name: each for name, each in environment().items() if name != "rnnkit"}
        return hashlib.sha256(repr((parts, versions, used_of_rnnkit(path))).encode()).hexdigest()


@functools.cache
def used_of_rnnkit(notebook: Path) -> str:
    """A digest of rnnkit; of its checks, only of those that the notebook's cells use.

    Args:
        notebook: A unit's solution.
    """
    root = Path(rnnkit.__file__).parent
    checks = root / "checks"
    cells = nbformat.read(notebook, as_version=4).cells
    sources = [cell.source for cell in cells if cell.cell_type == "code"]
    others = [
        (str(path.relative_to(root)), path.read_bytes())
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.suffix != ".pyc" and checks not in path.parents
    ]
    return key_of(repr(others), checks_used(sources, checks))


def all_answers(kit: Kit, unit: str) -> list[Answer]:
    """The reference, which the others need, and the unit's answer files, wrong ones first.

    A right answer may replace every cell and then takes as long as ten wrong ones.
    """
    reference = Answer(None, "right", "the solutions themselves")
    answers = [read_answer(path) for path in answer_files(kit, unit)]
    return [reference, *sorted(answers, key=lambda answer: answer.kind != "wrong")]


def sample(answers: Iterable[Answer], every: int) -> list[Answer]:
    """The reference, the right answers and each so-manieth wrong one."""
    answers = list(answers)
    wrong = [answer for answer in answers if answer.kind == "wrong"][::every]
    return [answer for answer in answers if answer.kind == "right"] + wrong


def tell(unit: str, grader: str, answer: Answer, seconds: float | None = None) -> None:
    """One line of progress."""
    took = "" if seconds is None else f" ({seconds:.0f} s)"
    print(f"{unit} {grader} {answer.name}{took}", file=sys.stderr, flush=True)


def grade_sliced(
    kit: Kit, unit: str, grader: str, answers: list[Answer], cache: Cache, jobs: int
) -> None:
    """Grade with the referee or in the kernel what the cache does not hold."""

    def keep(graded: GradedAnswer) -> None:
        points = {name: pair[0] for name, pair in graded.outcome.points.items()}
        result = Result(points, graded.faults(), graded.feedback, graded.outcome.note)
        tell(unit, grader, graded.answer, graded.outcome.seconds)
        if any(value is not None for value in points.values()):
            cache.put(unit, grader, graded.answer, result)
        else:  # it is tried again the next time
            print(f"not graded: {graded.outcome.note}", file=sys.stderr, flush=True)

    limits = Limits(cell_seconds=CELL_SECONDS, jobs=jobs, fast=True, sandbox="try")
    with contextlib.ExitStack() as stack:
        if grader == "kernel":
            place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rnnkit-both-")))
            kit = kit_in_kernel(kit, unit, place)
        grade_answers(kit, unit, answers, limits, keep)


def kit_in_kernel(kit: Kit, unit: str, place: Path) -> Kit:
    """A copy of a unit whose tests all run in the student's process.

    Args:
        kit: The kit.
        unit: The unit.
        place: An empty folder.
    """
    copied = Kit(place)
    shutil.copy(kit.root / "nbgrader_config.py", place)
    shutil.copytree(kit.solutions / unit, copied.solutions / unit)
    path = copied.solution_notebook(unit)
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        settings = cell.metadata.get("nbgrader", {})
        if settings.get("grade") and not settings.get("solution"):
            cell.metadata.setdefault("rnnkit", {})["run_in"] = "kernel"
    nbformat.write(notebook, path)
    return copied


def grade_stock(kit: Kit, unit: str, answers: list[Answer], cache: Cache) -> None:
    """Let stock nbgrader grade what the cache does not hold, one notebook after the other."""
    with tempfile.TemporaryDirectory(prefix="rnnkit-both-") as temporary:
        place = Path(temporary)
        config = kit.root / "nbgrader_config.py"
        (place / "prepared").mkdir()
        assignment = prepare_assignment(unit, kit.solutions / unit, config, place / "prepared")
        course = place / "course"
        shutil.copytree(assignment.source, course / "source" / unit)
        stock_nbgrader(course, "generate_assignment", unit, "--create")
        for answer in answers:
            folder = course / "submitted" / answer.name / unit
            folder.parent.mkdir(parents=True)
            shutil.copytree(course / "release" / unit, folder)
            nbformat.write(answer_notebook(answer, assignment), folder / f"{unit}.ipynb")
            words = ("autograde", unit, "--create", "--student", answer.name)
            printed = stock_nbgrader(course, *words)
            tests = [cell.name for cell in assignment.cells if not cell.by_hand]
            points = stock_points(course, unit, answer.name, tests)
            note = printed.strip()[-300:] if None in points.values() else ""
            messages = stock_messages(course / "autograded" / answer.name / unit)
            cache.put(unit, "stock", answer, Result(points, messages=messages, note=note))
            tell(unit, "stock", answer)


def stock_nbgrader(course: Path, *words: str) -> str:
    """Run nbgrader with its own settings in a course; returns what it printed."""
    own = course.parent / "jupyter"
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(own),  # no settings of whoever runs this
        "RNNKIT_FAST": "1",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "CUDA_VISIBLE_DEVICES": "",
    }
    code = "from nbgrader.apps.nbgraderapp import main; main()"
    limit = f"--ExecutePreprocessor.timeout={CELL_SECONDS}"
    done = subprocess.run(
        [sys.executable, "-c", code, *words, *([limit] if "autograde" in words else [])],
        cwd=course,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=ANSWER_SECONDS,
    )
    return done.stdout + done.stderr


def stock_points(
    course: Path, unit: str, student: str, tests: list[str]
) -> dict[str, float | None]:
    """What stands in a stock gradebook."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        try:
            found = gradebook.find_submission_notebook(unit, unit, student)
        except MissingEntry:
            return dict.fromkeys(tests)
        points = {grade.name: grade.auto_score for grade in found.grades}
    return {name: points.get(name) for name in tests}


def stock_messages(folder: Path) -> dict[str, str]:
    """What stands under each test of a notebook that stock nbgrader has run."""
    messages = {}
    for path in folder.glob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            if not cell.metadata.get("nbgrader", {}).get("grade"):
                continue
            for output in cell.get("outputs", []):
                if output.output_type == "error":
                    messages[cell.metadata.nbgrader.grade_id] = output.evalue[-300:]
                elif output.get("name") == "stderr":
                    said = f"{ERROR_STREAM}: {output.text.strip()[:200]}"
                    messages.setdefault(cell.metadata.nbgrader.grade_id, said)
    return messages


@dataclass(frozen=True)
class Difference:
    """A cell for which another grader gave other points than the referee."""

    grader: str
    answer: str
    cell: str
    referee: float | None
    other: float | None
    reason: str


class Section:
    """What is known of a unit.

    Args:
        unit: The unit.
        wanted: For each grader, the answers that it should grade.
        cache: Where the results are.
    """

    def __init__(self, unit: str, wanted: dict[str, list[Answer]], cache: Cache) -> None:
        self.unit = unit
        self.wanted = wanted
        self.results = {
            grader: {answer.name: cache.get(unit, grader, answer) for answer in answers}
            for grader, answers in wanted.items()
        }

    def faults(self) -> list[str]:
        """What the referee did not give as an answer says."""
        found = self.results.get("referee", {}).values()
        return [fault for result in found if result for fault in result.faults]

    def pairs(self, grader: str) -> Iterator[tuple[str, Result, Result]]:
        """The answers that the referee and another grader have graded."""
        judged = self.results.get("referee", {})
        for name, other in self.results.get(grader, {}).items():
            if other is not None and (result := judged.get(name)) is not None:
                yield name, result, other

    def differences(self) -> list[Difference]:
        """Cell by cell, what the other graders gave otherwise."""
        found = []
        for grader in ("kernel", "stock"):
            for name, judged, other in self.pairs(grader):
                for cell in {**judged.points, **other.points}:
                    points, theirs = judged.points.get(cell), other.points.get(cell)
                    if theirs != points:
                        place = f"{grader}/{self.unit}/{name}/{cell}"
                        reason = reason_for(place, other.messages.get(cell, ""))
                        found.append(Difference(grader, name, cell, points, theirs, reason))
        return found

    def is_good(self) -> bool:
        """Whether all are graded, as each answer says, and each difference has its reason."""
        graded = [result for results in self.results.values() for result in results.values()]
        if None in graded:
            return False
        known = all(each.reason != NOT_EXPLAINED for each in self.differences())
        return known and not self.faults()

    def text(self) -> str:
        """The section of the report."""
        differences = self.differences()
        lines = [f"## {self.unit}", "", self._counts(), ""]
        if faults := self.faults():
            lines += ["Not as the answer says, from the referee:", ""]
            lines += [f"- {fault}" for fault in faults] + [""]
        if differences:
            lines += ["| grader | answer | cell | referee | it | reason |", "|" + " --- |" * 6]
            lines += [_row(each) for each in differences] + [""]
        return "\n".join(lines)

    def _counts(self) -> str:
        lines = [COLUMNS, "|" + " --- |" * COLUMNS.count("|", 1)]
        differing = {(each.grader, each.answer) for each in self.differences()}
        for grader, results in self.results.items():
            graded = [result for result in results.values() if result is not None]
            # Stock's feedback is not read, so its words are not known.
            kept = sum(not result.faults for result in graded) if grader != "stock" else "-"
            compared = len(list(self.pairs(grader)))
            other = sum(name == grader for name, _ in differing)
            beside = ["", "", ""] if grader == "referee" else [compared, compared - other, other]
            cells = [grader, self._kinds(grader), len(graded), kept, *beside]
            lines.append(f"| {' | '.join(map(str, cells))} |")
        return "\n".join(lines)

    def _kinds(self, grader: str) -> str:
        """How many answers of each kind there are, the reference among the right ones."""
        kinds = Counter(answer.kind for answer in self.wanted[grader])
        return ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))


def reason_for(place: str, message: str) -> str:
    """Why graders differ there.

    Args:
        place: GRADER/UNIT/ANSWER/CELL.
        message: What the grader left under the cell.
    """
    if place.startswith("stock/") and message.startswith(ERROR_STREAM):
        return NO_POINTS
    return next((why for each, why in REASONS.items() if fnmatch(place, each)), NOT_EXPLAINED)


def _row(each: Difference) -> str:
    points = ["-" if value is None else f"{value:g}" for value in (each.referee, each.other)]
    return f"| {each.grader} | {each.answer} | {each.cell} | {' | '.join(points)} | {each.reason} |"


def grade(kit: Kit, unit: str, wanted: dict[str, list[Answer]], cache: Cache, jobs: int) -> None:
    """Grade what the cache does not hold yet."""
    for grader, answers in wanted.items():
        left = [answer for answer in answers if cache.get(unit, grader, answer) is None]
        print(f"{unit} {grader}: {len(left)} of {len(answers)} left", file=sys.stderr, flush=True)
        if left and grader == "stock":
            grade_stock(kit, unit, left, cache)
        elif left:
            grade_sliced(kit, unit, grader, left, cache, jobs)


def main() -> int:
    """Grade, compare and print the report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("units", nargs="*", metavar="UNIT", help="default: all units")
    parser.add_argument("--cache", type=Path, required=True, help="folder of finished answers")
    parser.add_argument("--stock", type=int, default=0, metavar="N", help="1 of N wrong answers")
    parser.add_argument("--graders", nargs="*", choices=GRADERS, default=list(GRADERS))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--print", action="store_true", help="print what is there, run nothing")
    options = parser.parse_args()
    kit = find_kit()
    cache = Cache(options.cache, kit)
    command = "python benchmarks/both_graders.py --cache FOLDER"
    command += f" --stock {options.stock}" if options.stock else ""
    print(HEAD.format(command=command, seconds=CELL_SECONDS))
    good = True
    for unit in options.units or kit.units():
        answers = all_answers(kit, kit.check_unit(unit))
        wanted = {grader: answers for grader in options.graders if grader != "stock"}
        if options.stock and "stock" in options.graders:
            wanted["stock"] = sample(answers, options.stock)
        if not options.print:
            grade(kit, unit, wanted, cache, options.jobs)
        section = Section(unit, wanted, cache)
        print(section.text(), flush=True)
        good = good and section.is_good()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
