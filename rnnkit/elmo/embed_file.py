"""The vectors of a whole text, from file to file, in bounded memory."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from keras import ops

from rnnkit.elmo.bilm import BiLM
from rnnkit.elmo.extraction import BATCH_TOKENS
from rnnkit.elmo.text_lines import Contents, Line, TextLines, read_contents
from rnnkit.elmo.unfinished import Unfinished
from rnnkit.elmo.vector_file import VectorFile, lay_out
from rnnkit.errors import KitError

Layers = Literal["all", "average", "top"]
# Sentences of like length are looked for among so many tokens, in batches. More would save
# padding, but the vectors of all of them are in memory at once.
WINDOW_BATCHES = 8


@dataclass(frozen=True)
class FileProgress:
    """How far `embed_file` is.

    Args:
        lines: Lines whose vectors are in the file.
        all_lines: Lines of the text.
        tokens: Words whose vectors are in the file.
        all_tokens: Words of the text.
    """

    lines: int
    all_lines: int
    tokens: int
    all_tokens: int


@dataclass(frozen=True)
class EmbeddedFile:
    """What `embed_file` did.

    Args:
        path: The file with the vectors.
        lines: Its data sets of vectors, one for each line.
        tokens: The words of the text.
        begun_at: The number of lines that an earlier, unfinished call had done.
        invalid: Lines that are no UTF-8.
        repeated: Lines with a sentence that comes again further down.
    """

    path: Path
    lines: int
    tokens: int
    begun_at: int
    invalid: int
    repeated: int


def embed_file(
    bilm: BiLM,
    input_file: str | Path,
    output_file: str | Path,
    layers: Layers = "all",
    batch_tokens: int = BATCH_TOKENS,
    restart: bool = False,
    say: Callable[[str], object] = print,
    progress: Callable[[FileProgress], object] | None = None,
) -> EmbeddedFile:
    """Write the vectors of each line of a text to an HDF5 file.

    The file is as that of the published program: a data set for each line, named
    by its number from "0" on, and `sentence_to_index`, JSON that gives the
    number of a sentence.

    The output is made in a folder beside it. A call that was killed, at
    whatever moment, goes on there when it is called again, and what comes out is
    the same. The memory depends on `batch_tokens` and on the longest line, not
    on the number of lines: see docs/elmo.md.

    Taught in unit 07, section s34.

    Args:
        bilm: The model.
        input_file: A text file in UTF-8: one sentence a line, white space
            between words. A line without words gives a data set without words.
        output_file: The HDF5 file to write.
        layers: "all": `(layers + 1, words, 2 * projection)` for each line;
            "average": the mean of the layers, `(words, 2 * projection)`; "top":
            the last layer alone.
        batch_tokens: See `BiLM.embed`.
        restart: Throw away an unfinished output, and replace a whole one.
        say: Is called with each message.
        progress: Is called with each `FileProgress`.

    Returns:
        What was done.

    Raises:
        KitError: The input cannot be read; the output is there already, or was
            begun with something else; the disk is full.
        ValueError: `layers` or `batch_tokens` is not as above.

    Example:

    >>> import h5py, tempfile
    >>> from rnnkit.elmo import BiLMOptions
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "text").write_text("the bank\\n\\nno\\n")
    >>> bilm = BiLM(BiLMOptions(memory=16, projection=4, filters=((1, 4), (2, 8))))
    >>> embed_file(bilm, folder / "text", folder / "vectors.hdf5").tokens
    3
    >>> with h5py.File(folder / "vectors.hdf5") as file:
    ...     file["0"].shape, file["1"].shape, json.loads(file["sentence_to_index"][0])["no"]
    ((3, 2, 8), (3, 0, 8), '2')
    """
    _check(layers, batch_tokens)
    source, unfinished = Path(input_file), Unfinished(Path(output_file))
    unfinished.check(source, restart)
    contents = read_contents(source)
    settings = {"input": contents.sha256, "model": _sha256_of(bilm), "layers": layers}
    with unfinished.held():
        if not restart and unfinished.is_whole(settings):
            say(f"{unfinished.output} is whole: an earlier call was ended after its last line.")
            return _result(unfinished.output, contents, len(contents.lengths))
        done = None if restart else unfinished.lines_done(settings)
        if done is None:
            _begin(unfinished, settings, contents, _shape_of(bilm, layers))
        contents.last_lines.clear()  # as large as the text, and needed no more
        unfinished.check_room()
        for note in _notes(contents) if done is None else [_note_of_going_on(done, contents)]:
            say(note)
        with unfinished.vectors() as file:
            work = _Work(bilm, file, unfinished, settings, layers, batch_tokens, progress)
            work.run(TextLines(source), contents, done or 0)
        with unfinished.disk_errors():
            unfinished.finish()
    return _result(unfinished.output, contents, done or 0)


def _check(layers: str, batch_tokens: int) -> None:
    if layers not in ("all", "average", "top") or batch_tokens < 1:
        raise ValueError(
            "embed_file expects layers 'all', 'average' or 'top', and batch_tokens >= 1. "
            f"Received: layers={layers!r}, batch_tokens={batch_tokens}"
        )


def _sha256_of(bilm: BiLM) -> str:
    """What tells a model from others: its sizes, its weights and how exactly it computes."""
    kind = {**bilm.options.to_dict(), "computes": bilm.compute_dtype}
    digest = hashlib.sha256(json.dumps(kind, sort_keys=True).encode())
    for weight in bilm.weights:
        numbers = np.ascontiguousarray(ops.convert_to_numpy(weight))
        digest.update(numbers.reshape(-1).view("uint8").data)
    return digest.hexdigest()


def _result(output: Path, contents: Contents, begun_at: int) -> EmbeddedFile:
    return EmbeddedFile(
        output,
        len(contents.lengths),
        sum(contents.lengths),
        begun_at,
        contents.invalid,
        contents.repeated,
    )


def _shape_of(bilm: BiLM, layers: Layers) -> Callable[[int], tuple[int, ...]]:
    """The shape of a line's data set, given its number of words."""
    before = (bilm.options.layers + 1,) if layers == "all" else ()
    return lambda words: (*before, words, bilm.options.width)


def _begin(
    unfinished: Unfinished,
    settings: dict[str, str],
    contents: Contents,
    shape_of: Callable[[int], tuple[int, ...]],
) -> None:
    numbers = {sentence: str(number) for sentence, number in contents.last_lines.items()}
    with unfinished.disk_errors():
        lay_out(unfinished.begin(), map(shape_of, contents.lengths), json.dumps(numbers))
        unfinished.laid_out(settings)


def _notes(contents: Contents) -> Iterator[str]:
    if contents.first_invalid is not None:
        count = contents.invalid
        yield (
            f"{count:,} {'line is' if count == 1 else 'lines are'} not valid UTF-8, first line "
            f"{contents.first_invalid + 1:,}: the wrong bytes are read as U+FFFD."
        )
    if contents.repeated:
        yield (
            f"{contents.repeated:,} {'line comes' if contents.repeated == 1 else 'lines come'} "
            "again further down: each line has its own data set, and sentence_to_index names "
            "the last."
        )


def _note_of_going_on(done: int, contents: Contents) -> str:
    return f"Going on after {done:,} of {len(contents.lengths):,} lines."


@dataclass(frozen=True)
class _Work:
    """Fills the file.

    Args:
        bilm: The model.
        file: The file.
        unfinished: Where it lies.
        settings: What it is made from.
        layers: See `embed_file`.
        batch_tokens: See `embed_file`.
        progress: See `embed_file`.
    """

    bilm: BiLM
    file: VectorFile
    unfinished: Unfinished
    settings: dict[str, str]
    layers: Layers
    batch_tokens: int
    progress: Callable[[FileProgress], object] | None

    def run(self, lines: TextLines, contents: Contents, done: int) -> None:
        """Go on after the lines that are done, to the end."""
        all_lines, all_tokens = len(contents.lengths), sum(contents.lengths)
        tokens = sum(contents.lengths[:done])
        self._show(FileProgress(done, all_lines, tokens, all_tokens))
        for window in windows(_words(lines, done), WINDOW_BATCHES * self.batch_tokens):
            self._embed(window, done)
            done += len(window)
            tokens += sum(map(len, window))
            self._show(FileProgress(done, all_lines, tokens, all_tokens))
        if lines.sha256 != contents.sha256:
            raise self._changed()

    def _show(self, reached: FileProgress) -> None:
        if self.progress is not None:
            self.progress(reached)

    def _embed(self, window: list[list[str]], done: int) -> None:
        """Write the vectors of a window; none of them stays in memory."""
        vectors = self.bilm.embed(window, batch_tokens=self.batch_tokens)
        with self.unfinished.disk_errors():
            for number, all_layers in enumerate(vectors, start=done):
                try:
                    self.file.write(number, self._chosen(all_layers))
                except ValueError as error:
                    raise self._changed() from error
            self.file.sync()
            self.unfinished.note(self.settings, done + len(window))

    def _chosen(self, all_layers: np.ndarray) -> np.ndarray:
        if self.layers == "all":
            return all_layers
        return all_layers[-1] if self.layers == "top" else all_layers.mean(axis=0)

    def _changed(self) -> KitError:
        self.unfinished.forget()  # some of its vectors may be of other words
        return KitError(
            "an input that stays as it is",
            "one that was changed while it was read",
            "call the command again when the input is ready: it begins anew",
        )


def _words(lines: Iterable[Line], done: int) -> Iterator[list[str]]:
    for number, line in enumerate(lines):
        if number >= done:
            yield line.text.split()


def windows(sentences: Iterable[list[str]], most: int) -> Iterator[list[list[str]]]:
    """Sentences that follow one another, in groups.

    Args:
        sentences: Lists of words.
        most: The most tokens of a group, two marks for each sentence counted; a
            longer sentence stands alone.

    Example:

    >>> list(windows([["a"], ["b"], ["c"] * 9, []], most=6))
    [[['a'], ['b']], [['c', 'c', 'c', 'c', 'c', 'c', 'c', 'c', 'c']], [[]]]
    """
    window: list[list[str]] = []
    tokens = 0
    for words in sentences:
        size = len(words) + 2
        if window and tokens + size > most:
            yield window
            window, tokens = [], 0
        window.append(words)
        tokens += size
    if window:
        yield window
