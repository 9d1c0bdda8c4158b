"""The second phase of grading: the students' pages, side by side in processes."""

import contextlib
import hashlib
import os
import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import nbformat

from rnnkit.errors import in_a_line
from rnnkit.grading.feedback import feedback_page, status_page
from rnnkit.grading.files import write_whole
from rnnkit.grading.folders import course_directory, load_config
from rnnkit.grading.open_gradebook import OpenGradebook
from rnnkit.grading.processes import fork_context
from rnnkit.grading.status import Status

__all__ = ["Page", "is_made", "make_pages", "page_digest"]

FEW = 4  # fewer pages are made here: a process needs seconds to begin
FAILED = "its feedback page could not be made"
DIED = f"{FAILED}: its process died"
MARK = "<!-- made from {} -->"


@dataclass(frozen=True)
class Page:
    """A page to be made.

    Args:
        student: The student.
        status: How the submission ended.
        note: What was found, for a page without a notebook.
        notebook: The graded notebook, where there is one.
        path: Where the page goes.
        digest: Changes when anything that the page shows changes.
    """

    student: str
    status: Status
    note: str
    notebook: Path | None
    path: Path
    digest: str


def page_digest(*parts: object) -> str:
    """A digest of all that a page shows.

    Args:
        parts: What it shows; anything whose text says all about it.
    """
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def is_made(page: Page) -> bool:
    """Whether the page is there and shows what it should.

    Args:
        page: The page.
    """
    mark = MARK.format(page.digest).encode()
    try:
        with page.path.open("rb") as file:
            file.seek(-len(mark) - 1, os.SEEK_END)
            return file.read().strip() == mark
    except OSError:  # there is none, or it is shorter than a mark
        return False


def make_pages(
    root: Path, unit: str, config_file: Path, pages: Sequence[Page], jobs: int
) -> Iterator[tuple[str, str]]:
    """Make pages; one that fails stops no other, and says so to its student.

    Args:
        root: The course folder.
        unit: The unit.
        config_file: The course's settings.
        pages: The pages.
        jobs: How many to make at once.

    Yields:
        For each page the student, and why it could not be made; empty if it was.
    """
    course = (root, unit, config_file)
    if len(pages) < FEW or jobs < 2:
        with contextlib.closing(_Maker(*course)) as maker:
            for page in pages:
                yield page.student, maker.make(page)
        return
    left, made_some = list(pages), True
    while left and made_some:
        undone = yield from _make_in_pool(course, left, jobs)
        # A process died, and took the others with it. Those that it may have been at are
        # made one at a time: a page that ends its process then stops no other.
        alone, made_some = undone[:jobs], len(undone) < len(left)
        for page in alone:
            if (yield from _make_in_pool(course, [page], 1)):
                yield page.student, DIED
            else:
                made_some = True
        left = undone[len(alone) :]
    for page in left:
        yield page.student, DIED


def _make_in_pool(
    course: tuple[Path, str, Path], pages: Sequence[Page], jobs: int
) -> Generator[tuple[str, str], None, list[Page]]:
    """Make pages side by side; gives back those that the death of a process left undone."""
    context = fork_context(__name__)
    # Nobody writes to it: its end tells the makers that we are dead.
    lifeline, ours = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(min(jobs, len(pages)), context, _begin, (*course, lifeline))
    futures: dict[Future[str], Page] = {}
    done = set()
    try:
        # What could not be given out is undone too.
        with contextlib.suppress(BrokenExecutor, EOFError, OSError):
            for page in pages:
                futures[pool.submit(_make, page)] = page
        for future in as_completed(futures):
            error, page = future.exception(), futures.pop(future)
            if not isinstance(error, BrokenExecutor):
                done.add(page)
                yield page.student, f"{FAILED}: {error!r:.300}" if error else future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        ours.close()
        lifeline.close()
    return [page for page in pages if page not in done]


class _Maker:
    """Makes pages from a gradebook that stays open."""

    def __init__(self, root: Path, unit: str, config_file: Path) -> None:
        self.unit = unit
        self.config = load_config(config_file)
        self.coursedir = course_directory(root, self.config)
        self.gradebook = OpenGradebook(self.coursedir.db_url, self.coursedir.course_id)

    def close(self) -> None:
        self.gradebook.shut()

    def make(self, page: Page) -> str:
        """Write one page; the note says why it could not be made."""
        try:
            self._write(page, self._text(page) + "\n" + MARK.format(page.digest) + "\n")
            return ""
        except Exception as error:
            note = f"{FAILED}: {in_a_line(error)}"
        with contextlib.suppress(OSError):  # then there is no page, and the note says so
            self._write(page, status_page(page.student, self.unit, page.status, note))
        return note

    def _write(self, page: Page, text: str) -> None:
        page.path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(page.path, text)

    def _text(self, page: Page) -> str:
        if page.notebook is None:
            return status_page(page.student, self.unit, page.status, page.note)
        notebook = nbformat.read(page.notebook, as_version=4)
        with self.gradebook.reading():
            return feedback_page(
                notebook, page.student, self.unit, self.coursedir, self.config, self.gradebook
            )


_maker: _Maker | None = None  # of a process of the pool


def _begin(root: Path, unit: str, config_file: Path, lifeline: Connection) -> None:
    global _maker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process says when to stop
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    _maker = _Maker(root, unit, config_file)


def _end_with(lifeline: Connection) -> None:
    """End this process with the one that it works for."""
    lifeline.poll(None)
    os._exit(1)


def _make(page: Page) -> str:
    assert _maker is not None
    return _maker.make(page)
