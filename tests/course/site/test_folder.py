import pytest

from rnnkit.course.site.folder import write_folder
from rnnkit.errors import KitError


def test_files_are_written_in_folders(tmp_path):
    write_folder(tmp_path / "site", {"index.html": b"a", "a/b.html": b"b"})
    assert (tmp_path / "site/index.html").read_bytes() == b"a"
    assert (tmp_path / "site/a/b.html").read_bytes() == b"b"


def test_what_an_earlier_call_left_is_deleted(tmp_path):
    write_folder(tmp_path / "site", {"old.html": b"a"})
    write_folder(tmp_path / "site", {"new.html": b"b"})
    assert not (tmp_path / "site/old.html").exists()


def test_an_empty_folder_is_filled(tmp_path):
    write_folder(tmp_path, {"index.html": b"a"})
    assert (tmp_path / "index.html").is_file()


def test_a_folder_of_someone_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(KitError, match="other things in"):
        write_folder(tmp_path, {"index.html": b"a"})
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "site").write_text("")
    with pytest.raises(KitError, match="a file:"):
        write_folder(tmp_path / "site", {})
