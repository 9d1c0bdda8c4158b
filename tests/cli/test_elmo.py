"""The command `rnnkit elmo`."""

import io
import json
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
from rich.console import Console

from rnnkit.cli import elmo, main
from rnnkit.elmo import BiLM, BiLMOptions, FileProgress, embed_file, load_bilm

OPTIONS = BiLMOptions(memory=16, projection=4, filters=((1, 4), (2, 8)))


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> list[str]:
    """The options that name a model."""
    folder = tmp_path_factory.mktemp("model")
    BiLM(OPTIONS).save(folder / "options.json", folder / "weights.hdf5")
    return ["--options", str(folder / "options.json"), "--weights", str(folder / "weights.hdf5")]


@pytest.fixture
def place(tmp_path, monkeypatch) -> Path:
    """A folder with a text, in which the command is called."""
    (tmp_path / "text.txt").write_text("the bank\n\nno bank\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shape_of_first(path: Path) -> tuple[int, ...]:
    with h5py.File(path) as file:
        return file["0"].shape


@pytest.mark.parametrize(
    ("option", "shape"),
    [([], (3, 2, 8)), (["--all"], (3, 2, 8)), (["--average"], (2, 8)), (["--top"], (2, 8))],
)
def test_vectors_are_written_and_this_is_said(place, model, capsys, option, shape) -> None:
    assert main(["elmo", "text.txt", "out.hdf5", *model, *option]) == 0
    assert shape_of_first(place / "out.hdf5") == shape
    out, err = capsys.readouterr()
    assert re.fullmatch(r"Wrote out\.hdf5: 3 lines, 4 words \(\d+ seconds?\)\.\n", out)
    assert err == ""


def test_the_published_names_of_the_options_work_too(place, model) -> None:
    options, weights = model[1], model[3]
    words = ["--options-file", options, "--weight-file", weights]
    assert main(["elmo", "text.txt", "out.hdf5", *words, "--quiet"]) == 0


def test_quiet_prints_nothing(place, model) -> None:
    (place / "text.txt").write_bytes(b"caf\xe9\ncaf\xe9\n")
    # In a process of its own: TensorFlow warns where many models were made in one.
    process = start(["elmo", "text.txt", "out.hdf5", *model, "--quiet"], subprocess.PIPE)
    assert process.communicate() == (b"", b"")
    assert process.returncode == 0


def test_notes_are_printed(place, model, capsys) -> None:
    (place / "text.txt").write_bytes(b"caf\xe9\ncaf\xe9\n")
    assert main(["elmo", "text.txt", "out.hdf5", *model]) == 0
    out = capsys.readouterr().out
    assert out.count("not valid UTF-8") == 1
    assert out.count("comes again") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["none.txt", "out.hdf5"], "no such file: none.txt"),
        ([".", "out.hdf5"], "a folder: ."),
        (["text.txt", "."], "a folder: ."),
        (["text.txt", "none/out.hdf5"], "mkdir -p none"),
        (["text.txt", "text.txt"], "an output that is not the input"),
    ],
)
def test_what_cannot_be_done_is_said_without_a_traceback(
    place, model, capsys, arguments, words
) -> None:
    assert main(["elmo", *arguments, *model]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert "To do:" in error
    assert "Traceback" not in error


def test_the_shipped_model_is_taken_where_no_other_is_named(place) -> None:
    assert main(["elmo", "text.txt", "out.hdf5", "--quiet"]) == 0
    with h5py.File("out.hdf5") as file:
        assert file["0"].shape[::2] == (3, 128)


def test_weights_that_do_not_fit_are_named(place, model, capsys) -> None:
    other = place / "options.json"
    options = json.loads(Path(model[1]).read_text())
    options["lstm"]["dim"] = 17
    other.write_text(json.dumps(options))
    words = ["--options", str(other), *model[2:]]
    assert main(["elmo", "text.txt", "out.hdf5", *words]) == 2
    error = capsys.readouterr().err
    assert "options and weights of one biLM" in error
    assert "LSTMCell" in error
    assert main(["elmo", "text.txt", "out.hdf5", *model[:2]]) == 2
    assert "no --weights" in capsys.readouterr().err
    assert main(["elmo", "text.txt", "out.hdf5", *model[:2], "--weights", "none"]) == 2
    assert "no such file: none" in capsys.readouterr().err


def test_only_one_kind_of_layers_can_be_asked_for(place, model, capsys) -> None:
    with pytest.raises(SystemExit):
        main(["elmo", "text.txt", "out.hdf5", *model, "--top", "--average"])
    assert "not allowed with" in capsys.readouterr().err


def test_a_whole_output_is_replaced_when_it_is_asked_for(place, model, capsys) -> None:
    words = ["elmo", "text.txt", "out.hdf5", *model]
    assert main(words) == 0
    assert main([*words, "--top"]) == 2
    assert "add --restart" in capsys.readouterr().err
    assert shape_of_first(place / "out.hdf5") == (3, 2, 8)
    assert main([*words, "--top", "--restart"]) == 0
    assert shape_of_first(place / "out.hdf5") == (2, 8)


def test_who_stops_the_command_reads_how_to_go_on(place, model, capsys, monkeypatch) -> None:
    words = ["elmo", "text.txt", "out.hdf5", *model]

    def stop(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(BiLM, "embed", stop)
        assert main(words) == 130
    assert "the same command goes on" in capsys.readouterr().out
    assert main(words) == 0
    assert "Going on after 0 of 3 lines." in capsys.readouterr().out


def test_help_does_not_wait_for_tensorflow() -> None:
    code = "import rnnkit.cli, rnnkit.cli.elmo, sys; print('keras' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False\n"


def test_the_default_is_that_of_the_package() -> None:
    from rnnkit.elmo.extraction import BATCH_TOKENS

    assert elmo.BATCH_TOKENS == BATCH_TOKENS


# How far the work is


def shown(terminal: bool, quiet: bool = False) -> str:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=terminal, width=100)
    with elmo._Display(quiet, console) as display:
        for lines in (0, 40, 80, 100):
            display.show(FileProgress(lines, 100, 10 * lines, 1000))
    return stream.getvalue()


def test_a_file_gets_a_line_now_and_then(monkeypatch) -> None:
    assert shown(terminal=False) == ""
    monkeypatch.setattr(elmo, "LINES_APART", 0)
    lines = shown(terminal=False).splitlines()
    assert [line.split(" lines")[0] for line in lines] == ["40 of 100", "80 of 100", "100 of 100"]


def test_a_terminal_gets_a_bar() -> None:
    assert "100 of 100 lines" in shown(terminal=True)
    assert shown(terminal=True, quiet=True) == ""


def test_the_time_left_follows_from_the_words_of_this_run() -> None:
    now = FileProgress(1200, 5000, 30_000, 150_000)
    line = elmo.progress_line(now, tokens=20_000, seconds=10)
    assert line == "1,200 of 5,000 lines, 2,000 words a second, 60 seconds left"


# Killed


COUNT = 300  # lines


def start(words: list[str], stream: int = subprocess.DEVNULL) -> subprocess.Popen:
    code = "from rnnkit.cli import main; raise SystemExit(main())"
    return subprocess.Popen([sys.executable, "-c", code, *words], stdout=stream, stderr=stream)


def lines_done(state: Path) -> int:
    try:
        return json.loads(state.read_text())["lines"]
    except FileNotFoundError:
        return 0


def kill_while_at_work(words: list[str], state: Path, chance: random.Random) -> None:
    """Start the command and kill it at a random moment after it has gone on."""
    before = lines_done(state)
    process = start(words)
    try:
        while process.poll() is None and lines_done(state) == before:
            time.sleep(0.002)
        time.sleep(chance.uniform(0, 0.1))
    finally:
        process.kill()  # SIGKILL
        process.wait()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is of POSIX")
def test_a_command_killed_several_times_gives_the_same_file(place, model) -> None:
    chance = random.Random(4)
    sentences = [
        " ".join(chance.choice(["the", "bank", "river", "money"]) for _ in range(length))
        for length in (chance.randrange(0, 30) for _ in range(COUNT))
    ]
    (place / "text.txt").write_text("\n".join(sentences))
    # Each line is a window of its own, so that there are many moments between lines.
    words = ["elmo", "text.txt", "out.hdf5", *model, "--quiet", "--batch-tokens", "1"]
    state = place / "out.hdf5.unfinished" / "state.json"
    stops = []
    for _ in range(4):
        kill_while_at_work(words, state, chance)
        stops.append(lines_done(state))
    assert 0 < stops[0] <= stops[-1] < COUNT
    assert stops == sorted(stops)
    assert main(words) == 0
    embed_file(load_bilm(model[1], model[3]), "text.txt", "unbroken.hdf5")
    with h5py.File("out.hdf5") as found, h5py.File("unbroken.hdf5") as wanted:
        assert list(found) == list(wanted)
        assert found["sentence_to_index"][0] == wanted["sentence_to_index"][0]
        for number in range(COUNT):
            one, other = found[str(number)][:], wanted[str(number)][:]
            np.testing.assert_allclose(one, other, atol=1e-6)
