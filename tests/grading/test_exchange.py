"""nbgrader's exchange: what a teacher releases comes to a student, and their grade comes back.

Run as root, the student is another user of the system, whose rights the exchange depends on;
else both are the same user, with folders of their own.
"""

import os
import pwd
import re
import shutil
import stat
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from tiny_unit import UNIT, make_kit

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="nbgrader's exchange is not for Windows"),
]

COURSE = "rnn-2026"
ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
SECRET = "secret_number"  # in a hidden test
WRONG = "def double(x):\n    return x + 2  # right for 2 alone"
RIGHT = "def double(x):\n    return x + x"
GREET = 'def greet(name):\n    return f"hello {name}"'
SECONDS = 180  # for one command, on a busy machine


@dataclass
class Person:
    """Somebody with a home folder, who calls commands.

    Args:
        account: The user's account.
        home: The folder.
        python: The interpreter; not each user may run that of the tests.
    """

    account: pwd.struct_passwd
    home: Path
    python: str

    def nbgrader(self, folder: Path, *words: str) -> str:
        """Call nbgrader in a folder; gives what it printed."""
        return self.call(folder, self.python, "-m", "nbgrader", *words)

    def call(self, folder: Path, *words: str) -> str:
        """Call a command in a folder; gives what it printed."""
        done = subprocess.run(
            words,
            cwd=folder,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            **rights_of(self.account),
        )
        assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}"
        return done.stdout

    def environment(self) -> dict[str, str]:
        packages = sysconfig.get_path("purelib")
        return {
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "PATH": os.pathsep.join([str(BIN), os.environ["PATH"]]),
            "PYTHONPATH": os.pathsep.join([str(ROOT), packages]),
        }


def rights_of(account: pwd.struct_passwd) -> dict[str, object]:
    """What makes a new process run as this user; nothing where it does so anyway."""
    if account.pw_uid == os.getuid():
        return {}
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


@dataclass
class Exchanged:
    """Where the exchange and its two people have their folders.

    Args:
        teacher: Who releases and grades.
        student: Who fetches and hands in.
        kit: The kit's folder.
        course: The course folder, where submissions are graded.
        exchange: The folder between the two.
        desk: Where the student works.
    """

    teacher: Person
    student: Person
    kit: Path
    course: Path
    exchange: Path
    desk: Path

    def teaches(self, command: str, *more: str, folder: Path | None = None) -> str:
        return self.teacher.nbgrader(folder or self.course, command, UNIT, *more)

    def studies(self, command: str) -> str:
        return self.student.nbgrader(self.desk, command, UNIT, "--course", COURSE)

    def hands_in(self, double: str) -> None:
        """The student writes answers into the fetched notebook, and submits it."""
        path = self.desk / UNIT / f"{UNIT}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        answers = {"q1-double": double, "q2-greet": GREET, "q3-why": "Because of the sum."}
        for cell in notebook.cells:
            cell.source = answers.get(
                cell.metadata.get("nbgrader", {}).get("grade_id"), cell.source
            )
        path.write_text(nbformat.writes(notebook), encoding="utf-8")
        self.studies("submit")

    def grades(self) -> str:
        rnnkit = str(BIN / "rnnkit")
        return self.teacher.call(self.kit, rnnkit, "grade", UNIT, "--course", str(self.course))

    def score(self) -> float:
        with Gradebook(f"sqlite:///{self.course / 'gradebook.db'}", COURSE) as gradebook:
            return float(gradebook.find_submission(UNIT, self.student.account.pw_name).score)

    def pages(self) -> list[str]:
        """The feedback that the student has fetched, the oldest first."""
        found = sorted((self.desk / UNIT / "feedback").rglob("*.html"))
        return [path.read_text(encoding="utf-8") for path in found]


def another_user() -> tuple[pwd.struct_passwd, str] | None:
    """An account beside root's, and a Python that it may run; None where there is none."""
    if os.getuid() != 0:
        return None
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    own = [sys.executable, shutil.which(version, path="/usr/local/bin:/usr/bin")]
    for name in ("nobody", "daemon"):
        try:
            account = pwd.getpwnam(name)
        except KeyError:
            continue
        for python in filter(None, own):
            someone = Person(account, Path("/"), python)
            try:
                someone.nbgrader(Path("/"), "--version")
            except (AssertionError, OSError, subprocess.SubprocessError):
                continue
            return account, python
    return None


@pytest.fixture(scope="module")
def exchanged() -> Iterator[Exchanged]:
    """A course with one exercise that nobody has released yet."""
    myself = pwd.getpwuid(os.getuid())
    student, python = another_user() or (myself, sys.executable)
    # Not below pytest's own folder, which no other user may enter.
    with tempfile.TemporaryDirectory(prefix="rnnkit-exchange-") as name:
        place = Path(name)
        place.chmod(0o755)
        exchange = place / "exchange"
        exchange.mkdir()
        exchange.chmod(0o777)
        setting = f"c = get_config()\nc.Exchange.root = {str(exchange)!r}\n"
        people = []
        for account, interpreter in ((myself, sys.executable), (student, python)):
            home = place / f"home-{len(people)}"
            settings = home / ".jupyter"
            settings.mkdir(parents=True)
            (settings / "nbgrader_config.py").write_text(setting, encoding="utf-8")
            people.append(Person(account, home, interpreter))
        desk = people[1].home / "work"
        desk.mkdir()
        if student.pw_uid != myself.pw_uid:
            for path in [people[1].home, *people[1].home.rglob("*")]:
                os.chown(path, student.pw_uid, student.pw_gid)
        kit, course = make_kit(place / "kit").root, place / "course"
        with (kit / "nbgrader_config.py").open("a", encoding="utf-8") as config:
            config.write(f'\nc.CourseDirectory.course_id = "{COURSE}"\n')
        course.mkdir()
        shutil.copy(kit / "nbgrader_config.py", course)
        yield Exchanged(people[0], people[1], kit, course, exchange, desk)


@pytest.fixture(scope="module")
def through_the_term(exchanged: Exchanged) -> dict[str, object]:
    """Each step of an exercise, by two people; what was seen on the way."""
    seen: dict[str, object] = {}
    exchanged.teaches("generate_assignment", folder=exchanged.kit)
    exchanged.teaches("release_assignment", folder=exchanged.kit)
    exchanged.studies("fetch_assignment")
    fetched = exchanged.desk / UNIT
    seen["fetched"] = {path.name: path.read_text() for path in fetched.iterdir()}
    exchanged.hands_in(WRONG)
    exchanged.teaches("collect")
    exchanged.grades()
    seen["first score"] = exchanged.score()
    exchanged.teaches("release_feedback")
    exchanged.studies("fetch_feedback")
    seen["first pages"] = exchanged.pages()
    mark_by_hand(exchanged, 2.0, "A sum is one way.")
    exchanged.hands_in(RIGHT)
    exchanged.teaches("collect", "--update")
    seen["change"] = exchanged.grades()
    seen["second score"] = exchanged.score()
    exchanged.teaches("release_feedback")
    exchanged.studies("fetch_feedback")
    seen["second pages"] = exchanged.pages()
    return seen


def mark_by_hand(exchanged: Exchanged, points: float, comment: str) -> None:
    """What formgrader writes when a teacher has read a written answer."""
    with Gradebook(f"sqlite:///{exchanged.course / 'gradebook.db'}", COURSE) as gradebook:
        where = "q3-why", UNIT, UNIT, exchanged.student.account.pw_name
        grade = gradebook.find_grade(*where)
        grade.manual_score, grade.needs_manual_grade = points, False
        gradebook.find_comment(*where).manual_comment = comment
        gradebook.db.commit()


def test_student_fetches_the_exercise_and_nothing_of_the_solution(
    through_the_term: dict[str, dict[str, str]],
) -> None:
    fetched = through_the_term["fetched"]
    assert list(fetched) == [f"{UNIT}.ipynb"]
    assert "YOUR CODE HERE" in fetched[f"{UNIT}.ipynb"]
    assert SECRET not in fetched[f"{UNIT}.ipynb"]


def test_submission_comes_to_the_course_under_the_students_name(
    exchanged: Exchanged, through_the_term: dict[str, object]
) -> None:
    name = exchanged.student.account.pw_name
    places = [path.parent.name for path in exchanged.course.glob(f"submitted/*/{UNIT}")]
    assert places == [name]
    assert (exchanged.course / "submitted" / name / UNIT / "timestamp.txt").is_file()


def test_what_is_handed_in_belongs_to_the_student_and_cannot_be_listed_by_others(
    exchanged: Exchanged, through_the_term: dict[str, object]
) -> None:
    if exchanged.student.account.pw_uid == exchanged.teacher.account.pw_uid:
        pytest.skip("only root can be two users of the system")
    inbound = exchanged.exchange / COURSE / "inbound"
    owners = {path.stat().st_uid for path in inbound.iterdir()}
    assert owners == {exchanged.student.account.pw_uid}
    assert not stat.S_IMODE(inbound.stat().st_mode) & stat.S_IROTH


def test_only_the_wrong_answer_loses_its_points(through_the_term: dict[str, object]) -> None:
    assert through_the_term["first score"] == 1.0


def test_student_fetches_the_page_with_the_message(
    through_the_term: dict[str, list[str]],
) -> None:
    (page,) = through_the_term["first pages"]
    assert "the double of another number is wrong" in page
    assert "have not been read yet" in page
    assert SECRET not in page


def test_answer_handed_in_again_is_collected_and_graded_anew(
    exchanged: Exchanged, through_the_term: dict[str, object]
) -> None:
    assert through_the_term["second score"] == 5.0  # 2 by hand stay with the answer
    name = re.escape(exchanged.student.account.pw_name)
    assert re.search(rf"{name}: 3 → 5 \(q1-double-test 0 → 2\)", str(through_the_term["change"]))


def test_each_time_of_handing_in_has_a_page_of_its_own_the_last_with_the_comment(
    through_the_term: dict[str, list[str]],
) -> None:
    first, second = through_the_term["second pages"]
    assert "the double of another number is wrong" in first
    assert "the double of another number is wrong" not in second
    assert "A sum is one way." in second
