"""A message calls a function as the exercise does, with the names of its arguments."""

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rnnkit import checks

SOLUTIONS = Path(__file__).parents[2] / "solutions"
# A locked cell runs the student's beam_search through this one.
OF_THE_TEST = "search_with_tables"


def head_of(function: ast.FunctionDef) -> str:
    """Its name and its arguments, without those that may be left out."""
    names = [argument.arg for argument in function.args.args]
    needed = names[: len(names) - len(function.args.defaults)]
    return f"{function.name}({', '.join(needed)})"


def asked() -> list[tuple[str, str, str]]:
    """The unit, the check and its call, for each function of a solution that a check asks."""
    found = []
    for path in sorted(SOLUTIONS.glob("*/0*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        heads = {node.name: head_of(node) for node in functions}
        for node in tree.body:
            call = ast.unparse(node)
            name = re.match(r"checks\.\w+\((\w+)", call)
            if name and name[1] in heads and name[1] != OF_THE_TEST and "seed" not in call:
                found.append((path.stem, call, heads[name[1]]))
    return found


def named(name: str) -> Callable:
    def answer(*inputs: object) -> None:
        return None

    answer.__name__ = name
    return answer


@pytest.mark.parametrize(("unit", "call", "head"), asked())
def test_message_calls_the_function_as_the_exercise_does(unit: str, call: str, head: str) -> None:
    name = head.split("(")[0]
    with pytest.raises(AssertionError) as failure:
        eval(call, {"checks": checks, name: named(name)})
    called = re.match(r"\w+\([\w, ]*\)", str(failure.value))
    assert called is None or called[0] == head


def test_function_without_a_name_is_called_by_its_kind() -> None:
    with pytest.raises(AssertionError, match=r"^lstm\(inputs, weights\) is None"):
        checks.equals_keras_layer(lambda inputs, weights: None, "LSTM")


def test_two_results_are_named_with_their_function() -> None:
    with pytest.raises(AssertionError, match=r"^shift_targets\(targets, mask\): previous \(what"):
        checks.shifted_targets(lambda targets, mask: (targets, targets))
