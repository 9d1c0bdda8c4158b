"""``rnnkit elmo``: the vectors of a text, written to a file."""

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rnnkit.cli.numbers import positive
from rnnkit.errors import KitError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

    from rnnkit.elmo import BiLM, EmbeddedFile, FileProgress

__all__ = ["add_arguments", "run"]

BATCH_TOKENS = 1024
LINES_APART = 30  # seconds between two plain lines


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    parser.add_argument(
        "input",
        metavar="INPUT",
        type=Path,
        help="a text in UTF-8: one sentence a line, white space between words",
    )
    parser.add_argument(
        "output",
        metavar="OUTPUT.hdf5",
        type=Path,
        help='the file to write: data set "0" for the first line, and so on',
    )
    parser.add_argument(
        "--options",
        "--options-file",
        metavar="FILE",
        type=Path,
        help="the model's sizes: options.json (without it: the small model of rnnkit)",
    )
    parser.add_argument(
        "--weights",
        "--weight-file",
        metavar="FILE",
        type=Path,
        help="the model's weights: weights.hdf5",
    )
    _add_layers(parser)
    parser.add_argument(
        "--batch-tokens",
        type=positive,
        metavar="N",
        default=BATCH_TOKENS,
        help="how many words are read at once, which bounds the memory (default: %(default)s)",
    )
    parser.add_argument(
        "--restart",
        action="store_true",
        help="begin anew: throw away an unfinished output, replace a whole one",
    )
    parser.add_argument("--quiet", action="store_true", help="print errors only")


def _add_layers(parser: argparse.ArgumentParser) -> None:
    group = parser.add_mutually_exclusive_group()
    for layers, text in (
        ("all", "all layers, one above the other (the default)"),
        ("average", "the mean of all layers"),
        ("top", "the last layer alone"),
    ):
        group.add_argument(
            f"--{layers}",
            dest="layers",
            action="store_const",
            const=layers,
            default="all",
            help=text,
        )


def run(args: argparse.Namespace) -> int:
    """Write the vectors; exit status 0 when the output is whole."""
    _check_files(args)
    # Imported here: TensorFlow takes seconds to load, and --help must not wait.
    from rnnkit.elmo import embed_file

    bilm = _model(args)
    display = _Display(args.quiet)
    try:
        with display:
            made = embed_file(
                bilm,
                args.input,
                args.output,
                args.layers,
                args.batch_tokens,
                args.restart,
                display.say,
                display.show,
            )
    except KeyboardInterrupt:
        display.say("What is done is kept: the same command goes on.")
        raise
    display.say(_summary(made, display.seconds))
    return 0


def _check_files(args: argparse.Namespace) -> None:
    """Find a wrong name before TensorFlow is loaded."""
    if (args.options is None) != (args.weights is None):
        missing = "--weights" if args.weights is None else "--options"
        raise KitError("--options FILE and --weights FILE together", f"no {missing}", "add it")
    for option, path in (
        ("INPUT", args.input),
        ("--options", args.options),
        ("--weights", args.weights),
    ):
        if path is not None and not path.is_file():
            found = f"a folder: {path}" if path.is_dir() else f"no such file: {path}"
            raise KitError(f"{option} to name a file", found, "correct the name")


def _model(args: argparse.Namespace) -> "BiLM":
    """The model that the options name, or the one that rnnkit ships."""
    import rnnkit.elmo

    if args.options is not None:
        try:
            return rnnkit.elmo.load_bilm(args.options, args.weights)
        except ValueError as error:
            raise KitError(
                "options and weights of one biLM in the published format",
                str(error),
                "name the options.json and the weights.hdf5 that belong together",
            ) from error
    return rnnkit.elmo.load_pretrained()


def _summary(made: "EmbeddedFile", seconds: float) -> str:
    return f"Wrote {made.path}: {made.lines:,} lines, {made.tokens:,} words ({_in_words(seconds)})."


class _Display:
    """Shows how far the work is: live on a terminal, now and then a line elsewhere.

    Args:
        quiet: Show nothing.
        console: Where to write; standard output by default.
    """

    def __init__(self, quiet: bool, console: "Console | None" = None) -> None:
        from rich.console import Console

        self._quiet = quiet
        self._console = console or Console(soft_wrap=True)
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._first: FileProgress | None = None
        self._began = self._last_line = time.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds since the first call of `show`."""
        return time.monotonic() - self._began

    def __enter__(self) -> "_Display":
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def say(self, text: str) -> None:
        """Print a line."""
        from rich.markup import escape

        if not self._quiet:
            self._console.print(escape(text), highlight=False, soft_wrap=True)

    def show(self, now: "FileProgress") -> None:
        """Show how far the work is."""
        if self._quiet:
            return
        if self._first is None:
            self._first = now
            self._began = self._last_line = time.monotonic()
            if self._console.is_terminal:
                self._start_bar(now)
            return
        line = progress_line(now, now.tokens - self._first.tokens, self.seconds)
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=now.tokens, description=line)
        elif time.monotonic() - self._last_line >= LINES_APART:
            self._last_line = time.monotonic()
            self.say(line)

    def _start_bar(self, now: "FileProgress") -> None:
        from rich.progress import BarColumn, Progress, TextColumn

        columns = BarColumn(), TextColumn("{task.description}")
        self._bar = Progress(*columns, console=self._console, transient=True)
        line = f"{now.lines:,} of {now.all_lines:,} lines"
        self._task = self._bar.add_task(line, total=now.all_tokens, completed=now.tokens)
        self._bar.start()


def progress_line(now: "FileProgress", tokens: int, seconds: float) -> str:
    """How far the work is, how fast it goes and how long it takes yet.

    Args:
        now: How far it is.
        tokens: The words of these seconds.
        seconds: How long it has taken so far.
    """
    speed = tokens / max(seconds, 1e-6)
    left = (now.all_tokens - now.tokens) / speed if speed else 0.0
    return (
        f"{now.lines:,} of {now.all_lines:,} lines, {speed:,.0f} words a second, "
        f"{_in_words(left)} left"
    )


def _in_words(seconds: float) -> str:
    """A time as people say it.

    Example:

    >>> _in_words(1.2), _in_words(200), _in_words(10_000)
    ('1 second', '3 minutes', '2.8 hours')
    """
    if seconds >= 5400:
        return f"{seconds / 3600:.1f} hours"
    number, unit = (round(seconds), "second") if seconds < 100 else (round(seconds / 60), "minute")
    return f"{number} {unit}" + ("" if number == 1 else "s")
