"""Looking at a submission before anything of it runs, and mending what is broken.

The student's files are only read. What comes out is a notebook with the
exercise's own cells in place, or the reason why there is none.
"""

import shutil
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode

from rnnkit.grading.canon import Canon
from rnnkit.grading.handed_in import HandedInFile, HandedInFolder, look_into, same_name
from rnnkit.grading.limits import Limits
from rnnkit.grading.mending import Mending, Weight, listed, shown
from rnnkit.grading.reading import Unreadable, read_cells, size_in_words
from rnnkit.grading.repair import Repaired, repair
from rnnkit.grading.status import Status

__all__ = ["Preflight", "preflight"]

_Choice = tuple[HandedInFile, list[Mending], Repaired]

MOST_NOTEBOOKS = 20  # how many are read to find the right one


@dataclass
class Preflight:
    """What is known of a submission before it runs.

    Args:
        status: Why it cannot be run; None where it can.
        note: The same in a sentence, for student and instructor.
        notebook: The mended notebook, where it can be run.
        beside: Files to lie beside it, and where.
        mendings: What was put right.
        doubtful: Graded cells that a person must look at where they fail.
    """

    status: Status | None
    note: str = ""
    notebook: NotebookNode | None = None
    beside: list[tuple[Path, Path]] = field(default_factory=list)
    mendings: list[Mending] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)

    def write(self, folder: Path, unit: str) -> None:
        """Write the mended notebook, and copy the files beside it.

        Args:
            folder: A private folder, which is made.
            unit: The unit: the notebook's name.
        """
        assert self.notebook is not None
        folder.mkdir(parents=True)
        for source, inside in self.beside:
            target = folder / inside
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target, follow_symlinks=False)
        nbformat.write(self.notebook, folder / f"{unit}.ipynb")


def preflight(folder: Path, canon: Canon, limits: Limits, reserved: Path) -> Preflight:
    """Read a submission and mend it.

    Args:
        folder: The student's folder; it is only read.
        canon: The exercise.
        limits: The sizes that are allowed.
        reserved: The folder of the unit's own files, which replace the student's.
    """
    missing = _no_folder(folder, canon.unit)
    if missing:
        return Preflight(Status.MISSING, missing)
    found = look_into(folder)
    tried = _Tried(canon, found, limits)
    if tried.chosen is None:
        return tried.nothing(folder)
    file, mendings, repaired = tried.chosen
    beside, changes = _beside(found, file, canon.unit, limits, reserved)
    return Preflight(
        None,
        notebook=repaired.notebook,
        beside=beside,
        mendings=tried.told(file) + mendings + repaired.mendings + changes,
        doubtful=repaired.doubtful,
    )


def _no_folder(folder: Path, unit: str) -> str:
    if folder.is_symlink():
        return f"The folder {unit} is a link, which is not followed."
    if folder.is_dir():
        return ""
    what = "a file" if folder.exists() else "nothing"
    return f"There is no folder {unit}: found {what} of this name."


class _Tried:
    """The notebooks of a submission, read until the right one is found."""

    def __init__(self, canon: Canon, found: HandedInFolder, limits: Limits) -> None:
        self.canon = canon
        self.found = found
        self.limits = limits
        self.faults: dict[Path, str] = {}
        self.chosen = self._choose([file for file in found.files if file.is_notebook])

    def _choose(self, notebooks: list[HandedInFile]) -> _Choice | None:
        """The one with the right name, else the newest that has most graded cells."""
        exact = Path(f"{self.canon.unit}.ipynb")
        self.others = [file for file in notebooks if file.inside != exact]
        for file in notebooks:
            if file.inside == exact and (read := self._read(file)):
                return read
        newest = sorted(self.others, key=lambda file: (-file.changed, str(file.inside)))
        held: list[_Choice] = []
        for file in newest[:MOST_NOTEBOOKS]:
            if read := self._read(file):
                if 2 * read[2].found > len(self.canon.graded):
                    return read
                held.append(read)
        return max(held, key=lambda read: read[2].found, default=None)

    def _read(self, file: HandedInFile) -> _Choice | None:
        """A notebook and what was mended in it; None if it is another notebook."""
        try:
            cells, mendings = read_cells(file.path, self.limits.notebook_bytes)
        except Unreadable as fault:
            self.faults[file.inside] = str(fault)
            return None
        repaired = repair(self.canon, cells)
        if not repaired.found:
            self.faults[file.inside] = (
                "The notebook has none of the exercise's graded cells: it is another notebook."
            )
            return None
        return file, mendings, repaired

    def nothing(self, folder: Path) -> Preflight:
        """Why there is nothing to run."""
        wanted = f"{self.canon.unit}.ipynb"
        if self.faults:
            inside, fault = next(iter(self.faults.items()))
            name = "" if str(inside) == wanted else f"{shown(str(inside))}: "
            return Preflight(Status.UNREADABLE, name + fault)
        names = sorted(path.name + ("/" if path.is_dir() else "") for path in folder.iterdir())
        names = [shown(name) for name in names]
        found = f"found {listed(names)}" if names else "the folder is empty"
        return Preflight(Status.MISSING, f"There is no {wanted}: {found}.")

    def told(self, file: HandedInFile) -> list[Mending]:
        """What to say about the choice."""
        wanted, name = f"{self.canon.unit}.ipynb", shown(str(file.inside))
        mendings = []
        if str(file.inside) != wanted:
            fault = self.faults.get(Path(wanted), "")
            words = f"{wanted} not used ({fault.rstrip('.')}); " if fault else ""
            mendings.append(
                Mending(
                    Weight.REPAIR,
                    f"{words}graded the file {name}",
                    f"Your notebook was found as {name}; it should be named {wanted}"
                    + ("." if len(file.inside.parts) == 1 else " and lie in no other folder."),
                )
            )
        others = [shown(str(other.inside)) for other in self.others if other is not file]
        if others:
            names = listed(others)
            mendings.append(
                Mending(
                    Weight.NOTE,
                    f"other notebooks not graded: {names}",
                    f"You handed in several notebooks; {name} was graded, not {names}.",
                )
            )
        return mendings


def _beside(
    found: HandedInFolder, notebook: HandedInFile, unit: str, limits: Limits, reserved: Path
) -> tuple[list[tuple[Path, Path]], list[Mending]]:
    """The files that lie beside the notebook when it runs, and what is left out."""
    copies: dict[Path, Path] = {}
    left_out, room = [], limits.folder_bytes
    files = [file for file in found.files if not file.is_notebook]
    places = {file.inside for file in files}
    occupied = places | {parent for place in places for parent in place.parents}
    up = notebook.inside.parent
    for file in files:
        if file.size > room:
            left_out.append(f"{shown(str(file.inside))} ({size_in_words(file.size)})")
        elif not _is_taken(file.inside, unit, reserved):
            room -= file.size
            copies[file.inside] = file.path
            if up != Path() and up in file.inside.parents:  # as the notebook saw it
                nearer = file.inside.relative_to(up)
                # Its new place is another file, or a folder, or lies below another file.
                clashes = nearer in occupied or not places.isdisjoint(nearer.parents)
                if not clashes and not _is_taken(nearer, unit, reserved):
                    copies.setdefault(nearer, file.path)
    mendings = []
    if left_out:
        words = f"too large to be copied: {listed(left_out)}"
        mendings.append(Mending(Weight.NOTE, f"files {words}", f"Files were {words}."))
    for names, what in ((found.links, "links"), (found.others, "devices or closed folders")):
        if names:
            words = f"{what} in the folder not followed: {listed([shown(n) for n in names])}"
            mendings.append(Mending(Weight.NOTE, words, words[0].upper() + words[1:] + "."))
    if found.more:
        words = "more files in the folder than are looked at"
        mendings.append(Mending(Weight.NOTE, words, words.capitalize() + "."))
    return [(path, inside) for inside, path in copies.items()], mendings


def _is_taken(inside: Path, unit: str, reserved: Path) -> bool:
    """Whether a place belongs to the notebook or to a file of the unit's own."""
    if same_name(inside.parts[0], f"{unit}.ipynb"):
        return True
    own = reserved
    for part in inside.parts[:-1]:
        own = own / part
        if own.is_file():
            return True
    return (reserved / inside).exists()
