"""The command `rnnkit lab`: what it says before JupyterLab starts, and what it starts it with."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from rnnkit.cli import doctor, lab, main
from rnnkit.cli.nbgrader_parts import parts_off


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """A desktop on which JupyterLab would start; the words that it gets, each time."""
    calls: list[list[str]] = []
    monkeypatch.setattr(lab, "_start", lambda words: calls.append(words) or 0)
    monkeypatch.setattr(lab.os, "geteuid", lambda: 1000)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.chdir(tmp_path)
    return calls


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of settings that Jupyter reads before all others."""
    folder = tmp_path / "settings"
    folder.mkdir()
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(folder))
    return folder


def write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def turn_off_server_part(settings: Path, name: str) -> None:
    part = {f"nbgrader.server_extensions.{name}": False}
    write(
        settings / "jupyter_server_config.d" / "off.json",
        {"ServerApp": {"jpserver_extensions": part}},
    )


def turn_off_in_the_page(settings: Path, name: str) -> None:
    write(settings / "labconfig" / "page_config.json", {"disabledExtensions": {name: True}})


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def test_where_all_is_well_nothing_is_said(
    started: list[list[str]], settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port = free_port()
    assert main(["lab", "--port", str(port)]) == 0
    assert capsys.readouterr().out == ""
    assert started == [[f"--ServerApp.port={port}"]]


def test_nbgraders_parts_are_on_after_an_ordinary_installation(settings: Path) -> None:
    assert parts_off() == []


def test_formgrader_that_is_off_is_named_with_its_remedy(
    started: list[list[str]], settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_off_server_part(settings, "formgrader")
    assert main(["lab", "--port", str(free_port())]) == 0
    assert capsys.readouterr().out == (
        "JupyterLab will lack Formgrader, which is switched off. To switch it on: "
        "jupyter server extension enable nbgrader.server_extensions.formgrader\n"
    )
    assert len(started) == 1


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("@jupyter/nbgrader", "nbgrader's menu"),
        ("@jupyter/nbgrader:validate-assignment", "nbgrader's validate-assignment"),
    ],
)
def test_a_part_that_is_off_in_the_page_is_named_with_its_remedy(
    settings: Path, name: str, what: str
) -> None:
    turn_off_in_the_page(settings, name)
    (part,) = parts_off()
    assert (part.what, part.remedy) == (what, f"jupyter labextension enable {name}")


def test_another_programs_part_that_is_off_is_no_matter(settings: Path) -> None:
    turn_off_in_the_page(settings, "@jupyterlab/help-extension")
    assert parts_off() == []


def test_a_port_in_use_is_told(
    started: list[list[str]],
    settings: Path,
    taken_port: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["lab", "--port", str(taken_port)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"Port {taken_port} is in use")
    assert "open the address below" in line


def test_without_a_display_no_browser_is_tried(
    started: list[list[str]],
    settings: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(lab.sys, "platform", "linux")
    port = free_port()
    assert main(["lab", "--port", str(port)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("There is no display here")
    assert started == [[f"--ServerApp.port={port}", "--no-browser"]]


def test_root_is_told_how_to_go_on(
    started: list[list[str]],
    settings: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(lab.os, "geteuid", lambda: 0)
    assert main(["lab"]) == 2
    assert "`rnnkit lab --allow-root`" in capsys.readouterr().err
    assert started == []
    port = free_port()
    assert main(["lab", "--allow-root", "--port", str(port)]) == 0
    assert started == [[f"--ServerApp.port={port}", "--allow-root"]]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["no-such-folder"], "no folder no-such-folder"),
        (["--port", "70000"], "a port from 1 to 65535"),
    ],
)
def test_what_cannot_be_opened_is_refused(
    started: list[list[str]], words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lab", *words]) == 2
    assert expected in capsys.readouterr().err
    assert started == []


def test_it_starts_in_the_folder_that_is_named(
    started: list[list[str]], settings: Path, tmp_path: Path
) -> None:
    (tmp_path / "course").mkdir()
    assert main(["lab", "course", "--port", str(free_port())]) == 0
    assert Path.cwd() == tmp_path / "course"


def test_without_jupyterlab_the_remedy_is_told(
    started: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(lab.importlib.util, "find_spec", lambda name: None)
    args = lab.argparse.Namespace(folder=Path(), port=None, allow_root=False)
    with pytest.raises(lab.KitError, match="pip install jupyterlab"):
        lab.run(args)
    assert started == []


def test_doctor_names_a_part_that_is_off(settings: Path) -> None:
    turn_off_server_part(settings, "validate_assignment")
    (finding,) = doctor._jupyterlab()
    assert finding.found == "lacks the button Validate: it is switched off"
    assert finding.to_do.endswith("enable nbgrader.server_extensions.validate_assignment")
    assert not finding.stops


def test_doctor_says_that_all_parts_are_on(settings: Path) -> None:
    (finding,) = doctor._jupyterlab()
    assert finding.state == "ok"
