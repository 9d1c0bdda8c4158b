"""Plays a guide: its blocks are read from the page, and run in order in one shell."""

import html
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

FENCE = re.compile(r"^```(.*)\n((?:.*\n)*?)^```$", re.MULTILINE)
END = "the block has ended:"


@dataclass
class Block:
    """A fenced block: what stands behind the fence, and its text."""

    kind: str
    text: str
    done: bool = False


@dataclass
class Step:
    """A section of the guide."""

    heading: str
    blocks: list[Block] = field(default_factory=list)


def read_guide(path: Path) -> list[Step]:
    """The guide's sections with their blocks; the first is what stands before any heading."""
    steps = [Step("")]
    at = 0
    text = path.read_text(encoding="utf-8")
    for fence in FENCE.finditer(text):
        steps += [Step(heading) for heading in headings(text[at : fence.start()])]
        steps[-1].blocks.append(Block(fence[1].strip(), fence[2]))
        at = fence.end()
    return steps + [Step(heading) for heading in headings(text[at:])]


def headings(text: str) -> list[str]:
    return [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]


class Player:
    """One shell from the first block to the last, as in a terminal that stays open.

    Args:
        place: The folder in which the reader of the guide begins.
        environment: The shell's variables.
    """

    def __init__(self, place: Path, environment: dict[str, str]) -> None:
        self.place = place
        self.environment = environment
        self.scripts = place / ".blocks"
        self.scripts.mkdir()
        self.count = 0
        self.log = ""
        self.shell = subprocess.Popen(
            ["bash", "--noprofile", "--norc"],
            cwd=place,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def play(self, step: Step) -> str:
        """Run the blocks of a section; gives what they printed."""
        printed = ""
        for block in step.blocks:
            kind, _, name = block.kind.partition(" ")
            if kind == "bash":
                printed += self.run(block.text)
            elif kind == "diff":
                self.edit(name, block.text)
            elif kind == "text":
                self.expect(block.text, self.shown_in(name) if name else printed)
            else:
                raise AssertionError(f"a block of a kind that cannot be played: {block.kind!r}")
            block.done = True
        return printed

    def run(self, text: str) -> str:
        """Run the lines of a block; the first that fails ends the guide."""
        self.count += 1
        script = self.scripts / f"{self.count}.sh"
        script.write_text(text, encoding="utf-8")
        assert self.shell.stdin is not None and self.shell.stdout is not None
        self.shell.stdin.write(f"set -e; source '{script}' < /dev/null; echo '{END}' \"$PWD\"\n")
        self.shell.stdin.flush()
        printed = ""
        for line in self.shell.stdout:
            if line.startswith(END):
                self.place = Path(line.removeprefix(END).strip())
                self.log += "".join(f"$ {words}" for words in text.splitlines(True)) + printed
                return printed
            printed += line
        raise AssertionError(f"the guide's block failed:\n{text}\n{printed}")

    def edit(self, name: str, text: str) -> None:
        """Make an edit that is written with ``-`` and ``+``."""
        lines = text.splitlines(True)
        assert {line[0] for line in lines} <= {"-", "+", " "}, text
        old = "".join(line[1:] for line in lines if line[0] != "+")
        new = "".join(line[1:] for line in lines if line[0] != "-")
        path = self.place / name
        before = path.read_text(encoding="utf-8")
        assert before.count(old) == 1, f"{name} has not once:\n{old}"
        path.write_text(before.replace(old, new), encoding="utf-8")

    def shown_in(self, name: str) -> str:
        """The text of a page that the guide tells to look at."""
        return html.unescape((self.place / name).read_text(encoding="utf-8"))

    def expect(self, text: str, printed: str) -> None:
        """That each line of what the guide shows was printed."""
        for line in text.splitlines():
            assert line in printed, f"not printed: {line!r}\n{printed[-3000:]}"

    def close(self) -> None:
        assert self.shell.stdin is not None
        self.shell.stdin.close()
        self.shell.wait(timeout=20)


def reader_environment(home: Path, programs: Path) -> dict[str, str]:
    """The variables of a reader whose home folder is empty, and whose GitHub is a folder.

    Args:
        home: An empty folder.
        programs: Where stand-ins for ``make`` and ``jupyter lab`` are written: the first
            only makes what the guide activates, the second only notes what it opened.
    """
    own = Path(sys.executable).parent
    path = f"{programs}{os.pathsep}{own}{os.pathsep}{os.environ['PATH']}"
    stand_ins = {
        "make": f"mkdir -p .venv/bin && echo 'export PATH=\"{path}\"' > .venv/bin/activate\n",
        "jupyter": (
            f'[ "$1" = lab ] || exec "{own}/jupyter" "$@"\n'
            '[ -z "$2" ] || [ -f "$2" ] || exit 1\n'
            f'echo "$PWD" "$2" >> "{home}/opened"\n'
        ),
    }
    programs.mkdir()
    for name, text in stand_ins.items():
        (programs / name).write_text(f"#!/bin/sh\n{text}", encoding="utf-8")
        (programs / name).chmod(0o755)
    github = home / "github"
    (home / ".gitconfig").write_text(
        f'[url "file://{github}/"]\n\tinsteadOf = https://github.com/YOU/\n'
        "[user]\n\tname = A Reader\n\temail = reader@example.org\n",
        encoding="utf-8",
    )
    caches = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return {
        **os.environ,
        "HOME": str(home),
        "XDG_CACHE_HOME": caches,  # matplotlib's list of fonts is not made anew
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "JUPYTER_CONFIG_DIR": str(home / "jupyter"),
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
    }
