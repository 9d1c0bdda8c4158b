import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from fenced_runs import MIB, start_run

import rnnkit
from rnnkit.grading.fence import FenceSpec, default_readable
from rnnkit.grading.outcome import Fence

REPOSITORY = Path(rnnkit.__file__).parent.parent


def errors_of(attempts):
    """For each attempt, the name of the error that it met."""
    names = []
    for attempt in attempts:
        try:
            attempt()
            names.append("")
        except OSError as error:
            names.append(type(error).__name__)
    return names


def read(_, paths):
    return errors_of([lambda path=path: Path(path).read_bytes() for path in paths])


def write(_, paths):
    return errors_of([lambda path=path: Path(path).write_text("mine") for path in paths])


@pytest.mark.parametrize("name", ["gradebook.db", "solutions/lab.ipynb", "submitted/ben/lab.ipynb"])
def test_files_of_the_course_cannot_be_read(level, start, tmp_path, name):
    path = tmp_path / "course" / name
    path.parent.mkdir(parents=True)
    path.write_text("secret")
    assert all(start(level, read, [str(path)]).result)


@pytest.mark.parametrize("path", ["/etc/shadow", "/etc/ssl/private", "/proc/1/environ"])
def test_files_of_the_system_that_hold_secrets_cannot_be_read(level, start, path):
    assert all(start(level, read, [path]).result)


def test_the_home_folder_cannot_be_read(level, start, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    path = tmp_path / "home" / ".ssh" / "id"
    path.parent.mkdir(parents=True)
    path.write_text("secret")
    assert start(level, read, [str(path)]).result != [""]


def test_the_repository_beside_the_package_cannot_be_read(level, start):
    paths = [str(REPOSITORY / "pyproject.toml"), str(REPOSITORY / "solutions")]
    assert all(start(level, read, paths).result)


def test_the_package_and_a_new_python_can_be_used(level, start):
    def use(_):
        code = "import rnnkit, json, numpy; print(numpy.ones(2).sum())"
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout

    run = start(level, use)
    assert run.result == "2.0\n"


def test_nothing_outside_can_be_written(level, start, tmp_path):
    victim = tmp_path / "gradebook.db"
    victim.write_text("grades")
    paths = [
        victim,
        tmp_path / "new",
        Path("/tmp/rnnkit-test-new"),
        Path(rnnkit.__file__).parent / "new.py",
        Path("/usr/new"),
        Path("/dev/shm/rnnkit-test-new"),
        Path.home() / "rnnkit-test-new",
        Path("/proc/self/oom_score_adj"),
    ]
    start(level, write, [str(path) for path in paths]).wait()
    assert victim.read_text() == "grades"
    assert [path for path in paths[1:-1] if path.exists()] == []


def test_a_file_outside_cannot_be_changed_without_writing(level, start, tmp_path):
    victim = tmp_path / "gradebook.db"
    victim.write_text("grades")
    victim.chmod(0o640)

    def change(_):
        return errors_of(
            [
                lambda: os.truncate(victim, 0),
                lambda: os.chmod(victim, 0o777),
                lambda: os.utime(victim, (0, 0)),
                lambda: os.remove(victim),
                lambda: os.rename(victim, "stolen"),
                lambda: os.link(victim, "stolen"),
                lambda: os.close(os.open(victim, os.O_RDONLY | os.O_TRUNC)),
                lambda: os.setxattr(victim, "user.mine", b"1"),
            ]
        )

    before = victim.stat()
    start(level, change).wait()
    after = victim.stat()
    assert victim.read_text() == "grades"
    assert (after.st_mode, after.st_mtime) == (before.st_mode, before.st_mtime)
    assert after.st_nlink == 1
    assert not os.listxattr(victim)


def test_a_package_cannot_be_cut_short(level, start):
    victim = Path(rnnkit.__file__)
    before = victim.read_text()
    attempts = (os.O_TRUNC | os.O_RDONLY, os.O_TRUNC | os.O_RDWR)

    def cut(_):
        return errors_of([lambda flags=flags: os.open(victim, flags) for flags in attempts])

    assert all(start(level, cut).result)
    assert victim.read_text() == before


def test_the_scratch_folder_can_be_used_like_any_other(level, start):
    def use(_):
        os.makedirs("a/b")
        Path("a/file").write_text("text")
        shutil.copy("a/file", "a/copy")
        shutil.move("a/copy", "a/b/moved")
        os.symlink("a/b/moved", "link")
        with open("link", "r+") as file:
            file.truncate(2)
        with open("a/file", "w") as file:
            file.write("again")
        shutil.rmtree("a/b")
        return sorted(os.listdir("a")), Path("a/file").read_text(), os.getcwd()

    run = start(level, use)
    assert run.result == [["file"], "again", run.spec.scratch]


def test_temporary_files_and_the_home_folder_are_inside(level, start):
    def use(_):
        import tempfile

        with tempfile.NamedTemporaryFile() as file:
            (Path.home() / "file").write_text("text")
            return [file.name, str(Path.home())]

    names = start(level, use).result
    assert names is not None
    assert not (Path(names[1]) / "file").exists() or level is Fence.WEAK


def test_in_a_full_fence_the_outer_scratch_folder_stays_empty(full, start):
    run = start(full, write, ["file"])
    assert run.result == [""]
    assert os.listdir(run.spec.scratch) == []


def test_files_are_copied_in_and_links_are_not_followed(level, start, tmp_path):
    files = tmp_path / "files"
    (files / "data").mkdir(parents=True)
    (files / "data" / "words.txt").write_text("words")
    (tmp_path / "secret").write_text("secret")
    (files / "link").symlink_to(tmp_path / "secret")
    os.mkfifo(files / "pipe")

    def look(_):
        found = errors_of([lambda: Path("link").read_text()])
        return sorted(os.listdir()), Path("data/words.txt").read_text(), *found

    names, text, error = start(level, look, files=str(files)).result
    assert [name for name in names if name[0] != "."] == ["data", "link"]
    assert text == "words"
    assert error


def test_a_socket_can_be_made_in_its_folder_and_nothing_else(level, start):
    def serve(pipe, folder):
        server = socket.socket(socket.AF_UNIX)
        server.bind(f"{folder}/kernel-1")
        server.listen()
        attempts = [
            lambda: Path(folder, "file").write_text("mine"),
            lambda: os.mkdir(f"{folder}/folder"),
            lambda: os.symlink("/etc", f"{folder}/link"),
        ]
        os.write(pipe, b"ready")
        server.accept()[0].sendall(repr(errors_of(attempts)).encode())

    run = start(level, lambda pipe: serve(pipe, run_folder(pipe)))
    assert run.first_line() == b"ready"
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(f"{run.spec.sockets}/kernel-1")
        errors = client.recv(1000).decode()
    assert run.wait().code == 0
    assert "''" not in errors
    assert os.listdir(run.spec.sockets) == ["kernel-1"]


def run_folder(_):
    """The folder of sockets, which lies beside the working folder."""
    return os.path.join(os.path.dirname(os.getcwd()), "sockets")


def test_a_full_disk_is_an_error_inside_or_ends_the_run(level, start):
    def fill(_):
        try:
            for number in range(100):
                Path(f"file{number}").write_bytes(bytes(MIB))
        except OSError as error:
            return error.strerror
        import time

        time.sleep(20)
        return None

    run = start(level, fill, scratch_bytes=16 * MIB)
    report = run.wait()
    assert report.why == "disk" or run.result == "No space left on device"
    assert report.why == ("disk" if level is Fence.WEAK else "")


def test_files_that_were_removed_but_are_open_count_too(start):
    def fill(_):
        import time

        with open("file", "wb") as file:
            os.remove("file")
            file.write(bytes(32 * MIB))
            time.sleep(20)

    assert start(Fence.WEAK, fill, scratch_bytes=16 * MIB).wait().why == "disk"


def test_sockets_without_end_end_the_run(level, start):
    def fill(pipe):
        import time

        for number in range(2000):
            with socket.socket(socket.AF_UNIX) as server:
                server.bind(f"{run_folder(pipe)}/{number}")
        time.sleep(20)

    assert start(level, fill, scratch_bytes=4 * MIB).wait().why == "disk"


def test_a_gpu_that_is_not_there_changes_nothing(level, start):
    assert start(level, write, ["file"], gpus=("0",)).result == [""]


def test_one_file_cannot_be_longer_than_the_limit(level, start):
    def fill(_):
        return errors_of([lambda: Path("file").write_bytes(bytes(3 * MIB))])

    assert start(level, fill, file_bytes=2 * MIB).result == ["OSError"]


def test_descriptors_that_were_not_named_are_closed(level, start, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("secret")
    with secret.open() as file:
        number = file.fileno()

        def look(_):
            return os.read(number, 10).decode()

        assert start(level, look).result == ""


def test_a_scratch_folder_that_is_missing_is_told_and_nothing_runs(level, start):
    run = start(level, write, ["file"], scratch="/nowhere/scratch")
    report = run.wait()
    assert report.why == "fence"
    assert "could not" in report.note
    assert run.result is None


def test_files_that_do_not_fit_are_told_and_nothing_runs(full, start, tmp_path):
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "large").write_bytes(bytes(4 * MIB))
    run = start(full, write, ["x"], files=str(tmp_path / "files"), scratch_bytes=2 * MIB)
    report = run.wait()
    assert (report.why, report.code) == ("fence", None)
    assert "copy the submission's files" in report.note


def test_each_user_can_be_fenced_in(level, tmp_path_factory):
    if os.getuid() != 0:
        pytest.skip("needs root, to become someone else")
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in (folder, folder / "scratch", folder / "sockets"):
            path.mkdir(exist_ok=True)
            path.chmod(0o777)
        secret = folder / "secret"
        secret.write_text("secret")
        spec = FenceSpec(level, str(folder / "scratch"), sockets=str(folder / "sockets"))
        run = start_run(spec, lambda _: [os.getuid(), *read(_, [secret])], user=65534)
        report = run.wait()
        assert report.note == ""
        assert run.result[0] == 65534
        assert run.result[1]


def test_an_editable_install_lets_in_the_package_alone(monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path, str(REPOSITORY)])
    readable = default_readable()
    assert str(REPOSITORY / "rnnkit") in readable
    assert str(REPOSITORY) not in readable


def test_the_folder_that_python_was_started_in_is_not_let_in(monkeypatch, tmp_path):
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path), str(tmp_path / "below")])
    assert {str(tmp_path), str(tmp_path / "below")}.isdisjoint(default_readable())


def test_a_folder_of_modules_is_let_in(monkeypatch, tmp_path):
    (tmp_path / "modules").mkdir()
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "modules")])
    assert str(tmp_path / "modules") in default_readable()


@pytest.mark.parametrize("mark", ["nbgrader_config.py", "gradebook.db", "course/gradebook.db"])
def test_the_folder_of_a_course_is_not_let_in(monkeypatch, tmp_path, mark):
    (tmp_path / "course").mkdir()
    (tmp_path / mark).touch()
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    assert str(tmp_path) not in default_readable()


def test_the_data_folder_is_let_in(monkeypatch, tmp_path):
    monkeypatch.setenv("RNNKIT_DATA", str(tmp_path))
    assert str(tmp_path) in default_readable()
