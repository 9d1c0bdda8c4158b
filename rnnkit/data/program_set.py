"""Program text from Python's own standard library, with what is known of each character."""

import ast
import bisect
import functools
import io
import sysconfig
import tokenize
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rnnkit.data.download import DataError
from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import check_split

# Modules that each Python from 3.11 on has, all under Python's own licence.
MODULES = {
    "train": (
        *("argparse.py", "ast.py", "calendar.py", "cmd.py", "configparser.py", "copy.py"),
        *("csv.py", "difflib.py", "fnmatch.py", "fractions.py", "getopt.py", "glob.py"),
        *("gzip.py", "heapq.py", "json/decoder.py", "json/encoder.py", "json/scanner.py"),
        *("pprint.py", "queue.py", "random.py", "sched.py", "shlex.py"),
        *("shutil.py", "statistics.py", "string.py", "tempfile.py", "zipfile.py"),
    ),
    "valid": ("textwrap.py", "bisect.py", "html/parser.py"),
    "test": ("json/__init__.py", "json/tool.py", "pickle.py"),
}


class ProgramText(NamedTuple):
    """A text, and arrays with one value for each of its characters.

    Args:
        text: The modules, one after the other.
        inside_quotes: bool ``(characters,)``: in a string, with its quotation
            marks; docstrings are strings too.
        line_position: int32 ``(characters,)``: how many characters stand
            before this one in its line.
        inside_condition: bool ``(characters,)``: in what stands between ``if``
            (or ``elif``) and its colon.
        inside_if: bool ``(characters,)``: in what an ``if`` or ``elif`` lets
            run, without what stands after its ``else``.
        depth: int32 ``(characters,)``: how many blocks the line stands in. Lines
            without code are as deep as the line before.
        modules: The names of the modules: "json/decoder.py".
    """

    text: str
    inside_quotes: np.ndarray
    line_position: np.ndarray
    inside_condition: np.ndarray
    inside_if: np.ndarray
    depth: np.ndarray
    modules: tuple[str, ...]

    @property
    def properties(self) -> dict[str, np.ndarray]:
        """The arrays by name, for a search of cells that follow one of them."""
        return {
            "inside quotes": self.inside_quotes,
            "position in line": self.line_position,
            "inside a condition": self.inside_condition,
            "inside an if": self.inside_if,
            "depth of indentation": self.depth,
        }


@register(
    DataInfo(
        name="program_text",
        kind="generated",
        description="modules of Python's standard library, with properties of each character",
        size="about 0.9 MB, 33 modules",
        licence="PSF-2.0",
        source="the Python that runs this",
    )
)
def program_text(split: str = "train", longest: int | None = None) -> ProgramText:
    """Take program text from Python's standard library.

    A language model of characters must keep whether a quotation mark is open,
    how far a line has come, and how deep it is in ``if`` statements, if it is
    to close them. The properties, found by Python's own tokenizer and parser,
    say where a cell should be on. Taught in unit 03, section s11.

    A few characters outside ASCII are replaced by "?". Another version of
    Python has a slightly different text.

    Args:
        split: "train", "valid" or "test". They share no module.
        longest: Take only as many characters from the beginning; all by
            default.

    Returns:
        The text and its properties.

    Raises:
        ValueError: ``split`` is none of the three, or ``longest`` is negative.
        DataError: This Python has its library without the source.

    Example:

    >>> from rnnkit.data import program_text
    >>> data = program_text("test")
    >>> place = data.text.index("'utf-8'")
    >>> data.inside_quotes[place - 1 : place + 8].tolist()
    [False, True, True, True, True, True, True, True, False]
    """
    check_split(split)
    if longest is not None and longest < 0:
        raise ValueError(f"longest must be 0 or more, or None. Received: {longest!r}")
    whole = _whole_text(split)
    return ProgramText(
        whole.text[:longest],
        whole.inside_quotes[:longest],
        whole.line_position[:longest],
        whole.inside_condition[:longest],
        whole.inside_if[:longest],
        whole.depth[:longest],
        whole.modules,
    )


@functools.cache
def _whole_text(split: str) -> ProgramText:
    folder = Path(sysconfig.get_path("stdlib"))
    names = tuple(name for name in MODULES[split] if (folder / name).is_file())
    if not names:
        raise DataError(
            "Python's standard library as text, for the data set program_text",
            f"no source such as {MODULES[split][0]} in {folder}",
            "use a Python that was installed with its source, or the set text_to_text",
        )
    parts = [describe(_in_ascii((folder / name).read_text(encoding="utf-8"))) for name in names]
    whole = ProgramText(
        text="".join(part.text for part in parts),
        inside_quotes=np.concatenate([part.inside_quotes for part in parts]),
        line_position=np.concatenate([part.line_position for part in parts]),
        inside_condition=np.concatenate([part.inside_condition for part in parts]),
        inside_if=np.concatenate([part.inside_if for part in parts]),
        depth=np.concatenate([part.depth for part in parts]),
        modules=names,
    )
    for values in whole.properties.values():
        values.setflags(write=False)  # they are kept for the next call
    return whole


def _in_ascii(text: str) -> str:
    return text.encode("ascii", errors="replace").decode("ascii")


def describe(source: str) -> ProgramText:
    """Find the properties of each character of a Python program.

    Args:
        source: The program, with lines that end in "\\n".

    Returns:
        The same text and its properties, without modules.

    Raises:
        ValueError: It has other ends of lines.
        SyntaxError: It is no Python program.

    Example:

    >>> from rnnkit.data.program_set import describe
    >>> described = describe("if a:\\n    b = ''\\n")
    >>> described.inside_condition.nonzero()[0].tolist()  # " a"
    [2, 3]
    >>> described.depth.tolist() == [0] * 6 + [1] * 11
    True
    """
    if "\r" in source:
        raise ValueError("source must have lines that end in '\\n'. Received: lines with '\\r'")
    places = _Places(source)
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    colons = [places.of(*each.start) for each in tokens if each.string == ":"]
    size = len(source)
    inside_quotes = np.zeros(size, dtype=bool)
    inside_condition = np.zeros(size, dtype=bool)
    inside_if = np.zeros(size, dtype=bool)

    for first, last in _strings(tokens, places):
        inside_quotes[first:last] = True
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.If):
            keyword, colon, end = _parts_of_if(node, source, colons, places)
            inside_condition[keyword:colon] = True
            inside_if[colon + 1 : end] = True
    positions = [position for line in places.lines for position in range(len(line))]
    return ProgramText(
        source,
        inside_quotes,
        np.array(positions, dtype="int32"),
        inside_condition,
        inside_if,
        _depths(tokens, places),
        modules=(),
    )


class _Places:
    """Where lines begin in a text; lines are counted from 1, as Python does."""

    def __init__(self, source: str) -> None:
        self.lines = list(io.StringIO(source))
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line))

    def of(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column

    def of_byte(self, line: int, column: int) -> int:
        """The place of a column that is counted in bytes, as ast does."""
        before = self.lines[line - 1].encode()[:column]
        return self.of(line, len(before.decode()))

    def end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.of_byte(node.end_lineno, node.end_col_offset)


def _strings(tokens: list[tokenize.TokenInfo], places: _Places) -> list[tuple[int, int]]:
    """Where each string begins and ends, with its quotation marks but not its prefix."""
    # Since Python 3.12 an f-string is several tokens; before, there are no such names.
    fstring_start = getattr(tokenize, "FSTRING_START", None)
    fstring_end = getattr(tokenize, "FSTRING_END", None)
    found: list[tuple[int, int]] = []
    begun: list[int] = []
    for token in tokens:
        if token.type in (tokenize.STRING, fstring_start):
            prefix = len(token.string) - len(token.string.lstrip("rRbBuUfF"))
            begun.append(places.of(*token.start) + prefix)
        if token.type in (tokenize.STRING, fstring_end):
            found.append((begun.pop(), places.of(*token.end)))
    return found


def _parts_of_if(
    node: ast.If, source: str, colons: list[int], places: _Places
) -> tuple[int, int, int]:
    """Where the keyword ends, where the colon stands, where the body ends."""
    start = places.of_byte(node.lineno, node.col_offset)
    keyword = start + len("elif" if source.startswith("elif", start) else "if")
    # Behind the condition come at most brackets, comments and blanks before the colon.
    colon = colons[bisect.bisect_left(colons, places.end(node.test))]
    return keyword, colon, places.end(node.body[-1])


def _depths(tokens: list[tokenize.TokenInfo], places: _Places) -> np.ndarray:
    no_code = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER)
    of_line = np.full(len(places.lines), -1)
    depth = 0
    for token in tokens:
        if token.type == tokenize.INDENT:
            depth += 1
        elif token.type == tokenize.DEDENT:
            depth -= 1
        elif token.type not in no_code:
            of_line[token.start[0] - 1 : token.end[0]] = depth
    for line in range(len(of_line)):  # what holds no code is as deep as the line before
        if of_line[line] < 0:
            of_line[line] = of_line[line - 1] if line else 0
    return np.repeat(of_line, [len(line) for line in places.lines]).astype("int32")
