"""The file of a data set: from a folder of yours, from the cache, or from its public address."""

import hashlib
import http.client
import os
import shutil
import socket
import ssl
import sys
import tempfile
import urllib.error
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import rnnkit
from rnnkit.errors import KitError

_SECONDS = 30.0  # how long a server may stay silent


class DataError(KitError):
    """A data set cannot be had, or its file is not what it should be."""


@dataclass(frozen=True)
class RemoteFile:
    """One file of a data set, and where it is published.

    Args:
        name: The file's name: "wikigold.conll.txt".
        folder: The folder that it lies in, in the cache and in RNNKIT_DATA.
        address: Where it can be downloaded.
        sha256: Its SHA-256, 64 hexadecimal digits. None where it is not known:
            then it is recorded at the first download, and checked later.
        stands_in: The generated set that can take its place.
    """

    name: str
    folder: str
    address: str
    sha256: str | None
    stands_in: str


def on_github(repository: str, commit: str, path: str) -> str:
    """The address of a file of a GitHub repository at one commit.

    Args:
        repository: "owner/name".
        commit: 40 hexadecimal digits. What is at a commit does not change.
        path: The file's path in the repository.

    Example:

    >>> on_github("keras-team/keras", "a" * 40, "README.md")[-20:]
    'aaaaaaaaaa/README.md'
    """
    return f"https://raw.githubusercontent.com/{repository}/{commit}/{path}"


def cache_folder() -> Path:
    """The folder that downloaded files are kept in.

    It is the one that the environment variable RNNKIT_CACHE names, or
    "rnnkit" in the usual folder of the system for such files:
    ``~/.cache`` (or XDG_CACHE_HOME), ``~/Library/Caches`` on macOS,
    ``%LOCALAPPDATA%`` on Windows.
    """
    named = os.environ.get("RNNKIT_CACHE")
    if named:
        return Path(named).expanduser().absolute()
    if sys.platform == "win32":
        usual = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        usual = Path.home() / "Library" / "Caches"
    else:
        usual = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(usual) / "rnnkit"


def fetch(file: RemoteFile) -> Path:
    """Give the path of a file, which is downloaded where it is not here yet.

    It is looked for in three places: in the folder that the environment
    variable RNNKIT_DATA names, as ``RNNKIT_DATA/folder/name``; in the cache
    (see ``cache_folder``); at its public address, from where it is put into
    the cache. Its SHA-256 is checked each time. A file that is cut off or
    wrong is never put into the cache.

    Args:
        file: The file.

    Returns:
        Where the file lies. Do not change it there.

    Raises:
        DataError: RNNKIT_DATA names no folder, the file has a wrong SHA-256,
            or it cannot be downloaded or stored. The message says which set
            can stand in.
    """
    given = _given_path(file)
    if given is not None:
        with _disk_errors(given, f"correct its permissions, or {_stand_in(file)}"):
            _check(given, file, may_record=False)
        return given
    kept = cache_folder() / file.folder / file.name
    elsewhere = "make room, or set the environment variable RNNKIT_CACHE to a folder of yours"
    with _disk_errors(kept, f"{elsewhere}, or {_stand_in(file)}"):
        if kept.exists():
            _check(kept, file, may_record=True)
        else:
            _download(file, kept)
    return kept


def _given_path(file: RemoteFile) -> Path | None:
    named = os.environ.get("RNNKIT_DATA")
    if not named:
        return None
    folder = Path(named).expanduser().absolute()
    if not folder.is_dir():
        raise DataError(
            "the environment variable RNNKIT_DATA to name a folder with data",
            f"RNNKIT_DATA={named}, which is no folder",
            "correct RNNKIT_DATA, or remove it to use the cache",
        )
    path = folder / file.folder / file.name
    return path if path.exists() else None


def _check(path: Path, file: RemoteFile, may_record: bool) -> None:
    """Compare the file's SHA-256 with the known one, or with the one recorded before."""
    found = _sha256(path)
    expected = file.sha256 or _recorded(path)
    if expected is None:
        _say_unknown(path, file, found, may_record)
    elif found != expected:
        origin = "published" if file.sha256 else f"recorded in {_record(path).name}"
        also = "" if file.sha256 else f" and {_record(path).name}"
        raise DataError(
            f"{path} with the SHA-256 {expected} ({origin})",
            f"another file: SHA-256 {found}, {path.stat().st_size:,} bytes",
            f"delete {path}{also} and run this again, or {_stand_in(file)}",
        )


def _say_unknown(path: Path, file: RemoteFile, found: str, may_record: bool) -> None:
    if may_record:
        _write_record(path, file, found)
        print(
            f"{file.name}: no SHA-256 of it is known. Recorded that of this file, {found}, in "
            f"{_record(path)}"
        )
    else:
        print(f"{file.name}: no SHA-256 of it is known, so this file is not checked: {path}")


def _download(file: RemoteFile, target: Path) -> None:
    """Download into a folder of this process alone, check, then move into place.

    A move replaces a file in one step: other processes see the whole file or
    none, and an interrupted download leaves none.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    own = Path(tempfile.mkdtemp(prefix=".part-", dir=target.parent))
    try:
        part = own / file.name
        _get(file, part, target)
        _check_download(part, file, target)
        os.replace(part, target)
    finally:
        shutil.rmtree(own, ignore_errors=True)
    print(f"Saved {target}")


def _get(file: RemoteFile, part: Path, target: Path) -> None:
    with rnnkit._without_import_log():
        from keras.utils import get_file  # takes seconds to import, so only where it is needed

    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(_SECONDS)  # get_file has no such setting, and would wait forever
    try:
        get_file(part.name, file.address, cache_dir=part.parent, cache_subdir="")
    except Exception as error:
        # get_file wraps errors of the network into a bare Exception.
        cause = error.__context__ if type(error) is Exception else error
        found = _network_trouble(cause)
        if found is None:
            raise
        raise DataError(
            f"{file.address} to be downloaded",
            found,
            f"try again later, or put the file by hand at {target}, or {_stand_in(file)}",
        ) from error
    finally:
        socket.setdefaulttimeout(before)


def _network_trouble(error: BaseException | None) -> str | None:
    """What went wrong on the way to the server and back, if that is where it did."""
    match error:
        case urllib.error.HTTPError():
            gone = ": the file is not there" if error.code in (404, 410) else ""
            return f"the server answers {error.code} {error.reason}{gone}"
        case urllib.error.ContentTooShortError() | http.client.IncompleteRead():
            return "the download was cut off: fewer bytes came than the server had announced"
        case urllib.error.URLError():
            return f"no connection to the server ({error.reason})"
        case TimeoutError() | ConnectionError() | ssl.SSLError() | http.client.HTTPException():
            return f"the connection broke off ({type(error).__name__}: {error})"
    return None


def _check_download(part: Path, file: RemoteFile, target: Path) -> None:
    found = _sha256(part)
    expected = file.sha256 or _recorded(target)
    by_hand = f"put the right file by hand at {target}, or {_stand_in(file)}"
    if expected is None:
        _refuse_web_page(part, file, by_hand)
        _say_unknown(target, file, found, may_record=True)
    elif found != expected:
        again = "run this again"
        if not file.sha256:
            again = f"delete {_record(target)} if the file was published anew, and run this again"
        raise DataError(
            f"{file.address} with the SHA-256 {expected}",
            f"another file: SHA-256 {found}, {part.stat().st_size:,} bytes. It was not kept",
            f"{again}, or {by_hand}",
        )


def _refuse_web_page(part: Path, file: RemoteFile, by_hand: str) -> None:
    """The login page of a network, sent in the place of each file, must not be recorded."""
    with part.open("rb") as stream:
        start = stream.read(200).lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")):
        raise DataError(
            f"{file.address} to be downloaded",
            "a web page in its place, such as the login page of a network. It was not kept",
            f"open the address in a browser, log in, and run this again, or {by_hand}",
        )


def _stand_in(file: RemoteFile) -> str:
    return f'use a set that needs no download: rnnkit.data.load("{file.stands_in}")'


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _record(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")


def _recorded(path: Path) -> str | None:
    """The SHA-256 that was recorded beside a file, None where none was."""
    record = _record(path)
    if not record.exists():
        return None
    fields = record.read_text(encoding="utf-8").split()
    return fields[0] if fields else ""


def _write_record(path: Path, file: RemoteFile, found: str) -> None:
    # In the form of the command sha256sum, and in one step: see _download.
    own = path.with_name(f".part-{os.getpid()}-{_record(path).name}")
    own.write_text(f"{found}  {file.name}\n", encoding="utf-8")
    os.replace(own, _record(path))


@contextmanager
def _disk_errors(path: Path, remedy: str) -> Iterator[None]:
    """Tell errors of the file system as a DataError."""
    try:
        yield
    except OSError as error:
        raise DataError(
            f"{path} to be readable, or the folder to be writable where it is not there yet",
            f"{error.strerror or error}: {error.filename or path}",
            remedy,
        ) from error
