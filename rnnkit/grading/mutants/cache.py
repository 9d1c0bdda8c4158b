"""What is known of mutants already, in a file for each unit; a killed run goes on from it."""

import ast
import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

__all__ = ["Cache", "Trial", "checks_used", "key_of"]


@dataclass(frozen=True)
class Trial:
    """What is known of a mutant.

    Args:
        changed: Whether it changed behaviour.
        why: How this was seen.
        lost: The test cells that took points from it; None where it was not graded.
    """

    changed: bool
    why: str
    lost: tuple[str, ...] | None = None

    @property
    def survived(self) -> bool:
        """Whether it changed behaviour, was graded, and lost nothing."""
        return self.changed and self.lost == ()


class Cache:
    """Trials by the content that they depend on.

    Args:
        path: The file; its folder is made when something is added.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._trials: dict[str, Trial] = {}
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        for line in lines:
            try:
                found = json.loads(line)
                lost = None if found["lost"] is None else tuple(found["lost"])
                self._trials[found["key"]] = Trial(found["changed"], found["why"], lost)
            except (ValueError, KeyError, TypeError):  # the line at which a run was killed
                continue

    def get(self, key: str) -> Trial | None:
        """The trial under this key, if there was one."""
        return self._trials.get(key)

    def add(self, key: str, name: str, trial: Trial) -> None:
        """Keep a trial; the file has it before this returns."""
        self._trials[key] = trial
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, "name": name, **asdict(trial)}) + "\n")


def key_of(*contents: str | bytes) -> str:
    """A key that differs when any of the contents does.

    Args:
        contents: Texts.
    """
    digest = hashlib.sha256()
    for content in contents:
        data = content.encode() if isinstance(content, str) else content
        digest.update(hashlib.sha256(data).digest())
    return digest.hexdigest()


def checks_used(sources: Iterable[str], folder: Path) -> bytes:
    """The content of the check modules that test cells use, with the modules that these import.

    So a check that is mended makes the mutants anew that it has to do with, and no others.

    Args:
        sources: The cells.
        folder: Where `rnnkit.checks` lies.
    """
    package = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    modules = {
        alias.asname or alias.name: str(node.module).rpartition(".")[2]
        for node in ast.walk(package)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    used = {
        modules[node.attr]
        for source in sources
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute) and node.attr in modules
    }
    found: dict[str, str] = {}
    while used:
        name = used.pop()
        path = folder / f"{name}.py"
        if name not in found and path.is_file():
            found[name] = path.read_text(encoding="utf-8")
            used |= _imported(found[name])
    return json.dumps(found, sort_keys=True).encode()


def _imported(source: str) -> set[str]:
    """The modules of `rnnkit.checks` that one of them imports."""
    return {
        node.module.rpartition(".")[2]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom)
        and node.module
        and node.module.startswith("rnnkit.checks.")
    }
