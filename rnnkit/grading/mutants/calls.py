"""What tests call the reference's functions with, and more inputs like these."""

import ast
import functools
import inspect
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from rnnkit.grading.mutants.values import copied, drawn_anew, has_numbers, has_values

__all__ = ["Call", "Recorder", "reseeded"]

# Keywords of checks that say how large an input is.
SIZES = frozenset(
    (
        *("batch", "time", "source", "target", "units", "features", "query_units", "key_units"),
        *("size", "layers", "count", "stories", "cells", "steps"),
    )
)
ROUND = 1000  # what is added to a test's seeds for each new round


@dataclass(frozen=True)
class Call:
    """What a function is called with.

    Args:
        args: The arguments by place.
        settings: The arguments by name.
    """

    args: tuple[Any, ...]
    settings: dict[str, Any]

    def copied(self) -> "Call":
        """A copy, so that a function which changes its inputs changes nothing here."""
        return Call(copied(self.args), copied(self.settings))

    @property
    def can_be_drawn(self) -> bool:
        """Whether it holds a floating-point number, or a whole number by itself."""
        return has_numbers(self.args) or has_numbers(self.settings)

    def drawn_anew(self, generator: np.random.Generator) -> "Call":
        """The same with other floating-point numbers; a size or a limit may be one more or less."""
        args = tuple(_moved(each, generator) for each in drawn_anew(self.args, generator))
        return Call(args, drawn_anew(self.settings, generator))


def _moved(value: Any, generator: np.random.Generator) -> Any:
    """A whole number, or its neighbour; anything else as it is."""
    if type(value) is int and value > 0:
        return max(1, value + int(generator.integers(-1, 2)))
    return value


@dataclass
class Recorder:
    """Keeps a sample of the calls of functions, each call with the same chance.

    Args:
        most: The most calls that are kept of each function in a round.
        on: Whether calls are kept now.
    """

    most: int = 24
    on: bool = True
    kept: dict[str, list[Call]] = field(default_factory=dict)
    _counts: dict[str, int] = field(default_factory=dict)
    _generator: random.Random = field(default_factory=lambda: random.Random(0))

    def wrapped(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, whose calls are kept.

        Args:
            name: Its name.
            function: The function.
        """

        @functools.wraps(function)
        def call(*args: Any, **settings: Any) -> Any:
            if self.on:
                self._keep(name, Call(args, settings))
            return function(*args, **settings)

        return call

    def take(self) -> dict[str, list[Call]]:
        """The calls since the last time, by the name of the function."""
        taken, self.kept, self._counts = self.kept, {}, {}
        return taken

    def _keep(self, name: str, call: Call) -> None:
        if not (has_values(call.args) and has_values(call.settings)):
            return
        seen = self._counts[name] = self._counts.get(name, 0) + 1
        kept = self.kept.setdefault(name, [])
        if len(kept) < self.most:
            kept.append(call.copied())
        elif (place := self._generator.randrange(seen)) < self.most:
            kept[place] = call.copied()


def reseeded(source: str, checks: ModuleType, number: int, generator: random.Random) -> str:
    """A test cell whose checks draw other inputs, some of them larger.

    Args:
        source: The cell.
        checks: The module that the cell calls `checks`.
        number: The round, from 1: another number gives other seeds.
        generator: Draws the sizes.

    Returns:
        The cell's source; the same where no check has a seed.
    """
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner, name = node.func.value, node.func.attr
            if isinstance(owner, ast.Name) and owner.id == "checks":
                _reseed(node, getattr(checks, name), number * ROUND, generator)
    return ast.unparse(ast.fix_missing_locations(tree))


def _reseed(node: ast.Call, check: Any, more: int, generator: random.Random) -> None:
    parameters = inspect.signature(check).parameters
    if "seed" not in parameters:
        return
    present = {each.arg: each for each in node.keywords}
    seed = present["seed"].value if "seed" in present else None
    default = parameters["seed"].default
    base = seed or ast.Constant(default if isinstance(default, int) else 0)
    kept = [each for each in node.keywords if each.arg != "seed"]
    for each in kept:
        value = each.value
        if each.arg in SIZES and isinstance(value, ast.Constant) and type(value.value) is int:
            each.value = ast.Constant(value.value + generator.randrange(3))
    added = ast.keyword("seed", ast.BinOp(base, ast.Add(), ast.Constant(more)))
    node.keywords = [*kept, added]
