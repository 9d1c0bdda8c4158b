"""What a cell of a student defines and uses, told from its text alone.

A student's cell may be broken or hostile, so nothing here raises, and nothing
but the parser sees the text. `rnnkit.course.slices` asks more of our own cells.
"""

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

__all__ = ["defined_names", "parses", "used_names"]

FILE_NAME = "<submission>"
LONGEST_SOURCE = 100_000  # characters; a longer cell is not parsed
_MAGIC = re.compile(r"^(\s*)(?:(\w+\s*=\s*)[%!]|[%!]).*$")
_CELL_MAGIC = re.compile(r"^%%(?:time|timeit|capture)\b.*\n?")
_DEFINITION = re.compile(
    r"^(?:(?:async\s+)?def|class)\s+(\w+)"
    r"|^type\s+(\w+)\s*(?:\[.*\])?\s*="  # Python before 3.12 cannot read it
    r"|^(\w+)\s*(?::[^=]*)?=(?!=)",
    re.M,
)
_OWN_SCOPE = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
_NAMED = (
    ast.FunctionDef
    | ast.AsyncFunctionDef
    | ast.ClassDef
    | ast.ExceptHandler
    | ast.MatchAs
    | ast.MatchStar
)

warnings.filterwarnings("ignore", module=re.escape(FILE_NAME))


def _plain(source: str) -> str:
    """The source without IPython's own lines."""
    source = _CELL_MAGIC.sub("", source.lstrip("\n"), count=1)
    return "\n".join(_MAGIC.sub(_as_python, line) for line in source.split("\n"))


def _as_python(magic: re.Match[str]) -> str:
    """A line of IPython's as one that sets the same name, if it sets one."""
    return magic[1] + (f"{magic[2]}None" if magic[2] else "pass")


def _tree(source: str) -> ast.Module | None:
    if len(source) > LONGEST_SOURCE:
        return None
    try:
        return ast.parse(_plain(source), FILE_NAME)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def parses(source: str) -> bool:
    """Whether a cell is whole Python (or IPython) code.

    Example:

    >>> parses("def f(x):\\n    return x"), parses("    return x")
    (True, False)
    """
    return _tree(source) is not None


def defined_names(source: str) -> frozenset[str]:
    """The names of the notebook that a cell defines.

    Those too that a function declares `global` and sets, and those after `except … as`,
    though Python takes them away again.

    Example:

    >>> sorted(defined_names("import a.b as c\\nfor i in x:\\n    y, z = i\\ndef f(): pass"))
    ['c', 'f', 'i', 'y', 'z']
    >>> sorted(defined_names("def broken(:\\n    pass"))
    ['broken']
    """
    tree = _tree(source)
    if tree is None:
        return frozenset("".join(found) for found in _DEFINITION.findall(source))
    top = _scope(tree.body)
    names, waiting = set(top.bound), list(top.inner)
    while waiting:
        scope = _scope(waiting.pop())
        names |= scope.bound & scope.declared
        waiting += scope.inner
    return frozenset(names)


@dataclass
class _Scope:
    """What stands in the text of a cell, a function or a class, but not inside of others.

    Args:
        bound: The names that it sets.
        declared: Those that it declares `global`.
        inner: The texts of the functions and classes in it.
    """

    bound: set[str] = field(default_factory=set)
    declared: set[str] = field(default_factory=set)
    inner: list[Sequence[ast.AST]] = field(default_factory=list)


def _scope(text: Sequence[ast.AST]) -> _Scope:
    scope = _Scope()
    waiting = list(text)
    while waiting:  # and no recursion: a text may be nested as deep as the parser allows
        node = waiting.pop()
        scope.bound |= _bound_by(node)
        without = ""
        if isinstance(node, ast.Global):
            scope.declared |= set(node.names)
        elif isinstance(node, _OWN_SCOPE):
            without = "body"
            scope.inner.append(node.body if isinstance(node.body, list) else [node.body])
        elif isinstance(node, ast.comprehension) or _is_bare_annotation(node):
            without = "target"
        waiting.extend(_children(node, without))
    return scope


def _is_bare_annotation(node: ast.AST) -> bool:
    """Whether a statement gives a name a type, and no value."""
    return isinstance(node, ast.AnnAssign) and node.value is None


def _bound_by(node: ast.AST) -> set[str]:
    """The names that one node sets, without those that it is made of."""
    name: str | None = None
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(each.asname or each.name).split(".")[0] for each in node.names} - {"*"}
    if isinstance(node, ast.Name):
        name = node.id if isinstance(node.ctx, ast.Store) else None
    elif isinstance(node, _NAMED):
        name = node.name
    elif isinstance(node, ast.MatchMapping):
        name = node.rest
    return {name} if name else set()


def _children(node: ast.AST, without: str) -> Iterator[ast.AST]:
    """The nodes that a node is made of, without those of one of its fields."""
    for name, value in ast.iter_fields(node):
        if name != without:
            parts = value if isinstance(value, list) else [value]
            yield from (part for part in parts if isinstance(part, ast.AST))


def used_names(source: str) -> frozenset[str]:
    """The names that a cell looks up anywhere, its own local ones too.

    Example:

    >>> sorted(used_names("y = f(x)"))
    ['f', 'x']
    """
    tree = _tree(source)
    if tree is None:
        return frozenset()
    return frozenset(
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    )
