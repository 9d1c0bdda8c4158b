"""Small changes to a piece of Python, such as people make by mistake.

Each operator is a class of its own that looks at one node of the syntax tree. Of the libraries
for mutation tests, the one that is well kept (cosmic-ray) writes each mutant into the file of a
module and starts a test command for it; our answers stand in cells of notebooks, are graded by
warm processes in a second each, and slip in axes, keywords and names of NumPy, which it does
not know. So the operators are here, and the grader is the course's own.
"""

import ast
import copy
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

__all__ = ["OPERATORS", "Operator"]


class Operator(ABC):
    """Changes of one kind.

    Attributes:
        name: A word for it, which is a part of each mutant's name.
    """

    name: str

    @abstractmethod
    def variants(self, node: ast.AST, parent: ast.AST) -> Iterator[ast.AST]:
        """What the node may become.

        Args:
            node: A node; it is not changed.
            parent: The node that it stands in.
        """


def _with(node: ast.AST, **fields: object) -> ast.AST:
    """A copy of a node in which some fields are others."""
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


class Comparison(Operator):
    """`<` becomes `<=` or `>`, `==` becomes `!=`, `in` becomes `not in`."""

    name = "comparison"
    others: ClassVar[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
        ast.Lt: (ast.LtE, ast.Gt),
        ast.LtE: (ast.Lt, ast.GtE),
        ast.Gt: (ast.GtE, ast.Lt),
        ast.GtE: (ast.Gt, ast.LtE),
        ast.Eq: (ast.NotEq,),
        ast.NotEq: (ast.Eq,),
        ast.In: (ast.NotIn,),
        ast.NotIn: (ast.In,),
        ast.Is: (ast.IsNot,),
        ast.IsNot: (ast.Is,),
    }

    def variants(self, node: ast.AST, parent: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.Compare):
            for place, present in enumerate(node.ops):
                for other in self.others[type(present)]:
                    ops = [*node.ops[:place], other(), *node.ops[place + 1 :]]
                    yield _with(node, ops=ops)


class Arithmetic(Operator):
    """`+` becomes `-`, `*` becomes `/`, `@` gets its sides swapped, `&` becomes `|`."""

    name = "arithmetic"
    others: ClassVar[dict[type[ast.operator], type[ast.operator]]] = {
        ast.Add: ast.Sub,
        ast.Sub: ast.Add,
        ast.Mult: ast.Div,
        ast.Div: ast.Mult,
        ast.FloorDiv: ast.Mult,
        ast.Mod: ast.Mult,
        ast.Pow: ast.Mult,
        ast.BitAnd: ast.BitOr,
        ast.BitOr: ast.BitAnd,
    }

    def variants(self, node: ast.AST, parent: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in self.others:
            yield _with(node, op=self.others[type(node.op)]())
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult | ast.Sub | ast.Div):
            yield _with(node, left=node.right, right=node.left)


class OneSide(Operator):
    """Of a sum, a product or a condition with two sides, one is left out."""

    name = "side"

    def variants(self, node: ast.AST, parent: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
            yield node.left
            if isinstance(node.op, ast.Add | ast.Mult):
                yield node.right
        elif isinstance(node, ast.BoolOp):
            yield from node.values


class Sign(Operator):
    """`-x` and `not x` lose their sign; `and` becomes `or`."""

    name = "sign"

    def variants(self, node: ast.AST, parent: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not | ast.Invert):
            yield node.operand
        elif isinstance(node, ast.BoolOp):
            yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())


def _is_axis(node: ast.AST) -> bool:
    """Whether a node says along which axis something is done."""
    return isinstance(node, ast.keyword) and node.arg == "axis"


class Constant(Operator):
    """A number becomes one more, or one less; True becomes False."""

    name = "constant"

    def variants(self, node: ast.AST, parent: ast.AST) -> Iterator[ast.AST]:
        if not isinstance(node, ast.Constant) or _is_axis(parent):
            return
        if isinstance(node.value, bool):
            yield ast.Constant(not node.value)
        elif isinstance(node.value, int):
            yield ast.Constant(node.value + 1)
            if node.value > 0 and not isinstance(parent, ast.UnaryOp):
                yield ast.Constant(node.value - 1)
        elif isinstance(node.value, float):
            yield ast.Constant(2 * node.value if node.value else 1.0)


class Axis(Operator):
    """The number behind `axis=` becomes that of another axis."""

    name = "axis"

    def variants(self, node: ast.AST, parent: ast.AST) -> Iterator[ast.AST]:
        if not isinstance(node, ast.keyword) or not _is_axis(node):
            return
        present = ast.unparse(node.value)
        for other in ("0", "1", "-1"):
            if other != present:
                yield _with(node, value=ast.parse(other, mode="eval").body)


class Keyword(Operator):
    """A keyword is left out of a call."""

    name = "keyword"

    def variants(self, node: ast.AST, parent: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.Call):
            for place in range(len(node.keywords)):
                rest = [*node.keywords[:place], *node.keywords[place + 1 :]]
                yield _with(node, keywords=rest)


class Slice(Operator):
    """A border of a slice is moved by one, or left out; its step is turned round."""

    name = "slice"

    def variants(self, node: ast.AST, parent: ast.AST) -> Iterator[ast.AST]:
        if not isinstance(node, ast.Slice):
            return
        for border in ("lower", "upper"):
            present = getattr(node, border)
            if present is not None:
                yield _with(node, **{border: None})
                if not isinstance(present, ast.Constant):
                    moved = ast.BinOp(present, ast.Add(), ast.Constant(1))
                    yield _with(node, **{border: moved})
        if node.step is not None:
            yield _with(node, step=None)


class Swap(Operator):
    """The first two arguments of a call change places, or the last two, or two results."""

    name = "swap"

    def variants(self, node: ast.AST, parent: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.Call) and len(node.args) > 1:
            for first in {0, len(node.args) - 2}:
                args = list(node.args)
                args[first : first + 2] = reversed(args[first : first + 2])
                yield _with(node, args=args)
        elif isinstance(node, ast.Tuple | ast.List) and len(node.elts) > 1:
            for first in range(len(node.elts) - 1):
                elts = list(node.elts)
                elts[first : first + 2] = reversed(elts[first : first + 2])
                yield _with(node, elts=elts)
        elif isinstance(node, ast.IfExp):
            yield _with(node, body=node.orelse, orelse=node.body)


class Function(Operator):
    """A function becomes its neighbour: `sum` and `mean`, `minimum` and `maximum`."""

    name = "function"
    pairs = (
        ("sum", "mean"),
        ("minimum", "maximum"),
        ("min", "max"),
        ("argmin", "argmax"),
        ("any", "all"),
        ("zeros", "ones"),
        ("zeros_like", "ones_like"),
        ("tanh", "sigmoid"),
        ("exp", "log"),
        ("softmax", "log_softmax"),
        ("sqrt", "square"),
        ("cumsum", "cumprod"),
        ("concatenate", "stack"),
    )
    others = dict(pairs) | {second: first for first, second in pairs}

    def variants(self, node: ast.AST, parent: ast.AST) -> Iterator[ast.AST]:
        if not isinstance(parent, ast.Call) or parent.func is not node:
            return
        if isinstance(node, ast.Attribute) and node.attr in self.others:
            yield _with(node, attr=self.others[node.attr])
        elif isinstance(node, ast.Name) and node.id in ("min", "max", "any", "all"):
            yield _with(node, id=self.others[node.id])


class Wrapper(Operator):
    """A call or an attribute is left out: `x.T`, `reversed(x)` and `abs(x)` become `x`."""

    name = "wrapper"
    calls = ("reversed", "abs", "tanh", "sigmoid", "exp", "log", "sqrt", "square", "set", "sorted")

    def variants(self, node: ast.AST, parent: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.Attribute) and node.attr == "T":
            yield node.value
        elif isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in self.calls:
                yield node.args[0]


class Equation(Operator):
    """In an `einsum`, two letters of the result change places, or two of an operand."""

    name = "equation"

    def variants(self, node: ast.AST, parent: ast.AST) -> Iterator[ast.AST]:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            return
        operands, arrow, result = node.value.partition("->")
        if arrow:
            terms = [*operands.split(","), result]
            for place, term in enumerate(terms):
                if len(term) > 1:
                    swapped = [*terms[:place], term[1] + term[0] + term[2:], *terms[place + 1 :]]
                    yield ast.Constant(",".join(swapped[:-1]) + "->" + swapped[-1])


class Dropped(Operator):
    """A statement is left out, whose name has a value already or that sets none."""

    name = "dropped"

    def variants(self, node: ast.AST, parent: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.AugAssign | ast.Expr | ast.Continue | ast.Break):
            yield ast.Pass()
        elif isinstance(node, ast.Assign):
            target = node.targets[0]
            names = {each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)}
            again = isinstance(target, ast.Name) and target.id in names
            if again or isinstance(target, ast.Attribute | ast.Subscript):
                yield ast.Pass()


class Branch(Operator):
    """A condition is turned round, or is always true; a comprehension takes all."""

    name = "branch"

    def variants(self, node: ast.AST, parent: ast.AST) -> Iterator[ast.AST]:
        if isinstance(parent, ast.If | ast.IfExp) and parent.test is node:
            yield ast.UnaryOp(ast.Not(), node)
            yield ast.Constant(True)
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            first = node.generators[0]
            if first.ifs:
                yield _with(node, generators=[_with(first, ifs=[]), *node.generators[1:]])


OPERATORS: tuple[Operator, ...] = (
    Comparison(),
    Arithmetic(),
    OneSide(),
    Sign(),
    Constant(),
    Axis(),
    Keyword(),
    Slice(),
    Swap(),
    Function(),
    Wrapper(),
    Equation(),
    Dropped(),
    Branch(),
)
