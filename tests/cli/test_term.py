"""The guide through a term works as it stands: each block is run, in order, and looked after."""

import csv
import getpass
import io
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest
from guide_player import Player, Step, read_guide, reader_environment
from nbgrader.api import Gradebook
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import (
    Exchange,
    ExchangeFetchAssignment,
    ExchangeFetchFeedback,
    ExchangeSubmit,
)
from traitlets.config import Config

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "term.md"
UNIT = "08_memory"
KIT_FILES = (
    "nbgrader_config.py",
    "pyproject.toml",
    "constraints.txt",
    "constraints-colab.txt",
    "LICENSE",
    ".gitignore",
    "docs/students.md",
)
CLASS = """\
student_id,first name,last name,email address
ada,Ada,Lovelace,ada@uni.example
ben,Ben,Ray,ben@uni.example
zoe,Zoë,O'Brien,zoe@uni.example
li,Li Wei,Ortega Díaz,li@uni.example
cy,Cy,Do,cy@uni.example
"""
SERVER = getpass.getuser()  # who works on the server with nbgrader's exchange
CLASS += f"{SERVER},Sam,Smith,{SERVER}@uni.example\n"
STEP = "def memory_step({0}, {1}, {2}):\n    return {3} * {0} + {4} * {1}"
RIGHT = STEP.format("state", "value", "keep", "keep", "(1 - keep)")
RENAMED = STEP.format("h", "x", "k", "k", "(1 - k)")
EXCHANGED = STEP.format("state", "value", "keep", "(1 - keep)", "keep")
READ = """\
def read_sequence(values, keep):
    states = [0.0]
    for value in values:
        states.append(keep * states[-1] + (1 - keep) * value)
    return np.array(states[1:])"""
WHY = "With 0.99 it remembers longer."
COMMENT = "Well seen; and how much longer?"
EXPORTED = {"ada": "6", "ben": "5.5", "zoe": "5", "li": "3", SERVER: "6"}


class Term:
    """What the reader of the guide has, and short ways to look into it."""

    def __init__(self, place: Path, player: Player) -> None:
        self.place = place
        self.home = place / "home"
        self.kit, self.students = place / "kit", place / "students"
        self.course = place / "course-2026"
        self.downloads, self.desk = self.home / "Downloads", self.home / "desk"
        self.player = player

    def handed_in(self, step: str | None = None, read: str | None = READ) -> str:
        """The published exercise with these answers."""
        path = self.students / "exercises" / UNIT / f"{UNIT}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        answers = {"q1-step": step, "q2-read": read, "q3-why": WHY}
        for cell in notebook.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            cell.source = answers.get(name) or cell.source
        text: str = nbformat.writes(notebook)
        return text

    def zip(self, name: str, files: dict[str, str], day: int) -> None:
        with zipfile.ZipFile(self.downloads / name, "w") as archive:
            for hour, (path, content) in enumerate(files.items()):
                archive.writestr(zipfile.ZipInfo(path, (2026, 11, day, 8 + hour, 0, 0)), content)

    def scores(self) -> dict[str, float]:
        with self.gradebook() as gradebook:
            found = gradebook.assignment_submissions(UNIT)
            return {submission.student.id: submission.score for submission in found}

    def gradebook(self, course_id: str = "rnn-2026") -> Gradebook:
        return Gradebook(f"sqlite:///{self.course / 'gradebook.db'}", course_id)

    def table(self, name: str) -> list[dict[str, str]]:
        text = (self.course / name).read_text(encoding="utf-8-sig")
        return list(csv.DictReader(io.StringIO(text)))

    def unzipped(self, name: str) -> dict[str, str]:
        with zipfile.ZipFile(self.place / name) as archive:
            return {path: archive.read(path).decode() for path in archive.namelist()}

    def page(self, student: str) -> str:
        path = self.course / "feedback" / student / UNIT / f"{UNIT}.html"
        return path.read_text(encoding="utf-8")

    def exchange(self, action: type[Exchange]) -> None:
        """What the student who works on the server does with nbgrader's exchange."""
        settings = Config()
        settings.CourseDirectory.course_id = "rnn-2026"
        settings.CourseDirectory.assignment_id = UNIT
        settings.Exchange.root = str(self.home / "exchange")
        settings.Exchange.cache = str(self.home / "cache")
        settings.Exchange.assignment_dir = str(self.desk)
        course = CourseDirectory(config=settings)
        action(
            coursedir=course, authenticator=Authenticator(config=settings), config=settings
        ).start()


@pytest.fixture
def term(tmp_path: Path) -> Iterator[Term]:
    """A reader with an empty home folder; on GitHub lies a copy of the kit without units."""
    home = tmp_path / "home"
    for name in ("Downloads", "desk", "cache"):
        (home / name).mkdir(parents=True)
    (home / "exchange").mkdir()
    (home / "exchange").chmod(0o777)  # as a server has it
    (home / "jupyter").mkdir()
    setting = f"c = get_config()\nc.Exchange.root = {str(home / 'exchange')!r}\n"
    (home / "jupyter" / "nbgrader_config.py").write_text(setting)
    environment = reader_environment(home, tmp_path / "programs")
    kit = home / "github" / "kit"
    shutil.copytree(ROOT / "rnnkit", kit / "rnnkit", ignore=shutil.ignore_patterns("__pycache__"))
    for name in KIT_FILES:
        (kit / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, kit / name)
    for words in (
        ["init", "-q", "-b", "main", str(kit)],
        ["-C", str(kit), "add", "-A"],
        ["-C", str(kit), "commit", "-q", "-m", "The kit"],
        ["init", "-q", "--bare", "-b", "main", str(home / "github" / "rnn-students")],
    ):
        subprocess.run(["git", *words], env=environment, check=True)
    player = Player(tmp_path, environment)
    yield Term(tmp_path, player)
    player.close()


def after_set_up(term: Term, printed: str) -> None:
    assert "Grading can work here." in printed
    assert (term.course / "nbgrader_config.py").read_text().endswith('= "rnn-2026"\n')


def after_adapting(term: Term, printed: str) -> None:
    exercise = (term.kit / "exercises" / UNIT / f"{UNIT}.ipynb").read_text(encoding="utf-8")
    assert "One step of a memory (3 points)" in exercise
    assert "6 points; about 20 minutes." in exercise
    assert "0 things wrong" in printed
    assert "right_numpy" in printed


def after_release(term: Term, printed: str) -> None:
    remote = term.home / "github" / "rnn-students"
    listed = subprocess.run(
        ["git", "-C", str(remote), "ls-tree", "-r", "--name-only", "main"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert f"exercises/{UNIT}/{UNIT}.ipynb" in listed
    assert not [name for name in listed if name.startswith(("solutions/", "tests/"))]
    assert (term.home / "exchange/rnn-2026/outbound" / UNIT / f"{UNIT}.ipynb").is_file()


def before_questions(term: Term) -> None:
    (term.downloads / "question.ipynb").write_text(term.handed_in(EXCHANGED), encoding="utf-8")


def after_questions(term: Term, printed: str) -> None:
    opened = (term.home / "opened").read_text().split()
    assert opened == [str(term.kit), f"../students/exercises/{UNIT}/{UNIT}.ipynb"]
    assert "memory_step: received [2.5 2. ], expected [1.5, 2.0]" in printed
    assert not (term.course / "gradebook.db").exists()


def before_collecting(term: Term) -> None:
    (term.downloads / "class.csv").write_text(CLASS, encoding="utf-8")
    moodle = {
        f"Ada Lovelace_41_assignsubmission_file_/{UNIT}.ipynb": term.handed_in(RIGHT),
        f"Ben Ray_42_assignsubmission_file_/{UNIT} (1).ipynb": term.handed_in(RENAMED),
        f"Zoë O'Brien_43_assignsubmission_file_/{UNIT}.ipynb": term.handed_in(EXCHANGED),
    }
    term.zip("moodle.zip", moodle, 20)
    canvas = {f"ortegadiazliwei_LATE_7001_9001_{UNIT}.ipynb": term.handed_in(RIGHT, read=None)}
    term.zip("submissions.zip", canvas, 21)
    moodle[f"Zoë O'Brien_43_assignsubmission_file_/{UNIT}.ipynb"] = term.handed_in(RIGHT)
    term.zip("moodle-later.zip", moodle, 27)
    term.exchange(ExchangeFetchAssignment)
    (term.desk / UNIT / f"{UNIT}.ipynb").write_text(term.handed_in(RIGHT), encoding="utf-8")
    term.exchange(ExchangeSubmit)


def after_collecting(term: Term, printed: str) -> None:
    places = term.course.glob(f"submitted/*/{UNIT}/{UNIT}.ipynb")
    assert {path.parents[1].name for path in places} == {"ada", "ben", "zoe", "li", SERVER}
    assert "Attempts added: 3 by 3 students" in printed
    assert "cy (Cy Do)" in printed


def after_grading(term: Term, printed: str) -> None:
    assert term.scores() == {"ada": 5, "ben": 2, "zoe": 2, "li": 3, SERVER: 5}
    report = (term.course / "report.html").read_text(encoding="utf-8")
    assert "unexpected keyword argument" in report
    assert {row["student"] for row in term.table("grades.csv") if row["status"] == "missing"} == {
        "cy"
    }
    assert (term.course / "likeness.html").is_file()


def after_mending(term: Term, printed: str) -> None:
    assert term.scores() == {"ada": 5, "ben": 5, "zoe": 2, "li": 3, SERVER: 5}
    (change,) = term.table("changes.csv")
    assert change["student"] == "ben"
    assert "test" in " ".join(change.values())
    assert "unexpected keyword" not in term.page("ben")


def after_late_ones(term: Term, printed: str) -> None:
    assert "Attempts added: 1 by 1 students" in printed
    assert term.scores() == {"ada": 5, "ben": 5, "zoe": 5, "li": 3, SERVER: 5}
    (change,) = term.table("changes.csv")
    assert change["student"] == "zoe"


def after_marking(term: Term, printed: str) -> None:
    """The points and comments that formgrader would write."""
    assert (term.home / "opened").read_text().splitlines()[-1].strip() == str(term.course)
    marks = {"ada": 1.0, "ben": 0.5, "zoe": 0.0, SERVER: 1.0}  # li's waits
    with term.gradebook() as gradebook:
        for student, points in marks.items():
            grade = gradebook.find_grade("q3-why", UNIT, UNIT, student)
            grade.manual_score, grade.needs_manual_grade = points, False
        comment = gradebook.find_comment("q3-why", UNIT, UNIT, "ada")
        comment.manual_comment = COMMENT
        gradebook.db.commit()


def after_feedback(term: Term, printed: str) -> None:
    assert term.scores() == {"ada": 6, "ben": 5.5, "zoe": 5, "li": 3, SERVER: 6}
    assert COMMENT in term.page("ada")
    assert "comes in" not in term.page("ada")  # words of a hidden test
    assert "have not been read yet" in term.page("li")
    assert "have not been read yet" not in term.page("ada")
    assert "to be run: 0" in printed
    term.exchange(ExchangeFetchFeedback)
    (page,) = (term.desk / UNIT / "feedback").rglob("*.html")
    assert page.read_text(encoding="utf-8") == term.page(SERVER)


def after_export(term: Term, printed: str) -> None:
    moodle = {row["Email address"]: row["Grade"] for row in term.table(f"{UNIT}-moodle.csv")}
    assert moodle == {f"{student}@uni.example": grade for student, grade in EXPORTED.items()}
    canvas = {row["ID"]: row[UNIT] for row in term.table(f"{UNIT}-canvas.csv") if row["ID"]}
    assert canvas == {"7001": "3"}
    grades = {row["student"]: row["score"] for row in term.table(f"{UNIT}-grades.csv")}
    assert grades == {**EXPORTED, "cy": ""}
    pages = {name: term.unzipped(f"feedback-{name}.zip") for name in ("moodle", "canvas")}
    assert sorted(pages["moodle"]) == sorted(
        f"{name}_assignsubmission_file_/{UNIT}.html"
        for name in ("Ada Lovelace_41", "Ben Ray_42", "Zoë O'Brien_43")
    )
    assert COMMENT in pages["moodle"][f"Ada Lovelace_41_assignsubmission_file_/{UNIT}.html"]
    assert list(pages["canvas"]) == [f"ortegadiazliwei_LATE_7001_9001_{UNIT}.html"]
    assert "wait for hand grading: 1 (li)" in printed


def after_the_year(term: Term, printed: str) -> None:
    with tarfile.open(term.place / "course-2026.tar.gz") as archive:
        names = archive.getnames()
    assert "course-2026/gradebook.db" in names
    assert f"course-2026/solutions/{UNIT}/{UNIT}.ipynb" in names
    new = term.place / "course-2027"
    assert "rnn-2027" in (new / "nbgrader_config.py").read_text()
    assert "5 points; about" in term.handed_in()
    clean = subprocess.run(
        ["git", "-C", str(term.kit), "status", "--porcelain"], capture_output=True, check=True
    )
    assert clean.stdout == b""


Before = Callable[[Term], None]
After = Callable[[Term, str], None]

# What other people do before each section of the guide, and what the section leaves behind.
SECTIONS: dict[str, tuple[Before | None, After | None]] = {
    "": (None, None),
    "1. Set up": (None, after_set_up),
    "2. Adapt an exercise": (None, after_adapting),
    "3. Release it to students": (None, after_release),
    "4. Answer questions": (before_questions, after_questions),
    "5. Collect": (before_collecting, after_collecting),
    "6. Grade": (None, after_grading),
    "7. Mend a broken test, and grade again": (None, after_mending),
    "8. Late submissions": (None, after_late_ones),
    "9. Mark written answers": (None, after_marking),
    "10. Give feedback": (None, after_feedback),
    "11. Export": (None, after_export),
    "12. Next year": (None, after_the_year),
}


@pytest.mark.slow
def test_each_block_of_the_guide_works_in_its_place(term: Term) -> None:
    steps: list[Step] = read_guide(GUIDE)
    assert [step.heading for step in steps] == list(SECTIONS)
    for step in steps:
        before, after = SECTIONS[step.heading]
        if before:
            before(term)
        printed = term.player.play(step)
        print(f"## {step.heading}\n{printed}")
        if after:
            after(term, printed)
    blocks = [block for step in steps for block in step.blocks]
    assert 2 * len(blocks) == GUIDE.read_text(encoding="utf-8").count("```")
    assert [block for block in blocks if not block.done] == []
