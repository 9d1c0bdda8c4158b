"""From a text to a file of vectors, whatever the text, and however often the work is stopped."""

import errno
import importlib
import json
import os
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable, Iterator
from pathlib import Path

import h5py
import numpy as np
import pytest

from rnnkit.elmo import BiLM, BiLMOptions, embed_file, load_bilm
from rnnkit.elmo.text_lines import TextLines
from rnnkit.elmo.unfinished import Unfinished
from rnnkit.elmo.vector_file import VectorFile
from rnnkit.errors import KitError

embed_file_module = importlib.import_module("rnnkit.elmo.embed_file")  # the name is a function's
unfinished_module = importlib.import_module("rnnkit.elmo.unfinished")

OPTIONS = BiLMOptions(memory=16, projection=4, filters=((1, 4), (2, 8)))
TEXT = "the bank\n\nno money in the bank\nthe bank\na\n" + "long " * 40 + "\nlast one\n"
FEW = 2  # batch_tokens with which TEXT takes several windows

Run = Callable[..., Path]


@pytest.fixture(scope="module")
def bilm() -> BiLM:
    return BiLM(OPTIONS)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    return path


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "vectors.hdf5"


def contents(path: Path) -> dict[str, np.ndarray]:
    with h5py.File(path) as file:
        return {name: file[name][:] for name in file if name != "sentence_to_index"}


def sentence_to_index(path: Path) -> dict[str, str]:
    with h5py.File(path) as file:
        return json.loads(file["sentence_to_index"][0])


def assert_same_file(found: Path, wanted: Path) -> None:
    mine, theirs = contents(found), contents(wanted)
    assert list(mine) == list(theirs)
    for name, vectors in theirs.items():
        assert mine[name].dtype == "float32"
        np.testing.assert_allclose(mine[name], vectors, atol=1e-6)
    assert sentence_to_index(found) == sentence_to_index(wanted)


# What is written


@pytest.mark.parametrize("batch_tokens", [1, FEW, 1024])
def test_each_line_has_the_vectors_of_its_sentence(bilm, text, output, batch_tokens: int) -> None:
    made = embed_file(bilm, text, output, batch_tokens=batch_tokens)
    sentences = [line.split() for line in TEXT.splitlines()]
    assert (made.lines, made.tokens) == (7, sum(map(len, sentences)))
    found = contents(output)
    assert sorted(found, key=int) == [str(number) for number in range(7)]
    for number, sentence in enumerate(sentences):
        vectors = found[str(number)]
        assert vectors.shape == (3, len(sentence), 8)
        assert vectors.dtype == "float32"
        np.testing.assert_allclose(vectors, bilm.embed([sentence])[0], atol=1e-6)


@pytest.mark.parametrize(
    ("layers", "reduce"), [("average", lambda all_: all_.mean(0)), ("top", lambda all_: all_[-1])]
)
def test_the_mean_of_the_layers_or_the_last_one_alone(bilm, text, output, layers, reduce) -> None:
    whole = output.with_name("all.hdf5")
    embed_file(bilm, text, whole)
    embed_file(bilm, text, output, layers)
    found = contents(output)
    for number, vectors in contents(whole).items():
        assert found[number].shape == vectors.shape[1:]
        np.testing.assert_allclose(found[number], reduce(vectors), atol=1e-6)


def test_the_index_names_the_last_line_of_a_sentence_and_this_is_said(bilm, text, output) -> None:
    said: list[str] = []
    assert embed_file(bilm, text, output, say=said.append).repeated == 1
    index = sentence_to_index(output)
    assert index["the bank"] == "3"
    assert index[""] == "1"
    assert index["last one"] == "6"
    assert len(index) == 6
    first, second = contents(output)["0"], contents(output)["3"]
    np.testing.assert_allclose(first, second, atol=1e-6)
    assert said == [
        "1 line comes again further down: each line has its own data set, and sentence_to_index "
        "names the last."
    ]


def test_a_text_without_lines_gives_a_file_without_vectors(bilm, text, output) -> None:
    text.write_text("")
    assert embed_file(bilm, text, output).lines == 0
    assert contents(output) == {}
    assert sentence_to_index(output) == {}


def test_lines_are_read_as_they_are_found(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(
        b"\xef\xbb\xbffirst  one\r\n"  # byte order mark, carriage return
        b"\ttabs\tand\xc2\xa0spaces \n"
        b"\r\n"
        b"caf\xe9 au lait\n"  # Latin-1
        b"nul\x00 \xe2\x80\xa8 mark\rstays\n"  # none of these ends a line
        b"no line feed"
    )
    lines = list(TextLines(path))
    assert [line.text.split() for line in lines] == [
        ["first", "one"],
        ["tabs", "and", "spaces"],
        [],
        ["caf\ufffd", "au", "lait"],
        ["nul\x00", "mark", "stays"],
        ["no", "line", "feed"],
    ]
    assert [line.is_valid for line in lines] == [True, True, True, False, True, True]


def test_bytes_that_are_no_utf_8_are_told_once(bilm, text, output) -> None:
    text.write_bytes(b"good\ncaf\xe9\nna\xefve\nnul\x00\n")
    said: list[str] = []
    assert embed_file(bilm, text, output, say=said.append).invalid == 2
    assert said == [
        "2 lines are not valid UTF-8, first line 2: the wrong bytes are read as U+FFFD."
    ]
    assert set(sentence_to_index(output)) == {"good", "caf\ufffd", "na\ufffdve", "nul\x00"}


def test_it_gives_the_published_vectors(published: Path, tmp_path: Path) -> None:
    sentences = json.loads((published / "lm_embeddings_sentences.json").read_text())
    # States go from batch to batch in the expected files; only the first began with zeros.
    (tmp_path / "text").write_text("\n".join(column[0] for column in sentences))
    bilm = load_bilm(published / "options.json", published / "lm_weights.hdf5")
    embed_file(bilm, tmp_path / "text", tmp_path / "out.hdf5", "top")
    found = contents(tmp_path / "out.hdf5")
    assert len(found) == len(sentences) == 3
    for number in range(3):
        with h5py.File(published / f"lm_embeddings_{number}.hdf5") as file:
            ahead, back = file["0"][:]
        np.testing.assert_allclose(found[str(number)], np.hstack([ahead, back]), atol=1e-6)


def test_progress_counts_lines_and_words(bilm, text, output) -> None:
    reached = []
    embed_file(bilm, text, output, batch_tokens=FEW, progress=reached.append)
    assert (reached[0].lines, reached[0].tokens) == (0, 0)
    assert (reached[-1].lines, reached[-1].tokens) == (7, 52)
    assert {(now.all_lines, now.all_tokens) for now in reached} == {(7, 52)}
    assert len(reached) > 3
    assert [now.lines for now in reached] == sorted({now.lines for now in reached})


def test_nothing_but_the_output_is_left(bilm, text, output) -> None:
    embed_file(bilm, text, output)
    assert sorted(path.name for path in output.parent.iterdir()) == [text.name, output.name]


# Going on


class Stopped(BaseException):
    """As if the process was killed here."""


class Stopper:
    """Stops a run before or after any step that changes what is on the disk.

    Attributes:
        moment: How many moments have passed: one before each step, one after it.
        stop_at: The moment at which the run is stopped; 0: at none.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.moment = self.stop_at = 0
        for owner, name in ((os, "fsync"), (os, "replace"), (VectorFile, "write")):
            monkeypatch.setattr(owner, name, self._watched(getattr(owner, name)))
        remove = Unfinished._remove
        # A process that is killed cleans nothing up.
        monkeypatch.setattr(
            Unfinished, "_remove", lambda folder: None if self._is_stopped() else remove(folder)
        )

    def _is_stopped(self) -> bool:
        return self.moment == self.stop_at

    def _watched(self, step: Callable) -> Callable:
        def call(*args):
            self.moment += 1
            if self._is_stopped():
                if isinstance(args[0], VectorFile):  # in the middle of its write
                    step(*args[:2], np.full_like(args[2], np.nan))
                raise Stopped
            result = step(*args)
            self.moment += 1
            if self._is_stopped():
                raise Stopped
            return result

        return call


@pytest.fixture
def stopper(monkeypatch: pytest.MonkeyPatch) -> Stopper:
    return Stopper(monkeypatch)


def test_a_run_stopped_at_any_moment_goes_on_to_the_same_file(
    stopper, bilm, text, tmp_path
) -> None:
    wanted = tmp_path / "unbroken.hdf5"
    embed_file(bilm, text, wanted, batch_tokens=FEW)
    moments = stopper.moment
    assert moments > 40
    gone_on = set()
    for moment in range(1, moments + 1):
        output = tmp_path / f"{moment}.hdf5"
        stopper.moment, stopper.stop_at = 0, moment
        with pytest.raises(Stopped):
            embed_file(bilm, text, output, batch_tokens=FEW, say=lambda _: None)
        stopper.stop_at = 0
        made = embed_file(bilm, text, output, batch_tokens=FEW, say=lambda _: None)
        assert_same_file(output, wanted)
        assert not list(tmp_path.glob("*.unfinished"))
        gone_on.add(made.begun_at)
    assert len(gone_on) > 3  # it did not begin anew each time


def stop_after(lines: int) -> Callable[[object], None]:
    def progress(now) -> None:
        if now.lines >= lines:
            raise Stopped

    return progress


@pytest.fixture
def begin(bilm, text, output) -> Callable[..., int]:
    """Make an unfinished output."""

    def make(**more) -> int:
        with pytest.raises(Stopped):
            embed_file(bilm, text, output, batch_tokens=FEW, progress=stop_after(3), **more)
        state = json.loads((output.with_name("vectors.hdf5.unfinished") / "state.json").read_text())
        return state["lines"]

    return make


def test_going_on_is_said_and_computes_nothing_twice(begin, bilm, text, output, monkeypatch):
    done = begin()
    assert 3 <= done < 7
    said: list[str] = []
    read: list[list[str]] = []
    embed = BiLM.embed

    def noted(self, sentences, **more):
        read.extend(sentences)
        return embed(self, sentences, **more)

    monkeypatch.setattr(BiLM, "embed", noted)
    made = embed_file(bilm, text, output, batch_tokens=FEW, say=said.append)
    assert made.begun_at == done
    assert said == [f"Going on after {done} of 7 lines."]
    assert read == [line.split() for line in TEXT.splitlines()[done:]]


def test_going_on_with_other_batches_is_allowed(begin, bilm, text, output, tmp_path) -> None:
    begin()
    assert embed_file(bilm, text, output, batch_tokens=100).begun_at > 0
    embed_file(bilm, text, tmp_path / "unbroken.hdf5")
    assert_same_file(output, tmp_path / "unbroken.hdf5")


def test_an_output_begun_with_something_else_is_refused(begin, bilm, text, output) -> None:
    done = begin()
    with pytest.raises(KitError, match="layers: top, begun with all") as error:
        embed_file(bilm, text, output, "top")
    assert "input, model and layers" in error.value.expected
    assert "--restart" in error.value.remedy
    assert f"{done} lines" in error.value.remedy
    with pytest.raises(
        KitError, match=r"(?m)model: [0-9a-f]{12}, begun with [0-9a-f]{12}$"
    ) as error:
        embed_file(BiLM(OPTIONS), text, output)
    text.write_text(TEXT + "more\n")
    with pytest.raises(
        KitError, match=r"(?m)input: [0-9a-f]{12}, begun with [0-9a-f]{12}$"
    ) as error:
        embed_file(bilm, text, output)
    text.write_text(TEXT)
    assert embed_file(bilm, text, output).begun_at == done  # all that was refused changed nothing


def test_a_restart_begins_anew(begin, bilm, text, output) -> None:
    begin()
    text.write_text("other words\n")
    made = embed_file(bilm, text, output, "top", restart=True)
    assert (made.begun_at, made.lines) == (0, 1)
    assert contents(output)["0"].shape == (2, 8)


def test_a_whole_output_is_not_replaced_unasked(bilm, text, output) -> None:
    embed_file(bilm, text, output)
    before = output.read_bytes()
    with pytest.raises(KitError, match="--restart"):
        embed_file(bilm, text, output)
    assert output.read_bytes() == before
    assert not list(output.parent.glob("*.unfinished"))


def test_a_whole_output_stays_until_the_new_one_is_whole(begin, bilm, text, output) -> None:
    embed_file(bilm, text, output, "average")
    begin(restart=True)
    assert contents(output)["0"].shape == (2, 8)
    assert embed_file(bilm, text, output).begun_at > 0
    assert contents(output)["0"].shape == (3, 2, 8)


def test_the_same_input_and_model_give_the_same_bytes(bilm, text, tmp_path) -> None:
    embed_file(bilm, text, tmp_path / "one.hdf5")
    embed_file(bilm, text, tmp_path / "two.hdf5")
    assert (tmp_path / "one.hdf5").read_bytes() == (tmp_path / "two.hdf5").read_bytes()


# What cannot be done


def assert_refused(words: str, *args, **more) -> KitError:
    with pytest.raises(KitError) as error:
        embed_file(*args, **more)
    assert words in str(error.value)
    return error.value


def test_an_input_that_cannot_be_read_is_named(bilm, text, output, tmp_path) -> None:
    assert_refused("no such file", bilm, tmp_path / "none.txt", output)
    assert_refused("a folder", bilm, tmp_path, output)
    os.mkfifo(tmp_path / "pipe")
    assert_refused("a pipe or a device", bilm, tmp_path / "pipe", output)
    text.write_text("wide", encoding="utf-16")
    assert_refused("UTF-16", bilm, text, output)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pipe", text.name]


def test_an_output_that_cannot_be_written_is_named(bilm, text, output, tmp_path) -> None:
    assert_refused("a folder", bilm, text, tmp_path)
    assert_refused("mkdir -p", bilm, text, tmp_path / "none" / "out.hdf5")
    assert_refused("twice", bilm, text, text, restart=True)
    assert text.read_text() == TEXT
    output.with_name(f"{output.name}.unfinished").write_text("in the way")
    assert_refused("change the permissions", bilm, text, output)


def test_a_full_disk_loses_nothing(begin, bilm, text, output, monkeypatch) -> None:
    done = begin()

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(VectorFile, "write", full)
        error = assert_refused("No space left", bilm, text, output, batch_tokens=FEW)
    assert "the same command" in error.remedy
    assert embed_file(bilm, text, output, batch_tokens=FEW).begun_at == done


def test_a_disk_without_room_for_all_is_told_at_the_start(bilm, text, output, monkeypatch) -> None:
    usage = namedtuple("usage", "free")(10)
    text.write_text("word " * 1000)
    with monkeypatch.context() as patch:
        patch.setattr(unfinished_module.shutil, "disk_usage", lambda _: usage)
        assert_refused("free", bilm, text, output)
    assert embed_file(bilm, text, output).lines == 1


@pytest.mark.parametrize("change", ["one more word\n" + TEXT, TEXT[:20], TEXT + "more\n"])
def test_an_input_that_changes_meanwhile_is_noticed(bilm, text, output, change: str) -> None:
    error = assert_refused(
        "changed while it was read",
        bilm,
        text,
        output,
        batch_tokens=FEW,
        progress=lambda now: text.write_text(change) if not now.lines else None,
    )
    assert "begins anew" in error.remedy
    assert embed_file(bilm, text, output).begun_at == 0


def test_two_runs_do_not_write_one_output(bilm, text, output) -> None:
    refused = []

    def another(now) -> None:
        if now.lines == 0:
            refused.append(assert_refused("another run", bilm, text, output))

    embed_file(bilm, text, output, progress=another)
    assert len(refused) == 1


@pytest.mark.parametrize("name", ["state.json", "vectors.hdf5"])
def test_what_something_else_has_damaged_is_named(begin, bilm, text, output, name: str) -> None:
    begin()
    (output.with_name("vectors.hdf5.unfinished") / name).write_text("{}")
    assert name in assert_refused("--restart", bilm, text, output).expected
    assert embed_file(bilm, text, output, restart=True).lines == 7


@pytest.mark.parametrize("more", [{"layers": "some"}, {"batch_tokens": 0}])
def test_a_setting_that_is_none_is_refused(bilm, text, output, more) -> None:
    with pytest.raises(ValueError, match=r"Received: layers=.*batch_tokens="):
        embed_file(bilm, text, output, **more)


# Memory

MEASURED = """
import sys
from pathlib import Path
from rnnkit.elmo import BiLM, BiLMOptions, embed_file
bilm = BiLM(BiLMOptions(memory=256, projection=256, filters=((1, 16), (2, 32))))
bilm.embed([["warm"] * words for words in (1, 12, 30)], batch_tokens=64)

def memory(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(name))

Path("/proc/self/clear_refs").write_text("5")  # the peak counts from here on
before = memory("VmRSS")
embed_file(bilm, sys.argv[1], sys.argv[2])
print(memory("VmHWM") - before)
"""
TOKEN_BYTES = 3 * 512 * 4  # of the model above


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak of the memory from /proc")
def test_memory_depends_on_the_longest_line_and_not_on_the_text(text, output) -> None:
    generator = np.random.default_rng(0)
    lengths = [int(length) for length in generator.integers(10, 60, size=2000)]
    lengths.insert(1000, 10_000)
    words = generator.integers(0, 3000, size=sum(lengths)).tolist()
    lines: Iterator[int] = iter(words)
    text.write_text("\n".join(" ".join(f"w{next(lines)}" for _ in range(n)) for n in lengths))
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, text, output], capture_output=True, text=True, check=True
    )
    grown = int(done.stdout.split()[-1])
    print(f"grown by {grown / 1e6:.0f} MB for {TOKEN_BYTES * sum(lengths) / 1e6:.0f} MB of vectors")
    # As docs/elmo.md states it: a window's vectors, three times those of the longest line,
    # and what words and graphs take.
    bound = TOKEN_BYTES * (8 * 1024 + 3 * 10_000) + 150_000_000
    assert grown < bound < TOKEN_BYTES * sum(lengths)
    with h5py.File(output) as file:
        assert file["1000"].shape == (3, 10_000, 512)
        assert len(file) == 2002
