"""Zips as LMSs and systems make them, and a course to collect them into."""

import json
import struct
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rnnkit.course.collecting import Collected, collect

UNIT = "00_tiny"
IDS = ("q1-double", "q1-double-test", "q2-greet", "q2-greet-test", "q3-why")
DAY = (2026, 11, 20, 12, 0, 0)


def notebook(answer: str = "", ids: tuple[str, ...] = IDS, **metadata: Any) -> str:
    """A notebook with the cells of the made-up unit, or with others."""
    cells = [
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {"nbgrader": {"grade_id": name}},
            "outputs": [],
            "source": answer,
        }
        for name in ids
    ]
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


def make_zip(
    path: Path,
    files: Mapping[str, str | bytes],
    times: Mapping[str, tuple[int, int, int, int, int, int]] | None = None,
    when: tuple[int, int, int, int, int, int] = DAY,
) -> Path:
    """A zip with these files, written at these times."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, (times or {}).get(name, when))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return path


def raw_zip(path: Path, names: list[bytes], content: bytes = b"{}", utf8: bool = False) -> Path:
    """A zip whose names are these bytes, as systems write them; doubles are no fault here."""
    import zlib

    body, directory = b"", b""
    flags = 0x800 if utf8 else 0
    for name in names:
        fields = (20, flags, 0, 0x6000, 0x5D74, zlib.crc32(content), len(content), len(content))
        offset = len(body)
        body += struct.pack("<IHHHHHIIIHH", 0x04034B50, *fields, len(name), 0) + name + content
        directory += (
            struct.pack(
                "<IHHHHHHIIIHHHHHII", 0x02014B50, 20, *fields, len(name), 0, 0, 0, 0, 0, offset
            )
            + name
        )
    end = struct.pack(
        "<IHHHHIIH", 0x06054B50, 0, 0, len(names), len(names), len(directory), len(body), 0
    )
    path.write_bytes(body + directory + end)
    return path


def write_roster(path: Path, *lines: str, header: str = "student_id,first name,last name") -> Path:
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    return path


class CourseFolder:
    """A course folder, and short ways to look into it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(exist_ok=True)

    def place(self, student: str) -> Path:
        return self.root / "submitted" / student / UNIT

    def collect(self, *sources: Path, **options: Any) -> Collected:
        options.setdefault("cells", IDS)
        return collect(UNIT, sources, self.root, self.place, **options)

    def submitted(self) -> dict[str, list[str]]:
        """For each student the names of the files that were submitted."""
        folder = self.root / "submitted"
        if not folder.exists():
            return {}
        return {
            student.name: sorted(
                path.relative_to(student / UNIT).as_posix()
                for path in (student / UNIT).rglob("*")
                if path.is_file()
            )
            for student in sorted(folder.iterdir())
        }

    def answer(self, student: str) -> str:
        """The source of the first cell of what is graded."""
        path = self.place(student) / f"{UNIT}.ipynb"
        source: str = json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"]
        return source

    def attempts(self, student: str) -> list[str]:
        folder = self.root / "collected" / UNIT / "attempts" / student
        return sorted(path.name for path in folder.iterdir()) if folder.exists() else []

    def tree(self) -> list[str]:
        return sorted(path.relative_to(self.root).as_posix() for path in self.root.rglob("*"))


Zipper = Callable[..., Path]
