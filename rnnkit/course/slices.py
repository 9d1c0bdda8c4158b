"""Which cells of a notebook an answer can change, and which must run to see it.

An answer file replaces a few cells of the reference. Only what depends on
these can come out differently, so only that, and what it needs, is run.
"""

import ast
import copy
import symtable
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Any

from nbformat.notebooknode import NotebookNode

__all__ = [
    "CellNames",
    "Slice",
    "bound_names",
    "imported_names",
    "imports_alone",
    "names_of",
    "plain_python",
    "read_first",
    "slice_notebook",
    "star_imports",
    "syntax_error",
]


@dataclass(frozen=True)
class CellNames:
    """What a code cell has to do with names.

    Args:
        sets: Names that it sets, or whose objects it may change.
        uses: Names that it looks up, also inside the functions it defines.
    """

    sets: frozenset[str]
    uses: frozenset[str]


@dataclass(frozen=True)
class Slice:
    """A part of a notebook.

    Args:
        run: The positions of the cells that must run.
        affected: The positions of the cells that the changed ones can reach.
    """

    run: frozenset[int]
    affected: frozenset[int]


def names_of(source: str) -> CellNames | None:
    """The names of a cell; None where it cannot be told (then all depend on it).

    A cell sets what it assigns, defines, imports or deletes on its top level
    or declares `global`. A method called on its own, such as `model.fit(…)`,
    may change the object, so it counts as setting the name.

    Example:

    >>> names = names_of("def double(x):\\n    y = two * x\\n    return y")
    >>> sorted(names.sets), sorted(names.uses)
    (['double'], ['two'])
    >>> sorted(names_of("model.fit(x)").sets)
    ['model']
    """
    try:
        tree = ast.parse(source)
        if _is_unclear(tree):
            return None
        sets, uses = _global_names(_symbols(tree))
    except SyntaxError:  # also IPython's own syntax, such as %matplotlib
        return None
    return CellNames(frozenset(sets | (_changed_in_place(tree) & uses)), frozenset(uses))


def _is_unclear(tree: ast.AST) -> bool:
    """Whether names are set in a way that the source does not show."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
            return True
        if isinstance(node, ast.Name) and node.id in ("exec", "eval", "globals", "setattr"):
            return True
    return False


class _WrapComprehensions(ast.NodeTransformer):
    """Puts each comprehension into a function, whose names are its own."""

    def _wrap(self, node: ast.expr) -> ast.expr:
        self.generic_visit(node)
        nothing = ast.arguments([], [], None, [], [], None, [])
        return ast.Call(ast.Lambda(nothing, node), [], [])

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _wrap


def _symbols(tree: ast.Module) -> symtable.SymbolTable:
    """The names of a cell, scope by scope.

    Python 3.11 gives a comprehension a scope of its own, later versions do
    not; in a function its names are local in all of them.
    """
    wrapped = ast.fix_missing_locations(_WrapComprehensions().visit(copy.deepcopy(tree)))
    return symtable.symtable(ast.unparse(wrapped), "cell", "exec")


def _global_names(table: symtable.SymbolTable) -> tuple[set[str], set[str]]:
    """What a scope and those inside it set and use of the notebook's own names."""
    sets: set[str] = set()
    uses: set[str] = set()
    for symbol in table.get_symbols():
        if table.get_type() == "module" or symbol.is_global():
            if symbol.is_assigned() or symbol.is_imported():
                sets.add(symbol.get_name())
            if symbol.is_referenced():
                uses.add(symbol.get_name())
    for child in table.get_children():
        child_sets, child_uses = _global_names(child)
        sets |= child_sets
        uses |= child_uses
    return sets, uses


def _changed_in_place(tree: ast.AST) -> set[str]:
    """Names whose object a statement may change: `a.b(…)`, `a.b = …`, `a[0] = …`."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            names |= _root(node.value.func)
        elif isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            names |= _root(node)
    return names


def _root(node: ast.AST) -> set[str]:
    """The name that an expression such as `model.layers[0].fit` begins with."""
    if not isinstance(node, ast.Attribute | ast.Subscript):
        return set()
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def bound_names(source: str) -> frozenset[str]:
    """The names that a cell assigns, defines, imports or deletes on its top level.

    Args:
        source: A cell for which `names_of` gives names.

    Example:

    >>> sorted(bound_names("import math\\nx.append(1)\\ny = x"))
    ['math', 'y']
    """
    return frozenset(_global_names(_symbols(ast.parse(source)))[0])


def imported_names(source: str) -> set[str]:
    """The names of modules that a cell imports.

    Args:
        source: A cell for which `names_of` gives names.
    """
    return {
        (alias.asname or alias.name).split(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }


def star_imports(source: str) -> list[str]:
    """The modules from which a cell imports all names there are.

    Args:
        source: The cell's text.

    Example:

    >>> star_imports("from math import *\\nfrom cmath import exp")
    ['math']
    """
    try:
        tree = ast.parse(plain_python(source))
    except SyntaxError:
        return []
    return [
        "." * node.level + (node.module or "")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)
    ]


def plain_python(source: str) -> str:
    """A cell without IPython's own lines, such as ``%matplotlib inline``.

    Args:
        source: The cell's text; given back as it is where nothing is to be left out.

    Example:

    >>> plain_python("%matplotlib inline\\nimport math")
    'import math'
    """
    if names_of(source) is not None:
        return source
    try:
        tree = _without_magics(source)
    except SyntaxError:
        return source
    kept = [each for each in tree.body if "get_ipython()" not in ast.unparse(each)]
    return "\n".join(ast.unparse(each) for each in kept)


def syntax_error(source: str) -> str:
    """Why a cell is no Python, IPython's own lines aside; empty where it is.

    Args:
        source: The cell's text.

    Example:

    >>> syntax_error("%matplotlib inline\\nx = = 1")
    'invalid syntax (line 2)'
    >>> syntax_error("%matplotlib inline\\nx = 1")
    ''
    """
    try:
        compile(_without_magics(source), "cell", "exec")
    except SyntaxError as error:
        return f"{error.msg} (line {error.lineno})"
    except ValueError as error:  # a null character, which no line is told of
        return str(error)
    return ""


def _without_magics(source: str) -> ast.Module:
    """A cell as IPython hands it to Python, which sees a call in the place of a magic.

    Raises:
        SyntaxError: It is no Python even so.
    """
    # Imported where it is needed: few cells need it, and every command would wait for it.
    from IPython.core.inputtransformer2 import TransformerManager

    return ast.parse(TransformerManager().transform_cell(source))


def imports_alone(source: str) -> str:
    """The import statements on the top level of a cell.

    Args:
        source: The cell's text.

    Example:

    >>> imports_alone("import math\\nshow(answer)")
    'import math'
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return ""
    found = [each for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom)]
    plain = [each for each in found if all(alias.name != "*" for alias in each.names)]
    return "\n".join(ast.unparse(each) for each in plain)


def read_first(source: str) -> set[str]:
    """The names that a cell looks up before it sets them itself.

    What a function looks up counts where the function is defined.

    Args:
        source: A cell for which `names_of` gives names.

    Example:

    >>> sorted(read_first("a = b\\nfor i in c:\\n    d = i + e\\nprint(a, d)"))
    ['b', 'c', 'e', 'print']
    """
    found = _Reads()
    for statement in ast.parse(source).body:
        found.visit(statement)
    return found.early


class _Reads(ast.NodeVisitor):
    """Goes through statements in the order in which they run."""

    def __init__(self) -> None:
        self.bound: set[str] = set()
        self.early: set[str] = set()

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.bound.add(node.id)
        elif node.id not in self.bound:
            self.early.add(node.id)

    def visit_Assign(self, node: ast.Assign) -> None:
        for part in (node.value, *node.targets):
            self.visit(part)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name) and node.target.id not in self.bound:
            self.early.add(node.target.id)
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        for part in (node.iter, node.target, *node.body, *node.orelse):
            self.visit(part)

    def _comprehension(self, node: Any) -> None:
        outer = set(self.bound)
        for generator in node.generators:
            for part in (generator.iter, generator.target, *generator.ifs):
                self.visit(part)
        for name in ("key", "value", "elt"):
            if hasattr(node, name):
                self.visit(getattr(node, name))
        self.bound = outer

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        _, uses = _global_names(_symbols(ast.Module([node], [])))
        self.early |= uses - self.bound - {node.name}
        self.bound.add(node.name)

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        self.bound |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}

    visit_ImportFrom = visit_Import


def slice_notebook(notebook: NotebookNode, changed: Set[str], graded: Set[str]) -> Slice:
    """The cells that must run to grade an answer that changes some cells.

    Args:
        notebook: The notebook with the answer in it.
        changed: The grade_ids of the cells that the answer replaces.
        graded: The grade_ids of the auto-graded test cells.

    Returns:
        The cells that the changed ones can reach, and what must run to grade
        those of them that are graded. A test cell changes nothing outside
        itself, by the house's rule, so no cell depends on one.
    """
    sources = [cell.source if cell.cell_type == "code" else "" for cell in notebook.cells]
    ids = [cell.metadata.get("nbgrader", {}).get("grade_id", "") for cell in notebook.cells]
    names = [names_of(source) for source in sources]
    if any(found is None for found in names):
        every = frozenset(range(len(sources)))
        return Slice(every, every)
    # `keras.utils.set_random_seed(1)` changes no module: only the cell that
    # imports a module sets its name.
    modules = set().union(*(imported_names(source) for source in sources))
    known = [
        CellNames(found.sets - (modules - imported_names(source)), found.uses)
        for found, source in zip(names, sources, strict=True)
        if found is not None
    ]
    needs = _needs(known, [name in graded for name in ids])

    affected: set[int] = set()
    for place, name in enumerate(ids):
        if name in changed or needs[place] & affected:
            affected.add(place)
    waiting = [place for place in affected if ids[place] in graded]
    run: set[int] = set()
    while waiting:
        place = waiting.pop()
        if place not in run:
            run.add(place)
            waiting.extend(needs[place])
    return Slice(frozenset(run), frozenset(affected))


def _needs(names: Sequence[CellNames], is_test: Sequence[bool]) -> list[set[int]]:
    """For each cell, the earlier cells that set a name that it uses or changes.

    A function looks its names up when it is called, so a cell that calls it
    also needs what the function's cell needs, set before or after that cell.
    """
    needs: list[set[int]] = []
    setters: dict[str, set[int]] = {}
    used_by_setter: dict[str, set[str]] = {}
    for place, cell in enumerate(names):
        reached = _reachable(cell.uses | cell.sets, used_by_setter)
        needs.append({other for name in reached for other in setters.get(name, ())})
        if not is_test[place]:
            for name in cell.sets:
                setters.setdefault(name, set()).add(place)
                used_by_setter.setdefault(name, set()).update(cell.uses)
    return needs


def _reachable(names: Set[str], used_by_setter: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(used_by_setter.get(name, ()))
    return reached
