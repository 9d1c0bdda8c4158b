"""The same reading of an LMS's zips for ``nbgrader zip_collect``.

`rnnkit collect` does more: it keeps all attempts, matches names in doubt and imports all
or nothing. These plugins give plain nbgrader the names, the class list, the bounds, and
notebooks without people's names::

    nbgrader zip_collect 06_attention \\
        --extractor=rnnkit.course.collecting.plugins.SafeExtractor \\
        --collector=rnnkit.course.collecting.plugins.MoodleCollector
"""

import datetime
import os
import shutil
from pathlib import Path, PurePosixPath
from typing import Any

from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin
from traitlets import Unicode

from rnnkit.course.collecting.archives import unpack
from rnnkit.course.collecting.forms import Form, is_notebook, named_by_lms
from rnnkit.course.collecting.matching import Matcher
from rnnkit.course.collecting.placing import Places
from rnnkit.course.collecting.privacy import without_names
from rnnkit.course.collecting.roster import COPY, read_roster

__all__ = ["CanvasCollector", "MoodleCollector", "SafeExtractor"]


class SafeExtractor(ExtractorPlugin):
    """Unpacks zips within bounds; one that leads out of its folder is refused."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Unpack all archives of a folder into another.

        Args:
            archive_path: The folder of the archives.
            extracted_path: Where the files go.

        Raises:
            KitError: An archive is not safe to unpack.
        """
        target = Path(extracted_path)
        stage = target / ".unpacking"
        places = Places()
        try:
            for number, archive in enumerate(sorted(Path(archive_path).iterdir())):
                unpacked = unpack(archive, stage / str(number))
                for found in unpacked.files:
                    place = target / places.take(found.inside)
                    place.parent.mkdir(parents=True, exist_ok=True)
                    if is_notebook(found.inside.name):
                        place.write_bytes(without_names(found.path.read_bytes())[0])
                    else:
                        shutil.copyfile(found.path, place)
                    os.utime(place, (found.moment, found.moment))
                for path, why in unpacked.passed:
                    self.log.info("Passed over %s: %s", path, why)
        finally:
            shutil.rmtree(stage, ignore_errors=True)


class _LmsCollector(FileNameCollectorPlugin):
    """Reads the names that one LMS gives."""

    form = ""

    roster = Unicode("", help="The class list, as CSV.").tag(config=True)

    def collect(self, submitted_file: str) -> dict[str, Any] | None:
        """What a file's name says.

        Args:
            submitted_file: The file's path.

        Returns:
            ``student_id``, ``file_id`` and ``timestamp``; None for a file to skip.
        """
        path = Path(submitted_file)
        named = named_by_lms(PurePosixPath(*path.parts[1:]))
        if named is None or named[0].form != self.form or not is_notebook(path.name):
            return None
        handle, inside = named
        match = self._matcher().find(handle)
        if not match.student:
            self.log.warning("%s: %s", handle.name, match.why)
            return None
        unit = self.parent.coursedir.assignment_id if self.parent else ""
        moment = datetime.datetime.fromtimestamp(path.stat().st_mtime, datetime.UTC)
        return {
            "student_id": match.student,
            "file_id": f"{unit}.ipynb" if unit else str(inside),
            "timestamp": moment.replace(tzinfo=None),
        }

    def _matcher(self) -> Matcher:
        if not hasattr(self, "_found"):
            root = Path(self.parent.coursedir.root) if self.parent else Path()
            path = Path(self.roster) if self.roster else root / "collected" / COPY
            people = read_roster(path) if self.roster or path.is_file() else []
            self._found = Matcher(people)
        return self._found


class MoodleCollector(_LmsCollector):
    """Reads ``Given Surname_12345_assignsubmission_file_/lab.ipynb`` and the flat form."""

    form = Form.MOODLE


class CanvasCollector(_LmsCollector):
    """Reads ``surnamegiven_LATE_12345_67890_lab-2.ipynb``."""

    form = Form.CANVAS
