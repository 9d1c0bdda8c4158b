"""Collecting what was handed in: all or nothing, and nothing twice."""

import datetime
import hashlib
import json
import os
import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from rnnkit.course.alone import alone_in
from rnnkit.course.collecting.archives import Bounds, unpack
from rnnkit.course.collecting.forms import Form, Handle, plain_name
from rnnkit.course.collecting.handed_in import Handed, HandedFile, attempts_of, handed_in
from rnnkit.course.collecting.matching import Match, Matcher
from rnnkit.course.collecting.names import student_name
from rnnkit.course.collecting.placing import Places, fill, put, tree_digest
from rnnkit.course.collecting.privacy import without_names
from rnnkit.course.collecting.record import (
    ASIDE,
    ATTEMPTS,
    BY_HAND,
    Attempt,
    Record,
    collected_folder,
    read_record,
)
from rnnkit.course.collecting.roster import COPY, Person, read_roster, roster_text
from rnnkit.errors import KitError
from rnnkit.plain_text import in_one_line

__all__ = ["Collected", "collect", "grade_ids"]

# Files written within so short a time got their times from the making of the zip.
SECONDS_OF_A_DOWNLOAD = 900
_STAGE = ".collecting-"


@dataclass
class Collected:
    """What one call collected.

    Args:
        folder: Where all attempts are kept.
        new: The attempts that were added and whose student is known.
        replaced: Students whose submission in ``submitted/`` is another one now.
        unchanged: How many attempts were there already.
        students: How many students have a submission.
        missing: Those of the class list who have none; None where there is no class list.
        aside: The attempts whose student is not known, also of earlier calls.
        passed: What was passed over: the source, the path and why.
        odd: What to look at: the student and a sentence.
        by_hand: Folders of ``submitted/`` that somebody had changed, and where they are now.
        untimed: Sources that do not say when their files were handed in.
    """

    folder: Path
    new: list[Attempt] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    unchanged: int = 0
    students: int = 0
    missing: list[Person] | None = None
    aside: list[Attempt] = field(default_factory=list)
    passed: list[tuple[str, str, str]] = field(default_factory=list)
    odd: list[tuple[str, str]] = field(default_factory=list)
    by_hand: list[tuple[str, Path]] = field(default_factory=list)
    untimed: list[str] = field(default_factory=list)


def grade_ids(notebook: Path) -> frozenset[str]:
    """The names of an exercise's cells, by which its notebook is recognised.

    Args:
        notebook: The exercise or its solution; nothing is known where it is not there.
    """
    try:
        cells = json.loads(notebook.read_bytes())["cells"]
        marks = [cell["metadata"].get("nbgrader", {}) for cell in cells]
        return frozenset(str(mark["grade_id"]) for mark in marks if mark.get("grade_id"))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return frozenset()


def collect(
    unit: str,
    sources: Sequence[Path],
    root: Path,
    place: Callable[[str], Path],
    *,
    roster: Path | None = None,
    cells: Collection[str] = (),
    bounds: Bounds | None = None,
) -> Collected:
    """Collect what was handed in for a unit.

    All sources are read before anything in the course changes, and what is new becomes
    visible in one step. A call that was stopped is finished by the next.

    Args:
        unit: The unit.
        sources: Zips and folders of an LMS, or of notebooks. None of them, to match again
            what was put aside.
        root: The course folder.
        place: Gives a student's folder in ``submitted/``.
        roster: The class list; that of an earlier call by default, if there was one.
        cells: The names of the unit's cells, which tell its notebook from others.
        bounds: The most that is unpacked.

    Raises:
        KitError: A source or the class list cannot be used; nothing was changed.
    """
    with alone_in(root):
        for forsaken in root.glob(f"{_STAGE}*"):  # of a call that was killed: we are alone
            shutil.rmtree(forsaken, ignore_errors=True)
        stage = Path(tempfile.mkdtemp(prefix=_STAGE, dir=root))
        try:
            return _Collecting(unit, root, place, frozenset(cells), stage, roster).run(
                sources, bounds or Bounds()
            )
        finally:
            shutil.rmtree(stage, ignore_errors=True)


@dataclass
class _Candidate:
    """An attempt that may be new, with its files where they lie now."""

    attempt: Attempt
    files: list[HandedFile]


class _Collecting:
    def __init__(
        self,
        unit: str,
        root: Path,
        place: Callable[[str], Path],
        cells: frozenset[str],
        stage: Path,
        roster: Path | None,
    ) -> None:
        self.unit = unit
        self.place = place
        self.cells = cells
        self.stage = stage
        self.home = collected_folder(root, unit)
        self.record = read_record(self.home)
        self.roster_copy = self.home.parent / COPY
        kept = self.roster_copy if self.roster_copy.is_file() else None
        chosen = roster or kept
        self.people = read_roster(chosen) if chosen else []
        self.new_roster = roster is not None
        self.matcher = Matcher(self.people, self.record.known())
        self.result = Collected(self.home)

    def run(self, sources: Sequence[Path], bounds: Bounds) -> Collected:
        candidates = self._aside_again()
        for number, source in enumerate(sources):
            candidates += self._read(source, self.stage / f"source-{number}", bounds)
        fresh = self._fresh(candidates)
        self._stage(fresh)
        self._commit(fresh)
        self._summarise()
        return self.result

    # What is there to collect

    def _aside_again(self) -> list[_Candidate]:
        """What nobody was found for, to be matched with the class list as it is now."""
        aside = [attempt for attempt in self.record.attempts if not attempt.student]
        if not self.people:
            return []
        found = []
        for source in dict.fromkeys(attempt.source for attempt in aside):
            attempts = [attempt for attempt in aside if attempt.source == source]
            handles = [Handle(a.form, a.lms_name, a.lms_id) for a in attempts]
            for attempt, match in zip(attempts, self._matches(handles, source), strict=True):
                if match.student:
                    attempt = replace(attempt, student=match.student, why_aside="")
                    found.append(_Candidate(attempt, _files_below(self._kept(attempt))))
        return found

    def _kept(self, attempt: Attempt) -> Path:
        return self.home / attempt.folder

    def _read(self, source: Path, target: Path, bounds: Bounds) -> list[_Candidate]:
        unpacked = unpack(source, target, bounds)
        everything = handed_in(unpacked, self.unit, self.matcher)
        self.result.passed += [(source.name, path, why) for path, why in unpacked.passed]
        if not everything:
            raise KitError(
                "a zip or a folder with notebooks that students handed in",
                f"{source}: no file in it is one"
                + (f" ({len(unpacked.passed)} others passed over)" if unpacked.passed else ""),
                "check that it is the zip of this assignment; in Moodle choose 'Download all "
                "submissions', in Canvas 'Download Submissions'",
            )
        timed = _is_timed(everything)
        matches = self._matches([handed.handle for handed in everything], source.name)
        candidates = [
            self._candidate(attempt, match, timed)
            for handed, match in zip(everything, matches, strict=True)
            for attempt in attempts_of(handed, self._is_units)
        ]
        if not all(candidate.attempt.handed_in for candidate in candidates):
            self.result.untimed.append(source.name)
        return candidates

    def _matches(self, handles: list[Handle], source: str) -> list[Match]:
        """A student for each; two people of one name are never taken for one."""
        matches = [self.matcher.find(handle) for handle in handles]
        ids: dict[str, set[str]] = defaultdict(set)
        for attempt in self.record.attempts:
            if attempt.student and attempt.lms_id and attempt.source == source:
                ids[attempt.student].add(attempt.lms_id)
        for handle, match in zip(handles, matches, strict=True):
            if handle.lms_id and match.student:
                ids[match.student].add(handle.lms_id)
        for place, (handle, match) in enumerate(zip(handles, matches, strict=True)):
            if len(ids[match.student]) < 2 or self._is_sure(handle, match.student):
                continue
            if self.people:
                why = f"{len(ids[match.student])} people in it have the name of {match.student}"
                matches[place] = Match("", why)
            else:
                matches[place] = Match(f"{student_name(handle.name)}_{handle.lms_id}")
        return matches

    def _is_sure(self, handle: Handle, student: str) -> bool:
        """Whether the LMS's number says who it is, and not only the name."""
        if self.matcher.known.get((handle.form, handle.lms_id)) == student:
            return True
        return any(
            person.student == student and handle.lms_id == number
            for person in self.people
            for form, number in ((Form.MOODLE, person.participant), (Form.CANVAS, person.canvas))
            if form == handle.form
        )

    def _candidate(self, handed: Handed, match: Match, timed: bool) -> _Candidate:
        handle, files = handed.handle, handed.files
        main = self._main(files)
        moment = main.moment if main else max(file.moment for file in files)
        number = max(file.number for file in files)
        shown = handle.name or files[0].inside.name
        attempt = Attempt(
            student=match.student,
            folder="",
            main=str(main.inside) if main else "",
            digest=_digest(files),
            order=[handed.batch, number, moment],
            form=handle.form,
            lms_id=handle.lms_id,
            lms_name=shown,
            lms_folder=handle.folder,
            source=handed.source,
            handed_in=self._handed_in(handle, moment if timed else None),
            late=handle.late,
            why_aside=match.why,
        )
        return _Candidate(attempt, files)

    def _handed_in(self, handle: Handle, moment: float | None) -> str:
        """When it was handed in, by Moodle's worksheet if that was given, else by the file."""
        if handle.form == Form.MOODLE:  # whose numbers are others in each assignment
            for person in self.people:
                if person.participant == handle.lms_id and person.handed_in_at is not None:
                    moment = person.handed_in_at
        return "" if moment is None else _utc(moment)

    def _main(self, files: list[HandedFile]) -> HandedFile | None:
        """The notebook that is graded: the one with most of the unit's cells."""
        notebooks = [file for file in files if file.is_notebook]
        if len(notebooks) < 2:
            return notebooks[0] if notebooks else None

        def rank(file: HandedFile) -> tuple[int, bool, int, float]:
            named = plain_name(file.inside.name) == self.unit.casefold()
            return self._cells_in(file.path), named, file.number, file.moment

        return max(notebooks, key=rank)

    def _cells_in(self, path: Path) -> int:
        return len(grade_ids(path) & self.cells)

    def _is_units(self, path: Path) -> bool:
        """Whether a notebook has cells of the unit; each has where those are not known."""
        return not self.cells or self._cells_in(path) > 0

    # What is new of it

    def _fresh(self, candidates: list[_Candidate]) -> list[_Candidate]:
        """Those that are not there yet, in the order in which they were handed in."""
        seen = {_identity(attempt) for attempt in self.record.attempts}
        fresh = []
        for candidate in candidates:
            attempt = candidate.attempt
            if _identity(attempt) in seen:
                self.result.unchanged += 1
                continue
            seen.add(_identity(attempt))
            fresh.append(candidate)
        fresh.sort(key=lambda candidate: candidate.attempt.order)
        self._forget_matched(candidates)
        return fresh

    def _forget_matched(self, candidates: list[_Candidate]) -> None:
        """Take out of the record what was aside and has a student now."""
        matched = {_origin(c.attempt) for c in candidates if c.attempt.student}
        self.record.attempts = [
            attempt
            for attempt in self.record.attempts
            if attempt.student or _origin(attempt) not in matched
        ]

    def _stage(self, fresh: list[_Candidate]) -> None:
        """Write what is new, without names of people, where nobody looks yet."""
        counts = Counter(attempt.student for attempt in self.record.attempts if attempt.student)
        aside = max(map(_aside_number, self.record.attempts), default=0)
        for candidate in fresh:
            attempt = candidate.attempt
            if attempt.student:
                counts[attempt.student] += 1
                folder = f"{ATTEMPTS}/{attempt.student}/{counts[attempt.student]:03d}"
            else:
                aside += 1
                name = student_name(attempt.lms_name) or "unnamed"
                folder = f"{ASIDE}/{aside:03d}-{name}"
            main = _write_files(candidate.files, self.stage / folder, attempt.main)
            candidate.attempt = replace(attempt, folder=folder, main=main)

    # Making it visible

    def _commit(self, fresh: list[_Candidate]) -> None:
        after = Record(
            [*self.record.attempts, *(candidate.attempt for candidate in fresh)],
            dict(self.record.placed),
        )
        prepared = self._prepare(after)
        self.home.mkdir(parents=True, exist_ok=True)
        for candidate in fresh:
            target = self._kept(candidate.attempt)
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.exists():  # left by a call that was killed before it wrote its record
                shutil.rmtree(target)
            os.rename(self.stage / candidate.attempt.folder, target)
        if self.new_roster:
            part = self.roster_copy.with_suffix(".part")
            part.write_text(roster_text(self.people), encoding="utf-8")
            os.replace(part, self.roster_copy)
        self.record = after
        self.record.write(self.home)
        for student, new in prepared.items():
            self._place(student, new)
        self.record.write(self.home)
        self._clear_aside()
        self.result.new = [c.attempt for c in fresh if c.attempt.student]

    def _prepare(self, after: Record) -> dict[str, Path]:
        """For each student whose submission changes, the new folder, ready."""
        prepared = {}
        for student, attempt in after.latest().items():
            placed = after.placed.get(student, ("", ""))[0] == attempt.folder
            if placed and self.place(student).exists():
                continue
            new = self.stage / "ready" / student
            staged = self.stage / attempt.folder
            source = staged if staged.exists() else self._kept(attempt)
            fill(new, source, attempt.main, self.unit, attempt.handed_in)
            prepared[student] = new
        return prepared

    def _place(self, student: str, new: Path) -> None:
        place, digest = self.place(student), tree_digest(new)
        before, last = tree_digest(place), self.record.placed.get(student, ("", ""))[1]
        changed = place.exists() and before not in (digest, last)
        keep = self._free_place(student) if changed else None
        put(new, place, keep)
        if keep is not None:
            self.result.by_hand.append((student, keep))
        self.record.placed[student] = (self.record.latest()[student].folder, digest)
        self.result.replaced.append(student)

    def _free_place(self, student: str) -> Path:
        number = 1
        while (place := self.home / BY_HAND / student / f"{number:03d}").exists():
            number += 1
        return place

    def _clear_aside(self) -> None:
        kept = {attempt.folder for attempt in self.record.attempts if not attempt.student}
        aside = self.home / ASIDE
        for folder in sorted(aside.glob("*")) if aside.is_dir() else []:
            if f"{ASIDE}/{folder.name}" not in kept:
                shutil.rmtree(folder, ignore_errors=True)
        with suppress(OSError):
            aside.rmdir()  # where it is empty

    # What to tell

    def _summarise(self) -> None:
        result, latest = self.result, self.record.latest()
        result.students = len(latest)
        result.aside = [attempt for attempt in self.record.attempts if not attempt.student]
        if self.people:
            result.missing = [person for person in self.people if person.student not in latest]
            listed = {person.student for person in self.people}
            strangers = [(name, "is not on the class list") for name in latest.keys() - listed]
            result.odd += sorted(strangers)
        for attempt in result.new:
            if latest[attempt.student] is not attempt:
                continue
            if number := self._other_number(attempt):
                why = f"came as {attempt.form.capitalize()}'s number {attempt.lms_id}, and before"
                result.odd.append((attempt.student, f"{why} as {number}: is it one person?"))
            if attempt.late:
                result.odd.append((attempt.student, "marked as late by Canvas"))
            if not attempt.main:
                names = [path.name for path in sorted(self._kept(attempt).rglob("*"))]
                files = in_one_line(", ".join(names))[:100] or "an empty folder"
                result.odd.append((attempt.student, f"handed in no notebook, but {files}"))
            elif self.cells and not self._cells_in(self._kept(attempt) / attempt.main):
                name = in_one_line(Path(attempt.main).name)[:100]
                why = f"{name} has no cell with a name of this unit's; it may be another notebook"
                result.odd.append((attempt.student, why))

    def _other_number(self, attempt: Attempt) -> str:
        """Another number under which the LMS had the student before; empty for none."""
        numbers = {
            other.lms_id
            for other in self.record.attempts
            if (other.student, other.form) == (attempt.student, attempt.form)
        }
        return ", ".join(sorted(numbers - {attempt.lms_id}))


def _is_timed(everything: list[Handed]) -> bool:
    """Whether the files' times can be those of handing in."""
    moments = [file.moment for handed in everything for file in handed.files]
    return len(everything) > 1 and max(moments) - min(moments) > SECONDS_OF_A_DOWNLOAD


def _aside_number(attempt: Attempt) -> int:
    """The number in the name of a folder of what was put aside; 0 for any other."""
    return 0 if attempt.student else int(Path(attempt.folder).name.split("-")[0])


def _files_below(folder: Path) -> list[HandedFile]:
    return [
        HandedFile(PurePosixPath(path.relative_to(folder).as_posix()), path, path.stat().st_mtime)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]


def _origin(attempt: Attempt) -> tuple[str, str, str, str]:
    """The same for an attempt whether its student is known or not."""
    return attempt.form, attempt.lms_id, attempt.lms_name, attempt.digest


def _identity(attempt: Attempt) -> tuple[str, ...]:
    """The same for an attempt that comes again in a later zip."""
    return (attempt.student, attempt.digest) if attempt.student else _origin(attempt)


def _digest(files: list[HandedFile]) -> str:
    digest = hashlib.sha256()
    for file in sorted(files, key=lambda file: (file.inside, file.number)):
        with file.path.open("rb") as content:
            inner = hashlib.file_digest(content, "sha256").hexdigest()
        digest.update(f"{file.inside}\0{file.number}\0{inner}\0".encode())
    return digest.hexdigest()


def _utc(moment: float) -> str:
    """A time as nbgrader reads it from ``timestamp.txt``."""
    when = datetime.datetime.fromtimestamp(moment, datetime.UTC)
    return when.strftime("%Y-%m-%d %H:%M:%S UTC")


def _may_be_a_notebook(path: Path) -> bool:
    """Whether a file of another name begins as notebooks do."""
    with path.open("rb") as file:
        return file.read(100).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def _write_files(files: list[HandedFile], folder: Path, main: str) -> str:
    """Write the files of an attempt; gives back where the graded notebook is."""
    places, found = Places(), ""
    folder.mkdir(parents=True)
    for file in sorted(files, key=lambda file: (file.inside, file.number)):
        inside = places.take(file.inside)
        target = folder / inside
        target.parent.mkdir(parents=True, exist_ok=True)
        if file.is_notebook or _may_be_a_notebook(file.path):
            target.write_bytes(without_names(file.path.read_bytes())[0])
        else:
            shutil.copyfile(file.path, target)
        if file.moment > 0:
            os.utime(target, (file.moment, file.moment))
        if str(file.inside) == main and not found:
            found = str(inside)
    return found
