"""Each operator makes the slips that it is named after, and nothing else."""

import ast

import pytest

from rnnkit.grading.mutants.mutant import all_mutants
from rnnkit.grading.mutants.operators import OPERATORS


def made(line: str, operator: str) -> list[str]:
    """What an operator makes of a line."""
    source = f"def f(a, b):\n    # BEGIN SOLUTION\n    {line}\n    # END SOLUTION\n    return a"
    return [
        mutant.source.splitlines()[2].strip()
        for mutant in all_mutants("unit", "q1", source)
        if mutant.operator == operator
    ]


@pytest.mark.parametrize(
    ("operator", "line", "expected"),
    [
        ("comparison", "a = a < b", ["a = a <= b", "a = a > b"]),
        ("arithmetic", "a = a - b", ["a = a + b", "a = b - a"]),
        ("arithmetic", "a = a @ b", ["a = b @ a"]),
        ("arithmetic", "a += b", ["a -= b"]),
        ("side", "a = a + b", ["a = a", "a = b"]),
        ("sign", "a = -b", ["a = b"]),
        ("sign", "a = a and b", ["a = a or b"]),
        ("constant", "a = b[2]", ["a = b[3]", "a = b[1]"]),
        ("constant", "a = f(b, keepdims=True)", ["a = f(b, keepdims=False)"]),
        ("axis", "a = f(b, axis=0)", ["a = f(b, axis=1)", "a = f(b, axis=-1)"]),
        ("keyword", "a = f(b, axis=1)", ["a = f(b)"]),
        ("slice", "a = b[1:]", ["a = b[:]"]),
        ("slice", "a = b[:a]", ["a = b[:]", "a = b[:a + 1]"]),
        ("slice", "a = b[::-1]", ["a = b[:]"]),
        ("swap", "a = f(a, b)", ["a = f(b, a)"]),
        ("swap", "return a, b", ["return (b, a)"]),
        ("swap", "a = a if b else 0", ["a = 0 if b else a"]),
        ("function", "a = b.sum()", ["a = b.mean()"]),
        ("function", "a = np.minimum(a, b)", ["a = np.maximum(a, b)"]),
        ("wrapper", "a = b.T", ["a = b"]),
        ("wrapper", "a = list(reversed(b))", ["a = list(b)"]),
        ("equation", 'a = f("bu,bsu->bs")', ["a = f('ub,bsu->bs')", "a = f('bu,sbu->bs')"]),
        ("dropped", "a += b", ["pass"]),
        ("dropped", "a = a * b", ["pass"]),
        ("branch", "a = [c for c in b if c]", ["a = [c for c in b]"]),
    ],
)
def test_operator_makes_its_slips(operator: str, line: str, expected: list[str]) -> None:
    found = made(line, operator)
    assert found[: len(expected)] == expected


def test_lines_outside_a_solution_stay() -> None:
    source = "def f(a):\n    b = 1\n    # BEGIN SOLUTION\n    return a\n    # END SOLUTION"
    assert list(all_mutants("unit", "q1", source)) == []


def test_comments_and_other_lines_stay() -> None:
    source = "# BEGIN SOLUTION\nx = 1  # one\ny = (2 +\n     x)\n# END SOLUTION"
    mutants = [mutant.source for mutant in all_mutants("unit", "q1", source)]
    assert "# BEGIN SOLUTION\nx = 2  # one\ny = (2 +\n     x)\n# END SOLUTION" in mutants


def test_a_change_inside_a_product_keeps_the_order_of_work() -> None:
    assert "a = (a - b) * 2" in made("a = (a + b) * 2", "arithmetic")
    assert "a = (a / b) * 2" in made("a = a * b * 2", "arithmetic") or "a = a / b * 2" in made(
        "a = a * b * 2", "arithmetic"
    )


def test_every_mutant_is_python_and_none_comes_twice() -> None:
    source = "# BEGIN SOLUTION\nx = f(-1, a[1:], axis=0) + (b if c < 2 else d)\n# END SOLUTION"
    dumps = [ast.dump(ast.parse(each.source)) for each in all_mutants("unit", "q1", source)]
    assert len(dumps) == len(set(dumps)) > 15


def test_names_are_the_same_in_each_run_and_no_two_are_alike() -> None:
    source = "# BEGIN SOLUTION\nx = f(1, 2, axis=0)\n# END SOLUTION"
    first = [each.name for each in all_mutants("unit", "q1", source)]
    assert first == [each.name for each in all_mutants("unit", "q1", source)]
    assert len(first) == len(set(first))


def test_no_two_operators_have_one_name() -> None:
    assert len({operator.name for operator in OPERATORS}) == len(OPERATORS)
