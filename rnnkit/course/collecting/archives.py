"""Reading what an LMS gave: a zip or a folder, within bounds, into a folder of our own.

Nothing is unpacked until all names in the archive have been looked at. An archive that
names a place outside itself, a link or one place twice was not made by an LMS, and is
refused whole. An archive inside it is a student's: a fault there costs that file only.
"""

import datetime
import errno
import os
import re
import shutil
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from rnnkit.course.collecting.helper_files import why_passed_over
from rnnkit.errors import KitError
from rnnkit.plain_text import in_one_line

__all__ = ["Bounds", "Found", "Unpacked", "unpack"]

BLOCK = 1 << 20
_DRIVE = re.compile(r"^[A-Za-z]:")
_UTF8_FLAG = 0x800
_ENCRYPTED = 0x1
_TIMES_OF_UNIX = 0x5455  # the extra field that holds seconds since 1970
# Frames and Greek letters, which a name has only where cp850 was read as cp437.
_FRAMES = re.compile("[\u2500-\u259f\u0391-\u03c9\u2200-\u22ff]")
_FAULTS = (
    *(zipfile.BadZipFile, zlib.error, struct.error),
    *(EOFError, NotImplementedError, ValueError, LookupError, OverflowError),
)


@dataclass(frozen=True)
class Bounds:
    """How much is unpacked at most.

    Args:
        files: Files and folders in all.
        all_bytes: Bytes in all, as they lie on the disk.
        file_bytes: Bytes of one file; a larger one is passed over, and named.
        inner_zips: How many archives may lie inside each other below the first.
    """

    files: int = 50_000
    all_bytes: int = 20_000_000_000
    file_bytes: int = 100_000_000
    inner_zips: int = 1


@dataclass(frozen=True)
class Found:
    """A file that was unpacked.

    Args:
        inside: Its path in the archive, with accents as one letter each.
        path: Where it lies now.
        moment: When it was written last, in seconds since 1970.
        in_zip: Whether it lay in a zip inside the archive; its path names that zip as a
            folder.
    """

    inside: PurePosixPath
    path: Path
    moment: float
    in_zip: bool = False


@dataclass
class Unpacked:
    """What came out of an archive or a folder.

    Args:
        source: The archive's name.
        files: What was unpacked, by path.
        passed: What was passed over: the path, and why.
    """

    source: str
    files: list[Found] = field(default_factory=list)
    passed: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class _Budget:
    """What may still be unpacked."""

    files: int
    all_bytes: int


class _Refused(Exception):
    """What is wrong with an archive, in words that follow "Found:"."""


def unpack(source: Path, target: Path, bounds: Bounds | None = None) -> Unpacked:
    """Unpack an archive, or copy a folder or a notebook, into a new folder.

    Args:
        source: A zip, a folder, or one notebook.
        target: A folder that does not exist yet.
        bounds: The most that is unpacked; the usual bounds by default.

    Returns:
        The files, and what was passed over.

    Raises:
        KitError: The source cannot be read, is no zip, or is not safe to unpack.

    Example:

    >>> import tempfile, zipfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with zipfile.ZipFile(folder / "lab.zip", "w") as archive:
    ...     archive.writestr("ada/lab.ipynb", "{}")
    >>> [str(file.inside) for file in unpack(folder / "lab.zip", folder / "new").files]
    ['ada/lab.ipynb']
    """
    bounds = bounds or Bounds()
    unpacked = Unpacked(source.name)
    budget = _Budget(bounds.files, bounds.all_bytes)
    target.mkdir(parents=True)
    try:
        if source.is_dir():
            _take(list(_in_folder(source)), target, bounds, budget, unpacked, bounds.inner_zips)
        elif source.suffix.lower() == ".ipynb" and source.is_file():
            entry = _file_entry(source, _inside(source.name))
            _take([entry], target, bounds, budget, unpacked, bounds.inner_zips)
        else:
            _unpack_zip(
                source, PurePosixPath(), target, bounds, budget, unpacked, bounds.inner_zips
            )
    except _Refused as refusal:
        raise KitError(
            "a zip or a folder as Moodle or Canvas gives it, or one of notebooks",
            f"{source}: {refusal}",
            "download it again and pass it on as it came; nothing was collected",
        ) from refusal
    unpacked.files.sort(key=lambda file: file.inside)
    return unpacked


@dataclass(frozen=True)
class _Entry:
    """A file of an archive or a folder, before it is read."""

    inside: PurePosixPath
    size: int
    moment: float
    write: Callable[[Path], None]


def _in_folder(folder: Path) -> Iterator[_Entry]:
    for root, folders, names in os.walk(folder, onerror=_raise):
        folders.sort()
        for name in sorted([*folders, *names]):
            path = Path(root, name)
            inside = _inside(path.relative_to(folder).as_posix())
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                raise _Refused(f"{_shown(inside)} is a link, which is not followed")
            if stat.S_ISREG(mode):
                yield _file_entry(path, inside)
            elif not stat.S_ISDIR(mode):
                raise _Refused(f"{_shown(inside)} is a device or a pipe, not a file")


def _raise(error: OSError) -> None:
    raise error


def _file_entry(path: Path, inside: PurePosixPath) -> _Entry:
    status = path.stat()
    return _Entry(inside, status.st_size, status.st_mtime, lambda target: _copy_file(path, target))


def _copy_file(path: Path, target: Path) -> None:
    shutil.copyfile(path, target)


def _unpack_zip(
    source: Path,
    above: PurePosixPath,
    target: Path,
    bounds: Bounds,
    budget: _Budget,
    unpacked: Unpacked,
    deeper: int,
) -> None:
    """Unpack a zip; its files' paths begin with that of the folder it lies in."""
    try:
        with zipfile.ZipFile(source) as archive:
            infos = archive.infolist()
            if len(infos) > budget.files:
                raise _Refused(f"it holds {len(infos)} files, and the limit is {bounds.files}")
            names = [_checked(info) for info in infos]  # of folders too
            entries = [
                _zip_entry(archive, info, above / _inside(name))
                for name, info in zip(names, infos, strict=True)
                if not name.endswith("/")
            ]
            _take(entries, target, bounds, budget, unpacked, deeper)
    except FileNotFoundError as error:
        raise _Refused("there is no such file or folder") from error
    except OSError as error:
        if error.errno != errno.EINVAL:  # a place before the begin of the file
            raise
        raise _Refused("it is no zip, or a part of it is missing") from error
    except _FAULTS as error:
        raise _Refused(f"it is no zip, or a part of it is missing ({error})") from error
    except RuntimeError as error:  # a password, which zipfile tells as this
        raise _Refused(str(error)) from error


def _checked(info: zipfile.ZipInfo) -> str:
    """The name of an entry that is safe to unpack."""
    name = _decoded(info)
    shown = in_one_line(name)[:200]
    mode = info.external_attr >> 16
    if name.startswith("/") or _DRIVE.match(name) or ".." in name.split("/") or "\0" in name:
        raise _Refused(f"it holds {shown!r}, a path that leads out of it")
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        kind = "a link" if stat.S_ISLNK(mode) else "a device or a pipe"
        raise _Refused(f"it holds {shown!r}, which is {kind}")
    if info.flag_bits & _ENCRYPTED:
        raise _Refused(f"{shown!r} in it is locked with a password")
    return name


def _zip_entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, inside: PurePosixPath) -> _Entry:
    def write(target: Path) -> None:
        with archive.open(info) as source, target.open("wb") as file:
            shutil.copyfileobj(source, file, BLOCK)

    return _Entry(inside, info.file_size, _moment(info), write)


def _decoded(info: zipfile.ZipInfo) -> str:
    """The name as its maker meant it.

    Without the mark for UTF-8, Python reads a name as cp437. macOS writes UTF-8 all the
    same, and Windows in Western Europe writes cp850.
    """
    name = info.orig_filename
    if not info.flag_bits & _UTF8_FLAG and not name.isascii():
        raw = name.encode("cp437")
        try:
            name = raw.decode("utf-8")
        except UnicodeDecodeError:
            if _FRAMES.search(name):
                name = raw.decode("cp850")
    return name.replace("\\", "/")


def _inside(name: str) -> PurePosixPath:
    # A name on the disk that is no UTF-8 is shown with the numbers of its bytes.
    name = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return PurePosixPath(unicodedata.normalize("NFC", name))


def _moment(info: zipfile.ZipInfo) -> float:
    """When an entry was written: exact where the zip says so, else in this machine's zone."""
    extra = info.extra
    while len(extra) >= 4:
        kind, size = int.from_bytes(extra[:2], "little"), int.from_bytes(extra[2:4], "little")
        if kind == _TIMES_OF_UNIX and size >= 5 and extra[4] & 1:
            return float(int.from_bytes(extra[5:9], "little"))
        extra = extra[4 + size :]
    try:
        return datetime.datetime(*info.date_time).timestamp()
    except (ValueError, OverflowError):
        return 0.0  # a month of 0, as some programs write it


def _take(
    entries: list[_Entry],
    target: Path,
    bounds: Bounds,
    budget: _Budget,
    unpacked: Unpacked,
    deeper: int,
) -> None:
    """Write the entries, when all of them together are within the bounds."""
    wanted = []
    seen: set[PurePosixPath] = set()
    for entry in entries:
        if entry.inside in seen:
            raise _Refused(f"it holds {_shown(entry.inside)} twice")
        seen.add(entry.inside)
        if why := why_passed_over(entry.inside):
            unpacked.passed.append((str(entry.inside), why))
        elif entry.size > bounds.file_bytes:
            size, most = _megabytes(entry.size), _megabytes(bounds.file_bytes)
            why = f"too large: {size}, and the limit is {most}"
            unpacked.passed.append((str(entry.inside), why))
        else:
            wanted.append(entry)
    _spend(wanted, target, bounds, budget)
    for number, entry in enumerate(wanted):
        path = target / f"{number:06d}{_ending(entry.inside)}"
        entry.write(path)
        if entry.inside.suffix.lower() == ".zip":
            _unpack_inner(entry, path, target, bounds, budget, unpacked, deeper)
        else:
            unpacked.files.append(Found(entry.inside, path, entry.moment))


def _spend(wanted: list[_Entry], target: Path, bounds: Bounds, budget: _Budget) -> None:
    if len(wanted) > budget.files:
        raise _Refused(f"it holds more than {bounds.files} files, which is the limit")
    size = sum(entry.size for entry in wanted)
    if size > budget.all_bytes:
        raise _Refused(f"it unpacks to more than {_megabytes(bounds.all_bytes)}, the limit")
    free = shutil.disk_usage(target).free
    if size > free:
        raise _Refused(f"it unpacks to {_megabytes(size)}, and the disk has {_megabytes(free)}")
    budget.files -= len(wanted)
    budget.all_bytes -= size


def _unpack_inner(
    entry: _Entry,
    path: Path,
    target: Path,
    bounds: Bounds,
    budget: _Budget,
    unpacked: Unpacked,
    deeper: int,
) -> None:
    """Unpack a student's zip; where that cannot be, keep it as the file that it is."""
    inner = Unpacked(unpacked.source)
    room = _Budget(min(budget.files, bounds.files // 10), min(budget.all_bytes, bounds.file_bytes))
    folder = target / f"{path.stem}-unpacked"
    try:
        if deeper < 1:
            raise _Refused("it lies in another zip, which lies in another")
        folder.mkdir()
        before = room.all_bytes
        _unpack_zip(path, entry.inside, folder, bounds, room, inner, deeper - 1)
        budget.all_bytes -= before - room.all_bytes
    except _Refused as fault:
        shutil.rmtree(folder, ignore_errors=True)
        unpacked.passed.append((str(entry.inside), f"a zip that was kept as it is: {fault}"))
        unpacked.files.append(Found(entry.inside, path, entry.moment))
        return
    path.unlink()
    # The time is that of the zip: those inside it are the student's to set.
    unpacked.files += [
        Found(file.inside, file.path, entry.moment, in_zip=True) for file in inner.files
    ]
    unpacked.passed += inner.passed


def _ending(inside: PurePosixPath) -> str:
    """The ending of a file's name, where it is an ordinary one."""
    suffix = inside.suffix
    return suffix if re.fullmatch(r"\.[A-Za-z0-9]{1,10}", suffix) else ""


def _shown(inside: PurePosixPath) -> str:
    return repr(in_one_line(str(inside))[:200])


def _megabytes(count: int) -> str:
    return f"{count / 1e6:,.0f} MB"
