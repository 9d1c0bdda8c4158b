"""Answers as rows of tokens in which names, layout and remarks no longer count."""

import ast
import re
import unicodedata

__all__ = ["code_runs", "word_runs"]

CODE_RUN = 12  # tokens: about two lines
WORD_RUN = 5
LONGEST_SOURCE = 100_000  # characters; a longer cell is data, not an answer
OWN_NAME, TEXT = "v", "s"

_CODE = re.compile(r"[^\W\d]\w*|\d+(?:\.\d*)?(?:e[+-]?\d+)?|\"[^\"\n]*\"|'[^'\n]*'|\S")
_WORD = re.compile(r"\w+(?:['’]\w+)?")
_MAGIC = re.compile(r"^\s*[%!].*$", re.MULTILINE)
_REMARK = re.compile(r"#.*$", re.MULTILINE)

Run = tuple[str, ...]


def code_runs(source: str) -> frozenset[Run]:
    """All runs of tokens in a piece of code; one shorter run where the code is shorter.

    Names that the code itself sets are all called ``v`` and texts ``s``. Layout, remarks,
    docstrings and annotations are left out. Names from elsewhere, such as ``np.where``,
    stay: which of them a person takes is a choice.

    Args:
        source: A cell's text; it need not be whole.

    Example:

    >>> one = "def mean(x):\\n    total = sum(x)  # add\\n    return total / len(x)"
    >>> other = "def average(values):\\n    s = sum(values)\\n    return (s/len(values))"
    >>> code_runs(one) == code_runs(other)
    True
    """
    return _runs(_code_tokens(source), CODE_RUN)


def word_runs(text: str) -> frozenset[Run]:
    """All runs of words in a written answer, in lower case.

    Args:
        text: A cell's text.

    Example:

    >>> sorted(word_runs("The gate keeps  the OLD state."))[0]
    ('gate', 'keeps', 'the', 'old', 'state')
    """
    folded = unicodedata.normalize("NFC", text[:LONGEST_SOURCE]).casefold()
    return _runs(_WORD.findall(folded), WORD_RUN)


def _runs(tokens: list[str], length: int) -> frozenset[Run]:
    if not tokens:
        return frozenset()
    last = max(1, len(tokens) - length + 1)
    return frozenset(tuple(tokens[start : start + length]) for start in range(last))


def _code_tokens(source: str) -> list[str]:
    source = source[:LONGEST_SOURCE]
    for text in (source, _MAGIC.sub("", source)):
        try:
            tree = ast.parse(text)
            plain = ast.unparse(ast.fix_missing_locations(_Plain(_set_in(tree)).visit(tree)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return _CODE.findall(plain.replace("\n", " ; "))
    # No Python: as it stands, without remarks.
    return _CODE.findall(_REMARK.sub("", source).replace("\n", " ; "))


def _set_in(tree: ast.AST) -> set[str]:
    """The names that a piece of code sets anywhere."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname for alias in node.names if alias.asname}
    return names


class _Plain(ast.NodeTransformer):
    """Takes out of a tree what a copy may change without changing what it does."""

    def __init__(self, own: set[str]) -> None:
        self.own = own

    def _name(self, name: str) -> str:
        return OWN_NAME if name in self.own else name

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._name(node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg, node.annotation = OWN_NAME, None
        return node

    def visit_alias(self, node: ast.alias) -> ast.AST:
        node.asname = OWN_NAME if node.asname else None
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant(TEXT) if isinstance(node.value, str) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return ast.Constant(TEXT)

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        """Docstrings, and other values that nothing is done with."""
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return self.generic_visit(ast.Assign([node.target], node.value))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name, node.returns = OWN_NAME, None
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.name, node.returns = OWN_NAME, None
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = OWN_NAME
        return self.generic_visit(node)
