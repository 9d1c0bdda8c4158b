"""Grading a class: `rnnkit grade` beside plain `nbgrader autograde`, in one run, same scores.

    python benchmarks/grading.py light         48 submissions at about 0.5 s and 1 s of compute
    python benchmarks/grading.py full          8 full exercises
    python benchmarks/grading.py many [N]      2,000 small submissions, or N: time and memory

Each prints its tables and writes its section of docs/reports/grading.md. Plain nbgrader
runs with its own settings. Feedback pages are apart: neither makes them.
"""

import json
import os
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import psutil
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

ROOT = Path(__file__).resolve().parents[1]
REPORT = ROOT / "docs" / "reports" / "grading.md"
UNIT = "06_attention"
TRAINED = re.compile(r"^(q9|q11|q13|q15|dates|alignment|reverse|paths|gradient)")
HEAD = """# How fast a class is graded

`rnnkit grade` beside plain `nbgrader autograde`, one after the other in one run, on {cores}
processor cores. Both start from nothing: their own start, and the imports of their workers, count.
Feedback pages are apart. The command of each section stands in it.
"""


def light_reference(seconds: float) -> NotebookNode:
    """The unit without its trained cells, made as long as asked by products of matrices.

    Args:
        seconds: Seconds of compute of all its cells on one core.
    """
    notebook = nbformat.read(ROOT / "solutions" / UNIT / f"{UNIT}.ipynb", as_version=4)
    notebook.cells = [
        cell
        for cell in notebook.cells
        if not TRAINED.match(cell.metadata.get("nbgrader", {}).get("grade_id", cell.id))
    ]
    work = new_code_cell("", id="work")
    notebook.cells.insert(2, work)
    own = min(bare_seconds(notebook) for _ in range(3))
    if own < seconds:
        work.source = (
            "import time\n"
            "work_until = time.process_time() + "
            f"{seconds - own:.2f}\n"
            "while time.process_time() < work_until:\n"
            "    np.ones((64, 64)) @ np.ones((64, 64))"
        )
    print(f"The cells take {own:.2f} s bare; made {max(own, seconds):.2f} s.", file=sys.stderr)
    return notebook


RUN_BARE = """
import json, os, sys, time
import numpy, matplotlib.pyplot, tensorflow, keras, tensorflow_text, rnnkit.checks, rnnkit.models
import rnnkit.plots, rnnkit.data, rnnkit.text, rnnkit.layers, rnnkit.metrics
from IPython.display import display
print("ready", flush=True)
for line in sys.stdin:
    names = {"display": lambda *values: None, "__name__": "__main__"}
    begin = time.perf_counter()
    for source in json.loads(line):
        exec(compile(source, "cell", "exec"), names)
    print(time.perf_counter() - begin, flush=True)
"""


class Bare:
    """One warm process that runs notebooks' cells one after the other, and nothing else."""

    def __init__(self) -> None:
        environment = {
            **os.environ,
            "CUDA_VISIBLE_DEVICES": "",
            "MPLBACKEND": "agg",
            "TF_NUM_INTRAOP_THREADS": "1",
            "OMP_NUM_THREADS": "1",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-c", RUN_BARE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        self._answer("ready")

    def _answer(self, wanted: str = "") -> str:
        assert self._process.stdout is not None
        for line in self._process.stdout:  # what the cells print comes first
            if line.strip() == wanted or (not wanted and re.fullmatch(r"[\d.e-]+\n", line)):
                return line
        raise RuntimeError("the bare process has ended")

    def run(self, notebook: NotebookNode) -> float:
        """Run a notebook's code cells; returns the seconds."""
        assert self._process.stdin is not None
        sources = [
            cell.source
            for cell in notebook.cells
            if cell.cell_type == "code" and not cell.source.lstrip().startswith(("%", "!"))
        ]
        self._process.stdin.write(json.dumps(sources) + "\n")
        self._process.stdin.flush()
        return float(self._answer())

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()


def bare_seconds(notebook: NotebookNode) -> float:
    """Seconds of a notebook's cells in a warm process that has run nothing yet."""
    bare = Bare()
    try:
        return bare.run(notebook)
    finally:
        bare.close()


def make_kit(place: Path, unit: str, reference: NotebookNode) -> None:
    """A kit with this one unit."""
    folder = place / "solutions" / unit
    folder.mkdir(parents=True)
    (place / "exercises").mkdir()
    (folder / f"{unit}.py").write_text("# made by benchmarks/grading.py\n", encoding="utf-8")
    nbformat.write(reference, folder / f"{unit}.ipynb")
    shutil.copy(ROOT / "nbgrader_config.py", place)


def hand_in(course: Path, unit: str, reference: NotebookNode, count: int) -> None:
    """Copies of the solutions with differing content, a wrong answer among every three."""
    for number in range(count):
        notebook = nbformat.reads(nbformat.writes(reference), as_version=4)
        solutions = [
            cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("solution")
        ]
        code = [cell for cell in solutions if cell.cell_type == "code"]
        code[0].source += f"\n# submission {number}"
        if number % 3 == 2:
            code[number % len(code)].source = f"# nothing was written here, {number}"
        folder = course / "submitted" / f"student{number:05}" / unit
        folder.mkdir(parents=True)
        nbformat.write(notebook, folder / f"{unit}.ipynb")


def run(command: list[str], folder: Path, peak: Callable[[int], None] | None = None) -> float:
    """Seconds of a command; `peak` is told its process id while it runs."""
    begin = time.perf_counter()
    with (folder / "log.txt").open("ab") as log:
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # nbgrader calls alembic
        environment = {
            **os.environ,
            "PATH": path,
            "CUDA_VISIBLE_DEVICES": "",
            "RNNKIT_FAST": "",
        }
        process = subprocess.Popen(
            command, cwd=folder, stdout=log, stderr=subprocess.STDOUT, env=environment
        )
        while process.poll() is None:
            if peak is not None:
                peak(process.pid)
            time.sleep(0.2)
    if process.returncode:
        raise RuntimeError(f"{command} ended with {process.returncode}: {log.name}")
    return time.perf_counter() - begin


def rnnkit_grade(kit: Path, unit: str, course: Path, *more: str) -> list[str]:
    """The command that grades with the kit."""
    code = "from rnnkit.cli import main; raise SystemExit(main())"
    words = ["grade", unit, "--course", str(course), "--no-feedback", *more]
    return [sys.executable, "-c", code, *words]


def plain_course(place: Path, unit: str, reference: NotebookNode) -> None:
    """A course for plain nbgrader, the assignment in its gradebook."""
    (place / "source" / unit).mkdir(parents=True)
    nbformat.write(reference, place / "source" / unit / f"{unit}.ipynb")
    config = (
        'c = get_config()\nc.CourseDirectory.course_id = ""\nc.ExecutePreprocessor.timeout = 240\n'
    )
    (place / "nbgrader_config.py").write_text(config, encoding="utf-8")
    nbgrader(place, "generate_assignment", unit)


def nbgrader(place: Path, *words: str) -> float:
    """Run nbgrader in a course; returns the seconds."""
    code = "from nbgrader.apps.nbgraderapp import main; main()"
    return run([sys.executable, "-c", code, *words], place)


def scores(course: Path) -> dict[str, float]:
    """Auto-graded points of each student in a course's gradebook."""
    query = """
        SELECT submitted_assignment.student_id, SUM(grade.auto_score) FROM grade
        JOIN submitted_notebook ON grade.notebook_id = submitted_notebook.id
        JOIN submitted_assignment ON submitted_notebook.assignment_id = submitted_assignment.id
        GROUP BY submitted_assignment.student_id
    """
    with sqlite3.connect(course / "gradebook.db") as gradebook:
        return dict(gradebook.execute(query).fetchall())


def compare(unit: str, reference: NotebookNode, count: int) -> dict[str, float]:
    """Seconds of plain nbgrader, of the kit and of the bare cells, for the same submissions."""
    with tempfile.TemporaryDirectory(prefix="rnnkit-bench-") as temporary:
        place = Path(temporary)
        make_kit(place / "kit", unit, reference)
        for name in ("plain", "ours"):
            (place / name).mkdir()
            hand_in(place / name, unit, reference, count)
        plain_course(place / "plain", unit, reference)
        seconds = {}
        command = rnnkit_grade(place / "kit", unit, place / "ours")
        seconds["rnnkit"] = run(command, place / "kit")
        print(f"rnnkit grade: {seconds['rnnkit']:.1f} s", flush=True)
        seconds["plain"] = nbgrader(place / "plain", "autograde", unit)
        print(f"nbgrader autograde: {seconds['plain']:.1f} s", flush=True)
        same = scores(place / "plain") == scores(place / "ours")
        if not same:
            raise RuntimeError("the two gave different scores")
        notebooks = [
            nbformat.read(path, as_version=4)
            for path in sorted((place / "ours").glob("autograded/*/*/*.ipynb"))
        ]
        seconds["bare"] = bare_class(notebooks)
        print(f"bare cells: {seconds['bare']:.1f} s", flush=True)
    return seconds


def bare_class(notebooks: list[NotebookNode]) -> float:
    """Seconds of the cells alone, shared by as many warm processes as there are cores.

    A cell that fails ends its notebook's turn in the kit too late to matter: only right
    answers are timed, and the time is scaled to the number of all.
    """
    right = [notebook for notebook in notebooks if not _fails(notebook)]
    cores = os.cpu_count() or 1
    warm = [Bare() for _ in range(cores)]
    try:
        begin = time.perf_counter()
        with ThreadPoolExecutor(cores) as pool:
            shares = [right[start::cores] for start in range(cores)]
            list(
                pool.map(
                    lambda pair: [pair[0].run(n) for n in pair[1]], zip(warm, shares, strict=True)
                )
            )
        return (time.perf_counter() - begin) * len(notebooks) / len(right)
    finally:
        for process in warm:
            process.close()


def _fails(notebook: NotebookNode) -> bool:
    return any(
        output.output_type == "error"
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    )


def row(name: str, rounds: list[dict[str, float]], count: int) -> str:
    """One line of the table: medians of the rounds, with the spread of the ratio."""
    middle = {key: statistics.median(each[key] for each in rounds) for key in rounds[0]}
    ratios = sorted(each["plain"] / each["rnnkit"] for each in rounds)
    over = statistics.median(each["rnnkit"] / each["bare"] - 1 for each in rounds)
    return (
        f"| {name} | {count} | {middle['plain']:.0f} | {middle['rnnkit']:.1f} | "
        f"{statistics.median(ratios):.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f}) | "
        f"{middle['bare']:.1f} | {100 * over:.0f} % |"
    )


TABLE = (
    "| submissions | number | nbgrader (s) | rnnkit (s) | ratio (smallest to largest) | "
    "bare cells (s) | over bare |\n| --- | --- | --- | --- | --- | --- | --- |\n"
)


def light(rounds: int = 3, count: int = 48) -> str:
    """The section about a light exercise."""
    lines = []
    for seconds in (0.5, 1.0):
        reference = light_reference(seconds)
        results = [compare("light", reference, count) for _ in range(rounds)]
        lines.append(row(f"light exercise, {seconds:g} s of compute", results, count))
    return TABLE + "\n".join(lines)


def full(rounds: int = 1, count: int = 8) -> str:
    """The section about a full exercise."""
    reference = nbformat.read(ROOT / "solutions" / UNIT / f"{UNIT}.ipynb", as_version=4)
    results = [compare(UNIT, reference, count) for _ in range(rounds)]
    return TABLE + row(f"full exercise {UNIT}", results, count)


def small_reference() -> NotebookNode:
    """A unit of three questions without TensorFlow."""
    cells = []
    for number in range(1, 4):
        common = {"locked": False, "schema_version": 3, "task": False}
        solution = {**common, "grade": False, "grade_id": f"q{number}", "solution": True}
        test = {
            **common,
            "grade": True,
            "grade_id": f"q{number}-test",
            "solution": False,
            "locked": True,
            "points": 1,
        }
        answer = (
            f"def f{number}(x):\n    ### BEGIN SOLUTION\n"
            f"    return {number} * x\n    ### END SOLUTION"
        )
        cells.append(new_code_cell(answer, id=f"q{number}", metadata={"nbgrader": solution}))
        check = f"assert f{number}(2) == {2 * number}"
        cells.append(new_code_cell(check, id=f"q{number}-test", metadata={"nbgrader": test}))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


def many(count: int = 2000) -> str:
    """The section about time and memory against the number of submissions."""
    lines = []
    for number in (count // 4, count // 2, count):
        with tempfile.TemporaryDirectory(prefix="rnnkit-bench-") as temporary:
            place = Path(temporary)
            reference = small_reference()
            make_kit(place / "kit", "small", reference)
            (place / "course").mkdir()
            hand_in(place / "course", "small", reference, number)
            peaks = Peaks()
            command = rnnkit_grade(place / "kit", "small", place / "course")
            seconds = run(command, place / "kit", peaks.look)
            again = run(command, place / "kit")
            lines.append(
                f"| {number:,} | {seconds:.0f} | {1000 * seconds / number:.0f} | "
                f"{peaks.coordinator / 1e6:.0f} | {peaks.all / 1e6:.0f} | {again:.1f} |"
            )
            print(lines[-1], flush=True)
    head = (
        "| submissions | seconds | ms each | coordinator, most memory (MB) | "
        "all processes, most memory (MB, PSS) | once more, unchanged (s) |\n"
        "| --- | --- | --- | --- | --- | --- |\n"
    )
    return head + "\n".join(lines)


class Peaks:
    """The most memory that a command and its children have held."""

    def __init__(self) -> None:
        self.coordinator = self.all = 0
        self._next = 0.0

    def look(self, pid: int) -> None:
        """Measure; at most once in two seconds, since it takes time itself."""
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + 2
        try:
            process = psutil.Process(pid)
            self.coordinator = max(self.coordinator, process.memory_info().rss)
            total = 0
            for each in [process, *process.children(recursive=True)]:
                try:
                    total += each.memory_full_info().pss
                except psutil.Error:
                    continue  # it has ended
            self.all = max(self.all, total)
        except psutil.Error:
            return


def write(section: str, command: str, text: str) -> None:
    """Put a section into the report; the others stay."""
    old = REPORT.read_text(encoding="utf-8") if REPORT.exists() else ""
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", old, re.DOTALL | re.MULTILINE))
    sections[section] = f"`{command}`\n\n{text}"
    body = "\n".join(f"## {name}\n\n{content.strip()}\n" for name, content in sections.items())
    REPORT.write_text(
        f"{HEAD.format(cores=os.cpu_count())}\n{body}".rstrip() + "\n", encoding="utf-8"
    )


def main() -> None:
    """Measure what the command line names."""
    known = {"light": light, "full": full, "many": many}
    if len(sys.argv) < 2 or sys.argv[1] not in known:
        raise SystemExit(__doc__)
    numbers = [int(word) for word in sys.argv[2:]]
    text = known[sys.argv[1]](*numbers)
    print(text)
    write(sys.argv[1], " ".join(["python", "benchmarks/grading.py", *sys.argv[1:]]), text)


if __name__ == "__main__":
    main()
