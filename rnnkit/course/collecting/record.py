"""What was collected for a unit, as it is remembered between two calls."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rnnkit.errors import KitError

__all__ = ["ASIDE", "ATTEMPTS", "BY_HAND", "Attempt", "Record", "collected_folder", "read_record"]

FILE = "record.json"
ATTEMPTS, ASIDE, BY_HAND = "attempts", "aside", "by-hand"  # folders beside it


def collected_folder(root: Path, unit: str) -> Path:
    """Where all that was collected for a unit is kept.

    Args:
        root: The course folder.
        unit: The unit.
    """
    return root / "collected" / unit


@dataclass
class Attempt:
    """What one person handed in at one time.

    Args:
        student: The name in nbgrader; empty where nobody on the class list fits.
        folder: Where its files lie, below the unit's folder of what was collected.
        main: The notebook among them that is graded; empty where there is none.
        digest: Changes when anything that was handed in changes.
        order: A later attempt has a higher one.
        form: The form of the LMS that it came in.
        lms_id: The LMS's number of the person in that form.
        lms_name: The person's name as the LMS writes it.
        lms_folder: Where the LMS takes feedback for it.
        source: The zip or folder that it came in.
        handed_in: When it was handed in, in UTC; empty where that is not known.
        late: Whether the LMS marked it as late.
        why_aside: Why nobody fits; empty where somebody does.
    """

    student: str
    folder: str
    main: str
    digest: str
    order: list[float]
    form: str
    lms_id: str
    lms_name: str
    lms_folder: str
    source: str
    handed_in: str = ""
    late: bool = False
    why_aside: str = ""


@dataclass
class Record:
    """All that was collected for a unit.

    Args:
        attempts: The attempts, also those whose student is not known.
        placed: For each student the folder of the attempt that lies in ``submitted/``, and
            the digest of what was put there.
    """

    attempts: list[Attempt] = field(default_factory=list)
    placed: dict[str, tuple[str, str]] = field(default_factory=dict)

    def latest(self) -> dict[str, Attempt]:
        """The latest attempt of each student."""
        ordered = sorted((a for a in self.attempts if a.student), key=lambda a: a.order)
        return {attempt.student: attempt for attempt in ordered}

    def known(self) -> dict[tuple[str, str], str]:
        """Students by form and number of the LMS."""
        return {(a.form, a.lms_id): a.student for a in self.attempts if a.student and a.lms_id}

    def write(self, folder: Path) -> None:
        """Write it so that a reader sees the old one or the new, never a part.

        Args:
            folder: The unit's folder of what was collected.
        """
        content = {
            "attempts": [asdict(attempt) for attempt in self.attempts],
            "placed": self.placed,
        }
        part = folder / f"{FILE}.part"
        part.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")
        os.replace(part, folder / FILE)


def read_record(folder: Path) -> Record:
    """What was collected before; an empty record where that is nothing.

    Args:
        folder: The unit's folder of what was collected.

    Raises:
        KitError: The record is damaged.
    """
    path = folder / FILE
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return Record(
            [Attempt(**attempt) for attempt in content["attempts"]],
            {student: (place[0], place[1]) for student, place in content["placed"].items()},
        )
    except FileNotFoundError:
        return Record()
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise KitError(
            "the record of what was collected before, as rnnkit wrote it",
            f"{path} is damaged ({error})",
            f"bring the file back from a backup, or rename {folder} and collect all zips again",
        ) from error
