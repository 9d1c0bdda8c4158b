"""The complaints about grading notebooks, each as what one student hands in.

`CASES` has a line for each: its number, what is wrong, what is handed in, and how it
must end. Every student answers rightly except where the case is about the answer, so
a lost point is a fault of the grading.
"""

import copy
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode
from tiny_unit import UNIT, handed_in

from rnnkit.grading.assignment import Assignment
from rnnkit.grading.outcome import Submission

RIGHT = "def double(x):\n    return 2 * x"
ANSWER, TEST, GREET_TEST = 2, 3, 6  # places in the notebook
HandedIn = NotebookNode | bytes | dict[str, bytes] | None


@dataclass(frozen=True)
class Case:
    """One complaint.

    Args:
        number: Its number; a letter is added where one number has several.
        what: What is wrong with it.
        hand_in: Makes what is handed in; it is told the unit and a folder of the test.
        status: How grading must end.
        points: Points of the two tests that a machine grades, 2 and 1 at most.
        says: Words that must be in the note.
        or_status: How it may end too, on a slow machine.
    """

    number: str
    what: str
    hand_in: Callable[[Assignment, Path], HandedIn]
    status: str
    points: tuple[float, ...] = (2.0, 1.0)
    says: str = ""
    or_status: str | None = None


def _notebook(change: Callable[[NotebookNode], object]) -> Callable[..., HandedIn]:
    def hand_in(assignment: Assignment, folder: Path) -> NotebookNode:
        notebook = handed_in(assignment)
        change(notebook)
        return notebook

    return hand_in


def _answer(source: str) -> Callable[..., HandedIn]:
    return lambda assignment, folder: handed_in(assignment, q1_double=source)


def _first(source: str) -> Callable[..., HandedIn]:
    """The right answer, and before it what does the harm."""
    return _answer(f"{source}\n{RIGHT}")


def _bytes(change: Callable[[str], bytes]) -> Callable[..., HandedIn]:
    return lambda assignment, folder: change(nbformat.writes(handed_in(assignment)))


def _files(*names: str) -> Callable[..., HandedIn]:
    def hand_in(assignment: Assignment, folder: Path) -> dict[str, bytes]:
        return dict.fromkeys(names, nbformat.writes(handed_in(assignment)).encode())

    return hand_in


def _copied(notebook: NotebookNode, place: int) -> None:
    notebook.cells.insert(place + 1, copy.deepcopy(notebook.cells[place]))
    notebook.cells[place + 1]["id"] = "copy"


def _split(notebook: NotebookNode) -> None:
    head = RIGHT.split("\n")[0]
    _copied(notebook, ANSWER)
    notebook.cells[ANSWER].source = "two = 2"
    notebook.cells[ANSWER + 1].source = f"{head}\n    return two * x"


def _no_metadata(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        cell.metadata = NotebookNode()


def _to_markdown(notebook: NotebookNode) -> None:
    cell = notebook.cells[TEST]
    cell.cell_type = "markdown"
    del cell["outputs"], cell["execution_count"]


def _colab(text: str) -> bytes:
    data = json.loads(text)
    data["nbformat_minor"] = 0
    for cell in data["cells"]:
        cell["metadata"]["id"] = cell.pop("id", "x")
        cell["metadata"]["executionInfo"] = {"user": {"displayName": "Ada Lovelace"}}
    data["cells"][TEST]["metadata"]["id"] = data["cells"][ANSWER]["metadata"]["id"]
    return json.dumps(data).encode()


def _version_3(text: str) -> bytes:
    notebook = nbformat.convert(nbformat.reads(text, as_version=4), 3)
    return nbformat.v3.writes_json(notebook).encode()


def _many_gigabytes(assignment: Assignment, folder: Path) -> HandedIn:
    return {"more/weights.bin": b"sparse", f"{UNIT}.ipynb": b"sparse"}


def _reads(*places: str) -> Callable[..., HandedIn]:
    """Right only if none of the places can be read; `places` are told the test's folder."""

    def hand_in(assignment: Assignment, folder: Path) -> NotebookNode:
        found = [place.format(folder=folder, source=assignment.source) for place in places]
        return handed_in(
            assignment,
            q1_double=f"""import glob, os
def readable(path):
    try:
        return bool(os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(1))
    except OSError:
        return False
seen = [path for place in {found!r} for path in glob.glob(place, recursive=True)
        if readable(path)]
print("seen:", seen)
def double(x):
    return seen or 2 * x""",
        )

    return hand_in


def _writes(assignment: Assignment, folder: Path) -> HandedIn:
    places = [
        str(assignment.source),
        str(folder),
        "/etc",
        "/usr",
        os.path.dirname(nbformat.__file__),
    ]
    return handed_in(
        assignment,
        q1_double=f"""import os
written = []
for place in {places!r}:
    try:
        open(os.path.join(place, "written_by_a_student"), "w").close()
        written.append(place)
    except OSError:
        pass
print("written:", written)
def double(x):
    return written or 2 * x""",
    )


def _sends(assignment: Assignment, folder: Path) -> HandedIn:
    return handed_in(
        assignment,
        q1_double="""import socket
sent = []
for kind, address in ((socket.SOCK_STREAM, ("127.0.0.1", PORT)),
                      (socket.SOCK_DGRAM, ("127.0.0.1", PORT))):
    try:
        with socket.socket(socket.AF_INET, kind) as out:
            out.settimeout(2)
            out.connect(address)
            out.send(b"the file")
            if kind == socket.SOCK_STREAM:  # a datagram can get lost unseen: the test listens
                sent.append(kind)
    except OSError:
        pass
print("sent:", sent)
def double(x):
    return sent or 2 * x""".replace("PORT", (folder / "port").read_text()),
    )


GROW = "grown = []\nwhile True:\n    grown.append(bytearray(10_000_000))"
FORKS = """import os, time
children = []
for number in range(3000):
    child = os.fork()
    if child == 0:
        time.sleep(600)
    children.append(child)"""
FILLS = """import os
try:
    for number in range(1000):
        with open(f"fill{number}", "wb") as out:
            out.write(bytes(100_000_000))
except OSError as error:
    print("full:", error)"""
LEAVES = 'import subprocess\nsubprocess.Popen(["sleep", "600"], start_new_session=True)'
STUBBORN = """def double(x):
    while True:
        try:
            while True:
                pass
        except KeyboardInterrupt:
            pass"""

HAND = "needs hand grading"  # the unit has a written question, which a person reads
CASES = [
    Case("1", "test cell copied", _notebook(lambda n: _copied(n, TEST)), "repaired"),
    Case("2a", "solution cell copied", _notebook(lambda n: _copied(n, ANSWER)), "repaired"),
    Case("2b", "solution cell split in two", _notebook(_split), "repaired"),
    Case("3", "test cell deleted", _notebook(lambda n: n.cells.pop(TEST)), "repaired"),
    Case("4", "all cell metadata gone", _notebook(_no_metadata), "repaired"),
    Case("5", "test cell made Markdown", _notebook(_to_markdown), "repaired"),
    Case(
        "6",
        "points edited",
        _notebook(lambda n: n.cells[TEST].metadata.nbgrader.update(points=200)),
        "tampered",
    ),
    Case(
        "7",
        "locked cell edited",
        _notebook(lambda n: n.cells[TEST].update(source="pass")),
        "repaired",
    ),
    Case("8", "Colab's format, doubled ids", _bytes(_colab), HAND),
    Case(
        "9",
        "widgets without state",
        _notebook(lambda n: n.metadata.update(widgets={"application/x": {}})),
        HAND,
    ),
    Case("10a", "nbformat 3", _bytes(_version_3), "repaired"),
    Case("10b", "cut-off JSON", _bytes(lambda t: t[: len(t) // 2].encode()), "unreadable", ()),
    Case("10c", "empty file", lambda a, f: b"", "unreadable", ()),
    Case("10d", "UTF-8 with BOM", _bytes(lambda t: t.encode("utf-8-sig")), HAND),
    Case("10e", "Latin-1", _bytes(lambda t: t.replace("Twice", "Zoë").encode("latin-1")), HAND),
    Case("10f", "CRLF", _bytes(lambda t: t.replace("\n", "\r\n").encode()), HAND),
    Case(
        "11",
        "a kernel that is not here",
        _notebook(lambda n: n.metadata.kernelspec.update(name="my_env")),
        HAND,
    ),
    Case("12a", "another name: lab (1).ipynb", _files("lab (1).ipynb"), "repaired"),
    Case("12b", "another name: Copy of lab.ipynb", _files("Copy of lab.ipynb"), "repaired"),
    Case("13", "two attempts", _files(f"{UNIT}.ipynb", f"{UNIT} (1).ipynb"), HAND),
    Case("14", "empty student folder", lambda a, f: None, "missing", ()),
    Case("15", "accents in names, LANG=C", _answer("größe = 2\n" + RIGHT), HAND),
    Case("16", "many gigabytes", _many_gigabytes, "unreadable", (), "GB"),
    Case("17", "while True in a solution cell", _answer("while True: pass"), "timed out", (0, 1)),
    Case("18", "loop that swallows the interrupt", _answer(STUBBORN), "timed out", (0, 1)),
    Case(
        "19",
        "os._exit in a function",
        _answer("import os\ndef double(x):\n    os._exit(0)"),
        "crashed",
        (0, 1),
    ),
    Case("20", "memory without end", _answer(GROW), "out of memory", (0, 1)),
    Case("21", "50 MB printed", _first("print('y' * 50_000_000)"), HAND),
    Case(
        "22",
        "right answer, error stream",
        _answer(
            "import logging, sys, threading, warnings\n"
            "def double(x):\n"
            "    warnings.warn('slow')\n"
            "    logging.getLogger().warning('a line')\n"
            "    threading.Timer(0, print, ('t',), {'file': sys.stderr}).start()\n"
            "    print('\\r 50%|##   |', end='', file=sys.stderr)\n"
            "    return 2 * x"
        ),
        HAND,
    ),
    Case("23", "input()", _answer("def double(x):\n    return int(input())"), HAND, (0, 1)),
    Case("24a", "!sleep 100", _first("!sleep 100"), "timed out"),
    Case("24b", "a child process left running", _first(LEAVES), HAND),
    Case("25", "a slow cell beside quick ones", _first("import time\ntime.sleep(2.5)"), HAND),
    Case("34a", "reads the gradebook", _reads("{folder}/**/gradebook.db", "{source}/**"), HAND),
    Case("34b", "reads other submissions", _reads("{folder}/submitted/**/*.ipynb"), HAND),
    Case("34c", "reads hidden tests beside it", _reads("./**/*.ipynb", "../**/*.ipynb"), HAND),
    Case("35", "writes into the solutions and the system", _writes, HAND),
    Case("36", "sends a file out over the network", _sends, HAND),
    # It meets the limit of processes, or on a slow machine that of time before.
    Case("40a", "forks without end", _answer(FORKS), "crashed", (0, 1), or_status="timed out"),
    Case("40b", "fills the disk", _first(FILLS), HAND),
]


def write_class(assignment: Assignment, folder: Path) -> dict[str, Submission]:
    """Write what the students hand in, below ``submitted``.

    Args:
        assignment: The unit.
        folder: A folder of the test; ``port`` in it holds the number of a port that listens.

    Returns:
        The submission of each case, by its number.
    """
    submissions = {}
    for case in CASES:
        place = folder / "submitted" / f"Zoë O'Case {case.number}" / UNIT
        place.mkdir(parents=True)
        content = case.hand_in(assignment, folder)
        files: dict[str, Any] = content if type(content) is dict else {f"{UNIT}.ipynb": content}
        for name, data in files.items():
            path = place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(data, NotebookNode):
                nbformat.write(data, path)
            elif data == b"sparse":
                with path.open("wb") as out:
                    out.truncate(20_000_000_000)  # takes no room on the disk
            elif data is not None:
                path.write_bytes(data)
        submissions[case.number] = Submission(place.parent.name, place)
    return submissions
