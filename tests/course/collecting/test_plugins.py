"""Plain nbgrader reads an LMS's zips with our plugins."""

import json
from pathlib import Path

import pytest
from lms_zips import make_zip, notebook, write_roster
from nbgrader.apps import ZipCollectApp

from rnnkit.course.collecting.plugins import CanvasCollector, MoodleCollector, SafeExtractor
from rnnkit.errors import KitError

UNIT = "00_tiny"
NAMES = {
    MoodleCollector: "Zoë OBrien_12_assignsubmission_file_/lab.ipynb",
    CanvasCollector: "obrienzoë_12_345_lab.ipynb",
}


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """nbgrader's folder for downloads in a course, which is the current folder."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "downloaded" / UNIT / "archive"
    folder.mkdir(parents=True)
    (tmp_path / "release" / UNIT).mkdir(parents=True)
    return folder


def zip_collect(collector: type) -> None:
    app = ZipCollectApp(extractor_plugin=SafeExtractor, collector_plugin=collector)
    app.initialize([UNIT])
    app.start()


@pytest.mark.parametrize("collector", [MoodleCollector, CanvasCollector])
def test_zip_collect_finds_the_student_of_the_class_list(
    archive: Path, tmp_path: Path, collector: type
) -> None:
    (tmp_path / "collected").mkdir()
    write_roster(tmp_path / "collected" / "roster.csv", "zoe,Zoë,O'Brien")
    text = json.loads(notebook("mine"))
    text["cells"][0]["metadata"]["executionInfo"] = {"user": {"displayName": "Zoë O'Brien"}}
    make_zip(archive / "x.zip", {NAMES[collector]: json.dumps(text), "__MACOSX/._x": "x"})
    zip_collect(collector)
    submitted = tmp_path / "submitted" / "zoe" / UNIT
    assert "Brien" not in (submitted / f"{UNIT}.ipynb").read_text(encoding="utf-8")
    assert (submitted / "timestamp.txt").exists()


def test_zip_collect_unpacks_nothing_out_of_its_folder(archive: Path) -> None:
    make_zip(archive / "x.zip", {"../../../evil.ipynb": notebook()})
    with pytest.raises(KitError, match="leads out of it"):
        zip_collect(MoodleCollector)
