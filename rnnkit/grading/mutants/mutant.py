"""Mutants of the answers in a unit's solution notebook, each with a name that stays."""

import ast
import difflib
import random
from collections.abc import Iterator
from dataclasses import dataclass

from nbformat.notebooknode import NotebookNode

from rnnkit.course.regions import BEGIN_SOLUTION, END_SOLUTION
from rnnkit.grading.mutants.operators import OPERATORS

__all__ = ["Mutant", "all_mutants", "drawn_mutants", "mutable_cells", "trains"]


@dataclass(frozen=True)
class Mutant:
    """A solution cell with one small change.

    Args:
        unit: The unit.
        cell: The ``grade_id`` of the solution cell.
        line: The line of the cell that changed, from 1.
        operator: The kind of change.
        number: The place among the mutants of this line and kind, from 1.
        source: The cell with the change.
    """

    unit: str
    cell: str
    line: int
    operator: str
    number: int
    source: str

    @property
    def name(self) -> str:
        """Unit, cell, line, operator and number."""
        return f"{self.unit}/{self.cell}/{self.line}-{self.operator}-{self.number}"

    def diff(self, reference: str) -> str:
        """The lines that differ from the reference's cell.

        Args:
            reference: The cell as the solution has it.
        """
        lines = difflib.ndiff(reference.splitlines(), self.source.splitlines())
        return "\n".join(line for line in lines if line[:2] in ("- ", "+ "))


def trains(source: str) -> bool:
    """Whether an answer trains a model: it defines no function, or calls a `fit`.

    Args:
        source: The solution cell.

    Example:

    >>> trains("model = make()\\nmodel.fit(x)"), trains("def double(x):\\n    return 2 * x")
    (True, False)
    """
    tree = ast.parse(source)
    functions = any(isinstance(node, ast.FunctionDef) for node in tree.body)
    fits = any(
        isinstance(node, ast.Attribute) and node.attr.startswith("fit") for node in ast.walk(tree)
    )
    return fits or not functions


def mutable_cells(notebook: NotebookNode) -> dict[str, str]:
    """The answers that are code, and that train nothing.

    Args:
        notebook: The solution notebook.

    Returns:
        ``grade_id`` to source.
    """
    found = {}
    for cell in notebook.cells:
        data = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code" and data.get("solution") and not trains(cell.source):
            found[str(data["grade_id"])] = str(cell.source)
    return found


def all_mutants(unit: str, cell: str, source: str) -> Iterator[Mutant]:
    """All mutants of a solution cell that can be told from each other.

    Args:
        unit: The unit.
        cell: The cell's ``grade_id``.
        source: The cell, with the markers of its solution regions.

    Example:

    >>> source = "def f(x):\\n    # BEGIN SOLUTION\\n    return x + 1\\n    # END SOLUTION"
    >>> for mutant in all_mutants("u", "q1", source):
    ...     print(mutant.name, mutant.source.splitlines()[2].strip())
    u/q1/3-arithmetic-1 return x - 1
    u/q1/3-side-1 return x
    u/q1/3-side-2 return 1
    u/q1/3-constant-1 return x + 2
    u/q1/3-constant-2 return x + 0
    """
    tree = ast.parse(source)
    lines = _solution_lines(source)
    seen = {ast.dump(tree)}
    counts: dict[tuple[int, str], int] = {}
    pairs = list(_with_parents(tree))
    for operator in OPERATORS:
        for node, parent in pairs:
            line = getattr(node, "lineno", getattr(parent, "lineno", 0))
            if line not in lines:
                continue
            for other in operator.variants(node, parent):
                changed = _spliced(source, tree, node, other)
                if changed is None or (dump := ast.dump(ast.parse(changed))) in seen:
                    continue
                seen.add(dump)
                key = (line, operator.name)
                counts[key] = counts.get(key, 0) + 1
                yield Mutant(unit, cell, line, operator.name, counts[key], changed)


def drawn_mutants(unit: str, notebook: NotebookNode, most: int, seed: int) -> list[Mutant]:
    """At most so many mutants of each answer, of as many kinds as there are.

    Args:
        unit: The unit.
        notebook: The solution notebook.
        most: The most mutants of one cell.
        seed: Another seed draws others.

    Returns:
        The mutants, cell by cell; the same for the same arguments.
    """
    drawn: list[Mutant] = []
    for cell, source in mutable_cells(notebook).items():
        generator = random.Random(f"{seed}/{unit}/{cell}")
        kinds: dict[str, list[Mutant]] = {}
        for mutant in all_mutants(unit, cell, source):
            kinds.setdefault(mutant.operator, []).append(mutant)
        for mutants in kinds.values():
            generator.shuffle(mutants)
        chosen: list[Mutant] = []
        while len(chosen) < most and any(kinds.values()):
            names = [name for name, left in kinds.items() if left]
            generator.shuffle(names)
            chosen += [kinds[name].pop() for name in names[: most - len(chosen)]]
        drawn += sorted(chosen, key=lambda mutant: (mutant.line, mutant.operator, mutant.number))
    return drawn


def _solution_lines(source: str) -> set[int]:
    """The numbers of the lines between solution markers."""
    inside, found = False, set()
    for number, line in enumerate(source.split("\n"), start=1):
        if BEGIN_SOLUTION in line or END_SOLUTION in line:
            inside = BEGIN_SOLUTION in line
        elif inside:
            found.add(number)
    return found


def _with_parents(tree: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    for parent in ast.walk(tree):
        for node in ast.iter_child_nodes(parent):
            yield node, parent


class _Replace(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self._copied(node)

    def _copied(self, node: ast.AST) -> ast.AST:
        fields = {name: self._of(value) for name, value in ast.iter_fields(node)}
        return type(node)(**fields)

    def _of(self, value: object) -> object:
        if isinstance(value, list):
            return [self._of(each) for each in value]
        return self.visit(value) if isinstance(value, ast.AST) else value


def _spliced(source: str, tree: ast.AST, old: ast.AST, new: ast.AST) -> str | None:
    """The source with one node written anew, all else as it stands; None where it is no Python."""
    try:
        wanted = ast.dump(_Replace(old, new).visit(tree))
        text = ast.unparse(ast.fix_missing_locations(_Replace(None, None).visit(new)))  # type: ignore[arg-type]
        for words in (text, f"({text})"):
            changed = _replaced(source, old, words)
            if _dump(changed) == wanted:
                return changed
    except (SyntaxError, ValueError, TypeError, AttributeError):
        return None
    return None


def _dump(source: str) -> str:
    try:
        return ast.dump(ast.parse(source))
    except SyntaxError:
        return ""


def _replaced(source: str, node: ast.AST, text: str) -> str:
    """The source with other words in a node's place; columns count bytes."""
    lines = [line.encode() for line in source.split("\n")]
    first, last = node.lineno - 1, node.end_lineno - 1  # type: ignore[attr-defined]
    begin = lines[first][: node.col_offset]  # type: ignore[attr-defined]
    end = lines[last][node.end_col_offset :]  # type: ignore[attr-defined]
    lines[first : last + 1] = [begin + text.encode() + end]
    return b"\n".join(lines).decode()
