"""From the files of a zip to what each person handed in."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from rnnkit.course.collecting.archives import Found, Unpacked
from rnnkit.course.collecting.forms import Form, Handle, is_notebook, named_by_lms, plain_name
from rnnkit.course.collecting.matching import Matcher

__all__ = ["Handed", "HandedFile", "attempts_of", "handed_in"]

NOBODYS = "it lies in no student's folder, and its name is no student's"


@dataclass(frozen=True)
class HandedFile:
    """A file as its student named it.

    Args:
        inside: Its path in what the student handed in.
        path: Where it lies now.
        moment: When it was written last, in seconds since 1970.
        number: Canvas's number of the file; 0 elsewhere.
    """

    inside: PurePosixPath
    path: Path
    moment: float
    number: int = 0

    @property
    def is_notebook(self) -> bool:
        """Whether its name says so."""
        return is_notebook(self.inside.name)


@dataclass
class Handed:
    """What one person handed in, in one zip or folder.

    Args:
        handle: Who, in the words of the LMS.
        source: The zip or folder.
        batch: When the LMS made the zip; the files' own time elsewhere.
        files: The files.
    """

    handle: Handle
    source: str
    batch: float
    files: list[HandedFile] = field(default_factory=list)


def handed_in(unpacked: Unpacked, unit: str, matcher: Matcher) -> list[Handed]:
    """Sort the files of a zip or a folder by who handed them in.

    Args:
        unpacked: The files; what belongs to nobody is added to what was passed over.
        unit: The unit.
        matcher: Finds students, for files that no LMS has named.
    """
    by_person: dict[tuple[str, str, str], list[tuple[Handle, HandedFile]]] = defaultdict(list)
    plain = []
    for file in unpacked.files:
        if (named := named_by_lms(file.inside)) is None:
            plain.append(file)
        else:
            handle, inside = named
            one = HandedFile(_out_of_zip(file, inside), file.path, file.moment, handle.number)
            by_person[handle.form, handle.lms_id, handle.name].append((handle, one))
    batch = max((file.moment for file in unpacked.files), default=0.0)
    found = []
    for pairs in by_person.values():
        newest = max((handle for handle, _ in pairs), key=lambda handle: handle.number)
        found.append(Handed(newest, unpacked.source, batch, [file for _, file in pairs]))
    return [*found, *_plain(plain, unit, matcher, unpacked)]


def _plain(files: list[Found], unit: str, matcher: Matcher, unpacked: Unpacked) -> Iterator[Handed]:
    """Files of a folder or a zip that somebody made by hand."""
    by_name: dict[tuple[str, PurePosixPath], list[HandedFile]] = defaultdict(list)
    wrapped = _wrappers(files, unit, matcher)
    for file in files:
        name, inside = _owner(PurePosixPath(*file.inside.parts[wrapped:]), unit, matcher)
        if name or is_notebook(inside.name):
            alone = PurePosixPath() if name else inside
            one = HandedFile(_out_of_zip(file, inside), file.path, file.moment)
            by_name[name, alone].append(one)
        else:
            unpacked.passed.append((str(file.inside), NOBODYS))
    for (name, _), of_one in by_name.items():
        newest = max(file.moment for file in of_one)
        yield Handed(Handle(Form.PLAIN, name), unpacked.source, newest, of_one)


def _out_of_zip(file: Found, inside: PurePosixPath) -> PurePosixPath:
    """A file's path without the name of the zip that its student handed in."""
    if not file.in_zip:
        return inside
    parts = list(inside.parts)
    zips = [part for part in parts[:-1] if part.casefold().endswith(".zip")]
    if zips:
        parts.remove(zips[0])
    return PurePosixPath(*parts)


def _wrappers(files: list[Found], unit: str, matcher: Matcher) -> int:
    """How many folders lie around all the files without being a student's."""
    count = 0
    while files:
        rests = [file.inside.parts[count:] for file in files]
        if any(len(rest) < 2 for rest in rests) or len({rest[0] for rest in rests}) > 1:
            break
        if matcher.people:
            if _student(rests[0][0], matcher):
                break
        elif all(len(rest) == 2 for rest in rests):
            stems = {plain_name(rest[1]) for rest in rests if is_notebook(rest[1])}
            of_one = len(stems) < 2 or unit.casefold() in stems
            if of_one and rests[0][0].casefold() != unit.casefold():
                break  # one student's folder
        elif any(rest[1].casefold() == unit.casefold() for rest in rests):
            break  # STUDENT/UNIT, with nobody beside it
        count += 1
    return count


def _owner(inside: PurePosixPath, unit: str, matcher: Matcher) -> tuple[str, PurePosixPath]:
    """Whose a file is, by its folder or its name, and its path in what was handed in."""
    *folders, name = inside.parts
    for place, part in enumerate(folders):
        name_of_one = part[:-4] if part.casefold().endswith(".zip") else part
        if not matcher.people or _student(name_of_one, matcher):
            rest = inside.parts[place + 1 :]
            if len(rest) > 1 and rest[0].casefold() == unit.casefold():
                rest = rest[1:]
            return name_of_one, PurePosixPath(*rest)
    if is_notebook(name):
        left = _left_of(name, unit)
        if not matcher.people or _student(left, matcher):
            return left, PurePosixPath(name)
    if folders:
        return folders[0], PurePosixPath(*inside.parts[1:])
    return "", inside


def _left_of(name: str, unit: str) -> str:
    """What a notebook's name says beside the unit's."""
    return plain_name(name).replace(unit.casefold(), "").strip(" _-.")


def _student(name: str, matcher: Matcher) -> str:
    return matcher.find(Handle(Form.PLAIN, name)).student if name else ""


def attempts_of(handed: Handed, is_units: Callable[[Path], bool]) -> Iterator[Handed]:
    """What a person handed in, attempt by attempt, the latest last.

    Two notebooks of the unit whose names differ only by what marks a copy are two
    attempts; other files belong to the latest.

    Args:
        handed: All of it.
        is_units: Whether a file is the unit's notebook, and not another.
    """
    by_name: dict[tuple[str, PurePosixPath], list[HandedFile]] = defaultdict(list)
    for file in handed.files:
        if file.is_notebook and is_units(file.path):
            by_name[plain_name(file.inside.name), file.inside.parent].append(file)
    earlier = []
    for copies in by_name.values():
        copies.sort(key=lambda file: (file.number, file.moment, len(file.inside.name), file.inside))
        earlier += copies[:-1]
    for file in sorted(earlier, key=lambda file: (file.number, file.moment)):
        yield replace(handed, files=[file])
    yield replace(handed, files=[file for file in handed.files if file not in earlier])
