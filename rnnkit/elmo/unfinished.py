"""The folder in which an output of hours is made, and from which a killed run goes on."""

import contextlib
import errno
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from rnnkit.elmo.vector_file import VectorFile
from rnnkit.errors import KitError, in_a_line

try:
    import fcntl
except ImportError:  # Windows: nothing keeps two runs apart there
    fcntl = None  # type: ignore[assignment]

_SHOWN = 12  # characters of a SHA-256 in a message


class Unfinished:
    """The folder beside an output, as long as the output is not whole.

    It holds `vectors.hdf5`, which becomes the output when it is whole, and
    `state.json`: what the vectors are made from, and how many lines are done. A
    line counts as done only when its vectors are on the disk.

    At any moment one of these holds, so a run can be killed at each:

    - without `vectors.hdf5` and `state.json`: nothing is done;
    - with `vectors.hdf5` alone: it is laid out, and nothing is done;
    - with both: lines are done;
    - with `state.json` alone: the output is whole, and the folder can go.

    Args:
        output: The output.
    """

    def __init__(self, output: Path) -> None:
        self.output = output
        self.folder = output.parent / f"{output.name}.unfinished"
        self._vectors = self.folder / "vectors.hdf5"
        self._layout = self.folder / "layout.hdf5"
        self._state = self.folder / "state.json"
        self._lock = self.folder / "lock"

    def check(self, source: Path, restart: bool) -> None:
        """See that the output may be made.

        Args:
            source: The text.
            restart: Whether an older output may be replaced.

        Raises:
            KitError: It may not.
        """
        parent = self.output.parent
        if self.output.is_dir():
            raise KitError("the name of a file to write", f"a folder: {self.output}", "add a name")
        if not parent.is_dir():
            raise KitError(
                "a folder to write into", f"no such folder: {parent}", f"make it: mkdir -p {parent}"
            )
        if not self.output.exists():
            return
        if source.exists() and self.output.samefile(source):
            raise KitError(
                "an output that is not the input", f"twice {source}", "give the output a new name"
            )
        if not restart and not self._state.exists():
            raise self._exists()

    def _exists(self) -> KitError:
        return KitError(
            "the name of a new file to write",
            f"{self.output}, which is there",
            "give another name, or add --restart: once the new file is whole it replaces this one",
        )

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Make the folder, and keep other runs out of it; remove it when there is no more need.

        Raises:
            KitError: It cannot be written, or another run is at work in it.
        """
        with contextlib.ExitStack() as opened:
            with self.disk_errors():
                self.folder.mkdir(exist_ok=True)
                lock = opened.enter_context(open(self._lock, "wb"))
            self._lock_or_refuse(lock)
            try:
                yield
            finally:
                if not self._vectors.exists():
                    self._remove()

    def _lock_or_refuse(self, lock: IO[bytes]) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                return  # a file system without locks
            raise KitError(
                f"{self.folder} for this run alone",
                "another run that is at work in it",
                "wait for that run, or end it; this command then goes on from there",
            ) from error

    def _remove(self) -> None:
        """Remove the folder, and what tells of a whole output last."""
        with contextlib.suppress(OSError):
            self._layout.unlink(missing_ok=True)
            self._beside_state.unlink(missing_ok=True)
            self._lock.unlink(missing_ok=True)
            self._state.unlink(missing_ok=True)
            self.folder.rmdir()

    def is_whole(self, settings: Mapping[str, str]) -> bool:
        """Whether a run was killed between its last two steps: the output is there.

        Args:
            settings: What the output is made from.

        Raises:
            KitError: It is there, and made from something else.
        """
        if self._vectors.exists() or not self.output.exists():
            return False
        if not self._state.exists() or self._read_state()["settings"] != settings:
            raise self._exists()
        return True

    def lines_done(self, settings: Mapping[str, str]) -> int | None:
        """How many lines an earlier run has done; None: there was none.

        Args:
            settings: What the output shall be made from.

        Raises:
            KitError: The earlier run had something else to make.
        """
        if not (self._state.exists() and self._vectors.exists()):
            return None
        state = self._read_state()
        before, done = state["settings"], int(state["lines"])
        if settings != before:
            raise KitError(
                f"the same {_in_words(settings)} with which {self.folder} was begun",
                _differences(settings, before),
                "call the command as it was called then, and it goes on; or add --restart, which "
                f"throws away the {done:,} lines that are done",
            )
        return done

    def _read_state(self) -> dict[str, Any]:
        try:
            state = json.loads(self._state.read_text(encoding="utf-8"))
            return {"settings": dict(state["settings"]), "lines": int(state["lines"])}
        except (ValueError, KeyError, TypeError) as error:
            raise self._broken(self._state, error) from error

    def _broken(self, path: Path, error: Exception) -> KitError:
        return KitError(
            f"a whole {path}", in_a_line(error), "begin anew: add --restart to the command"
        )

    def begin(self) -> Path:
        """Throw away what there is.

        Returns:
            The path of the file to lay out; `laid_out` is to be called next.
        """
        self._state.unlink(missing_ok=True)  # first: a state must not outlive its vectors
        self._vectors.unlink(missing_ok=True)
        return self._layout

    def laid_out(self, settings: Mapping[str, str]) -> None:
        """Take over the file that was laid out.

        Args:
            settings: What the output is made from.
        """
        os.replace(self._layout, self._vectors)
        self.note(settings, 0)

    def note(self, settings: Mapping[str, str], lines: int) -> None:
        """Write down how many lines are done.

        Args:
            settings: What the output is made from.
            lines: The number; the vectors of these lines are on the disk.
        """
        with open(self._beside_state, "w", encoding="utf-8") as file:
            json.dump({"settings": dict(settings), "lines": lines}, file, indent=1)
            file.flush()
            os.fsync(file)
        os.replace(self._beside_state, self._state)

    @property
    def _beside_state(self) -> Path:
        return self._state.with_suffix(".part")

    def vectors(self) -> VectorFile:
        """Open the file that is to be filled.

        Raises:
            KitError: Something has damaged it.
        """
        try:
            return VectorFile(self._vectors)
        except OSError as error:
            raise self._broken(self._vectors, error) from error

    def check_room(self) -> None:
        """See that the disk has room for all vectors.

        Raises:
            KitError: It has not.
        """
        status = self._vectors.stat()
        has = getattr(status, "st_blocks", None)
        if has is None:  # Windows, where a file has no holes: all room is taken already
            return
        missing = status.st_size - 512 * has
        free = shutil.disk_usage(self.folder).free
        if free < missing:
            raise KitError(
                f"{_size(missing)} free for {self.output}",
                f"{_size(free)} free in {self.output.parent.resolve()}",
                "make room, or take --average or --top, which need less; then call again: "
                "no line that is done is lost",
            )

    def finish(self) -> None:
        """Give the output its name, now that it is whole."""
        os.replace(self._vectors, self.output)
        _sync_folder(self.output.parent)  # its name too, before the state goes

    def forget(self) -> None:
        """Throw away what is done, because it cannot be trusted."""
        self._state.unlink(missing_ok=True)
        self._vectors.unlink(missing_ok=True)

    @contextlib.contextmanager
    def disk_errors(self) -> Iterator[None]:
        """Tell an error of the file system as one that can be acted on."""
        try:
            yield
        except OSError as error:
            raise KitError(
                f"{self.folder} to take what is written into it",
                in_a_line(error),
                "make room on the disk or change the permissions, then call the same command "
                "again: no line that is done is lost",
            ) from error


def _sync_folder(path: Path) -> None:
    with contextlib.suppress(OSError):  # Windows opens no folders
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _in_words(names: Mapping[str, str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}"


def _differences(now: Mapping[str, str], before: Mapping[str, str]) -> str:
    return "; ".join(
        f"{name}: {now[name][:_SHOWN]}, begun with {before.get(name, 'none')[:_SHOWN]}"
        for name in now
        if now[name] != before.get(name)
    )


def _size(number: int) -> str:
    return f"{number / 1e9:,.1f} GB" if number >= 1e9 else f"{number / 1e6:,.1f} MB"
