"""What a cell of a student defines and uses, told from its text alone.

A student's cell may be broken or hostile, so nothing here raises, and nothing
but the parser sees the text. `rnnkit.grading.slices` asks more of our own cells.
"""

import ast
import re
import warnings

__all__ = ["defined_names", "parses", "used_names"]

FILE_NAME = "<submission>"
LONGEST_SOURCE = 100_000  # characters; a longer cell is not parsed
_MAGIC = re.compile(r"^(\s*)(?:[%!]|\w+\s*=\s*[%!]).*$")
_CELL_MAGIC = re.compile(r"^%%(?:time|timeit|capture)\b.*\n?")
_DEFINITION = re.compile(r"^(?:async\s+def|def|class)\s+(\w+)|^(\w+)\s*(?::[^=]*)?=(?!=)", re.M)

warnings.filterwarnings("ignore", module=re.escape(FILE_NAME))


def _plain(source: str) -> str:
    """The source without IPython's own lines."""
    source = _CELL_MAGIC.sub("", source.lstrip("\n"), count=1)
    return "\n".join(_MAGIC.sub(r"\1pass", line) for line in source.split("\n"))


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
    """The names that a cell defines on its top level.

    Example:

    >>> sorted(defined_names("import a.b as c\\nfor i in x:\\n    y, z = i\\ndef f(): pass"))
    ['c', 'f', 'i', 'y', 'z']
    >>> sorted(defined_names("def broken(:\\n    pass"))
    ['broken']
    """
    tree = _tree(source)
    if tree is None:
        return frozenset(found[0] or found[1] for found in _DEFINITION.findall(source))
    names: set[str] = set()
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names.update((a.asname or a.name).split(".")[0] for a in node.names)
        elif isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                names.add(node.id)
        elif not isinstance(
            node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
        ):
            waiting.extend(ast.iter_child_nodes(node))
    return frozenset(names)


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
