import errno
import hashlib
import os
import socket
import subprocess
import sys
import threading
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest

from rnnkit.data import DataError, RemoteFile, cache_folder, download, fetch
from rnnkit.errors import KitError

CONTENT = b"one line\nand another\n"
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def known(server):
    """A file with a known SHA-256 that the server has."""
    server.files["/small.txt"] = CONTENT
    return RemoteFile("small.txt", "small_set", server.address("/small.txt"), SHA256, "reversals")


@pytest.fixture
def unknown(known):
    """The same file, its SHA-256 not known."""
    return replace(known, sha256=None)


def left_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def place(folder: Path, content: bytes = CONTENT) -> Path:
    path = folder / "small_set" / "small.txt"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    return path


@pytest.fixture
def nobody_there():
    """The address of a port that nobody listens at."""
    with socket.socket() as own:
        own.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{own.getsockname()[1]}/small.txt"


class TestTheGuardOfTheseTests:
    def test_no_name_of_the_internet_is_looked_up(self):
        with pytest.raises(AssertionError, match=r"asked for the address of example\.org"):
            urllib.request.urlopen("http://example.org")

    def test_no_connection_leaves_this_machine(self):
        with (
            socket.socket() as own,
            pytest.raises(AssertionError, match=r"tried to connect to \('192\.0\.2\.1', 80\)"),
        ):
            own.connect(("192.0.2.1", 80))


class TestAKnownHash:
    def test_a_file_is_downloaded_into_the_cache(self, known, cache):
        path = fetch(known)
        assert path == cache / "small_set" / "small.txt"
        assert path.read_bytes() == CONTENT

    def test_nothing_else_is_left_in_the_cache(self, known, cache):
        fetch(known)
        assert left_in(cache) == ["small_set", "small_set/small.txt"]

    def test_a_file_in_the_cache_is_not_downloaded_again(self, known, server):
        assert fetch(known) == fetch(known)
        assert server.asked == ["/small.txt"]

    def test_a_file_in_the_cache_needs_no_network(self, known, nobody_there, cache):
        place(cache)
        assert fetch(replace(known, address=nobody_there)).read_bytes() == CONTENT

    def test_progress_goes_to_stdout(self, known, cache, capfd):
        fetch(known)
        output = capfd.readouterr()
        assert output.err == ""
        assert f"Saved {cache / 'small_set' / 'small.txt'}" in output.out

    def test_a_download_with_another_hash_is_refused(self, known, server):
        server.files["/small.txt"] = b"something else"
        with pytest.raises(DataError) as caught:
            fetch(known)
        assert caught.value.expected == f"{known.address} with the SHA-256 {SHA256}"
        wrong = hashlib.sha256(b"something else").hexdigest()
        assert caught.value.found == f"another file: SHA-256 {wrong}, 14 bytes. It was not kept"

    def test_a_download_with_another_hash_is_not_kept(self, known, server, cache):
        server.files["/small.txt"] = b"something else"
        with pytest.raises(DataError):
            fetch(known)
        assert left_in(cache) == ["small_set"]

    def test_a_spoilt_file_in_the_cache_is_named(self, known, cache):
        path = place(cache, b"spoilt")
        with pytest.raises(DataError) as caught:
            fetch(known)
        assert caught.value.expected == f"{path} with the SHA-256 {SHA256} (published)"
        assert caught.value.remedy.startswith(f"delete {path} and run this again")

    def test_a_spoilt_file_in_the_cache_is_left_as_it_is(self, known, cache):
        path = place(cache, b"spoilt")
        with pytest.raises(DataError):
            fetch(known)
        assert path.read_bytes() == b"spoilt"


class TestAnUnknownHash:
    def test_it_is_recorded_at_the_first_download(self, unknown, cache):
        path = fetch(unknown)
        record = path.with_name("small.txt.sha256")
        assert record.read_text() == f"{SHA256}  small.txt\n"

    def test_the_record_is_announced_in_one_line(self, unknown, cache, capfd):
        fetch(unknown)
        output = capfd.readouterr()
        (line,) = [line for line in output.out.splitlines() if "SHA-256" in line]
        assert line == (
            f"small.txt: no SHA-256 of it is known. Recorded that of this file, {SHA256}, in "
            f"{cache / 'small_set' / 'small.txt.sha256'}"
        )
        assert output.err == ""

    def test_a_later_read_says_nothing(self, unknown, capfd):
        fetch(unknown)
        capfd.readouterr()
        fetch(unknown)
        assert capfd.readouterr() == ("", "")

    def test_a_file_that_changes_in_the_cache_is_found(self, unknown):
        path = fetch(unknown)
        path.write_bytes(b"changed")
        with pytest.raises(DataError) as caught:
            fetch(unknown)
        assert f"{SHA256} (recorded in small.txt.sha256)" in caught.value.expected
        assert "delete" in caught.value.remedy and "small.txt.sha256" in caught.value.remedy

    def test_another_file_at_the_second_download_is_refused(self, unknown, server, cache):
        fetch(unknown).unlink()
        server.files["/small.txt"] = b"published anew"
        with pytest.raises(DataError) as caught:
            fetch(unknown)
        assert caught.value.expected.endswith(SHA256)
        assert "if the file was published anew" in caught.value.remedy
        assert left_in(cache) == ["small_set", "small_set/small.txt.sha256"]

    def test_the_same_file_is_taken_at_the_second_download(self, unknown):
        fetch(unknown).unlink()
        assert fetch(unknown).read_bytes() == CONTENT

    def test_an_empty_record_is_not_a_hash(self, unknown):
        path = fetch(unknown)
        path.with_name("small.txt.sha256").write_text("")
        with pytest.raises(DataError, match="another file"):
            fetch(unknown)

    @pytest.mark.parametrize("page", [b"<!DOCTYPE html><p>Log in", b"\n<html><body>Log in"])
    def test_a_login_page_is_not_recorded(self, unknown, server, cache, page):
        server.files["/small.txt"] = page
        with pytest.raises(DataError, match="a web page in its place"):
            fetch(unknown)
        assert left_in(cache) == ["small_set"]

    def test_a_file_put_into_the_cache_by_hand_is_recorded(self, unknown, cache, server):
        path = place(cache)
        assert fetch(unknown) == path
        assert path.with_name("small.txt.sha256").read_text().startswith(SHA256)
        assert server.asked == []


class TestTheFolderOfRnnkitData:
    @pytest.fixture
    def given(self, monkeypatch, tmp_path):
        folder = tmp_path / "given"
        folder.mkdir()
        monkeypatch.setenv("RNNKIT_DATA", str(folder))
        return folder

    def test_a_file_is_taken_from_there_without_network_or_cache(self, known, given, server, cache):
        path = place(given)
        assert fetch(known) == path
        assert server.asked == []
        assert not cache.exists()

    def test_a_wrong_file_there_is_named(self, known, given):
        path = place(given, b"wrong")
        with pytest.raises(DataError) as caught:
            fetch(known)
        assert caught.value.expected.startswith(str(path))

    def test_a_file_that_is_not_there_is_downloaded(self, known, given, cache):
        assert fetch(known).is_relative_to(cache)

    def test_a_file_with_an_unknown_hash_is_taken_and_nothing_written(self, unknown, given, capfd):
        path = place(given)
        assert fetch(unknown) == path
        assert left_in(given) == ["small_set", "small_set/small.txt"]
        output = f"small.txt: no SHA-256 of it is known, so this file is not checked: {path}\n"
        assert capfd.readouterr() == (output, "")

    def test_a_record_there_is_checked(self, unknown, given):
        place(given).with_name("small.txt.sha256").write_text(f"{'0' * 64}  small.txt\n")
        with pytest.raises(DataError, match=r"recorded in small\.txt\.sha256"):
            fetch(unknown)

    def test_a_folder_that_does_not_exist_is_an_error(self, known, monkeypatch):
        monkeypatch.setenv("RNNKIT_DATA", "/no/such/folder")
        with pytest.raises(DataError, match="RNNKIT_DATA=/no/such/folder, which is no folder"):
            fetch(known)

    def test_a_file_that_cannot_be_read_is_an_error(self, known, given):
        (given / "small_set" / "small.txt").mkdir(parents=True)
        with pytest.raises(DataError, match=r"Is a directory|Permission denied"):
            fetch(known)


class TestTrouble:
    """Each kind names the stand-in and the place for a file put there by hand."""

    def error_of(self, file: RemoteFile) -> DataError:
        with pytest.raises(DataError) as caught:
            fetch(file)
        assert 'rnnkit.data.load("reversals")' in caught.value.remedy
        return caught.value

    def test_a_data_error_is_told_like_the_others_of_the_kit(self):
        assert issubclass(DataError, KitError)

    def test_a_dead_link(self, known, server, cache):
        error = self.error_of(replace(known, address=server.address("/gone.txt")))
        assert error.found == "the server answers 404 Not Found: the file is not there"
        assert f"by hand at {cache / 'small_set' / 'small.txt'}" in error.remedy
        assert left_in(cache) == ["small_set"]

    def test_a_server_in_trouble(self, known, server):
        server.refused["/small.txt"] = 503
        assert self.error_of(known).found == "the server answers 503 Service Unavailable"

    def test_a_server_that_refuses_the_connection(self, known, nobody_there, cache):
        error = self.error_of(replace(known, address=nobody_there))
        assert "no connection to the server" in error.found
        assert "refused" in error.found
        assert f"by hand at {cache / 'small_set' / 'small.txt'}" in error.remedy

    def test_no_network(self, known, monkeypatch):
        def no_names(*_, **__):
            raise socket.gaierror(-2, "Name or service not known")

        monkeypatch.setattr(socket, "getaddrinfo", no_names)
        error = self.error_of(replace(known, address="http://data.example/small.txt"))
        assert error.found == ("no connection to the server ([Errno -2] Name or service not known)")

    @pytest.mark.parametrize("sha256", [SHA256, None], ids=["known hash", "unknown hash"])
    def test_a_file_that_is_cut_off_is_not_kept(self, known, server, cache, sha256):
        server.announced["/small.txt"] = 1000
        error = self.error_of(replace(known, sha256=sha256))
        assert "cut off" in error.found
        assert left_in(cache) == ["small_set"]

    def test_a_server_that_stays_silent(self, known, monkeypatch):
        monkeypatch.setattr(download, "_SECONDS", 0.05)
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen()
            port = silent.getsockname()[1]
            error = self.error_of(replace(known, address=f"http://127.0.0.1:{port}/small.txt"))
        assert "timed out" in error.found

    def test_the_timeout_of_other_sockets_is_as_before(self, known):
        before = socket.getdefaulttimeout()
        fetch(known)
        assert socket.getdefaulttimeout() == before

    def test_a_cache_that_cannot_be_made(self, known, cache):
        cache.write_text("a file stands where the folder should be")
        error = self.error_of(known)
        assert "RNNKIT_CACHE" in error.remedy

    @pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS], ids=["no access", "read-only"])
    def test_a_cache_that_cannot_be_written(self, known, monkeypatch, number):
        # By a stand-in, since the administrator may write everywhere.
        def refuse(*_, dir, **__):
            raise OSError(number, os.strerror(number), str(dir))

        monkeypatch.setattr(download.tempfile, "mkdtemp", refuse)
        error = self.error_of(known)
        assert os.strerror(number) in error.found
        assert "RNNKIT_CACHE" in error.remedy

    def test_a_full_disk(self, known, monkeypatch, cache):
        import keras

        def fill(name, address, cache_dir, cache_subdir):
            (Path(cache_dir) / name).write_bytes(CONTENT[:4])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(keras.utils, "get_file", fill)
        error = self.error_of(known)
        assert os.strerror(errno.ENOSPC) in error.found
        assert "make room" in error.remedy
        assert left_in(cache) == ["small_set"]


class TestTheCacheFolder:
    def test_the_environment_names_it(self, cache):
        assert cache_folder() == cache

    @pytest.mark.parametrize(
        ("system", "variable", "expected"),
        [
            ("linux", "XDG_CACHE_HOME", "named/rnnkit"),
            ("win32", "LOCALAPPDATA", "named/rnnkit"),
            ("linux", None, "home/.cache/rnnkit"),
            ("darwin", None, "home/Library/Caches/rnnkit"),
            ("win32", None, "home/AppData/Local/rnnkit"),
        ],
    )
    def test_without_that_it_is_the_usual_one_of_the_system(
        self, monkeypatch, tmp_path, system, variable, expected
    ):
        for name in ("RNNKIT_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
            monkeypatch.delenv(name, raising=False)
        if variable:
            monkeypatch.setenv(variable, str(tmp_path / "named"))
        monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
        monkeypatch.setattr(sys, "platform", system)
        assert cache_folder() == tmp_path / expected


# Without the import of Keras, which takes seconds: what is tested is what is around get_file.
FETCH = """
import sys, types, urllib.request
keras_utils = types.ModuleType("keras.utils")
keras_utils.get_file = lambda name, address, cache_dir, cache_subdir: urllib.request.urlretrieve(
    address, cache_dir / name
)
sys.modules.update({"keras": types.ModuleType("keras"), "keras.utils": keras_utils})
from rnnkit.data import RemoteFile, fetch
print(fetch(RemoteFile("small.txt", "small_set", sys.argv[1], None, "reversals")))
"""


def test_two_processes_at_once_both_get_the_whole_file(server, cache):
    content = CONTENT * 100_000
    server.files["/small.txt"] = content
    server.meeting = threading.Barrier(2)  # each downloads while the other does
    command = [sys.executable, "-c", FETCH, server.address("/small.txt")]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    answers = [process.communicate(timeout=120)[0].splitlines()[-1] for process in both]
    path = cache / "small_set" / "small.txt"
    assert answers == [str(path)] * 2
    assert path.read_bytes() == content
    assert left_in(cache / "small_set") == ["small.txt", "small.txt.sha256"]
