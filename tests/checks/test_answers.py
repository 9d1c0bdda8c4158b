"""How an answer is asked on several inputs, and what is said about it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from keras import ops

from rnnkit import checks

X = np.array([[1.0, 2.0], [3.0, 5.0]])
CASES = {"": (X,), "a batch of one": (X[:1],), "large numbers": (1e30 * X,)}
SLIPS = {
    "It is halved.": lambda x: x,
    "It is squared.": [lambda x: x**2, lambda x: -(x**2)],
    "The batch is turned.": lambda x: 2 * x[::-1],
}


def double(x: np.ndarray) -> np.ndarray:
    return 2 * x


def said(answer: Any, right: Callable = double, **settings: Any) -> str:
    with pytest.raises(AssertionError) as failure:
        checks.expect_answers("double(x)", answer, CASES, right, SLIPS, **settings)
    return str(failure.value)


@pytest.mark.parametrize(
    "answer",
    [
        double,
        lambda x: ops.convert_to_tensor(x) * 2,
        lambda x: [[2 * float(number) for number in row] for row in x],
        lambda x: [ops.convert_to_tensor(2 * row) for row in x],
        lambda x: (2 * x).astype("float64"),
    ],
    ids=["numpy", "tensor", "lists", "list of tensors", "float64"],
)
def test_right_answer_passes(answer: Callable) -> None:
    checks.expect_answers("double(x)", answer, CASES, double, SLIPS)


def test_slip_is_named_with_what_came_and_what_was_expected() -> None:
    assert said(lambda x: x) == (
        "double(x): not right. It is halved.\nYours: [1. 2.]\nExpected: [2. 4.]"
    )


def test_second_way_to_make_a_slip_is_named_too() -> None:
    assert "It is squared." in said(lambda x: -(x.astype("float64") ** 2))


def test_slip_that_explains_one_case_alone_is_not_named() -> None:
    message = said(lambda x: x if len(x) == 2 else 3 * x)
    assert "halved" not in message
    assert "not right" in message


def test_case_that_is_wrong_is_told() -> None:
    message = said(lambda x: double(x) if len(x) == 2 else 3 * x)
    assert message.startswith("double(x), with a batch of one: not right.")


def test_overflow_on_large_numbers_does_not_hide_a_slip() -> None:
    def squared(x: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            return x * x  # infinity for 1e30, in float32

    assert "It is squared." in said(squared)


def test_first_wrong_case_must_be_explained() -> None:
    message = said(lambda x: x * np.inf if x.max() > 1e20 else double(x))
    assert "NaN or infinity" in message
    assert "with large numbers" in message
    assert "Yours: [inf inf]" in message


def test_error_of_the_answer_stays_an_error() -> None:
    with pytest.raises(ZeroDivisionError):
        checks.expect_answers("double(x)", lambda x: 1 / 0, CASES, double, SLIPS)


def test_error_after_a_wrong_case_does_not_hide_it() -> None:
    def answer(x: np.ndarray) -> np.ndarray:
        if len(x) == 1:
            raise ValueError("shapes do not fit")
        return 3 * x

    assert "double(x): not right.\n" in said(answer)


def test_slip_that_fits_no_other_shape_is_named_where_the_answer_fails_there_too() -> None:
    slips = {"W is transposed.": lambda x, W: x @ W.T}
    W = np.arange(9.0).reshape(3, 3)
    x = np.ones((2, 3))
    with pytest.raises(AssertionError, match="W is transposed"):
        checks.expect_answers(
            "f(x, W)", lambda x, W: x @ W.T, {"": (x, W), "b": (x, W[:, :2])}, np.matmul, slips
        )


def test_shape_is_named() -> None:
    message = said(lambda x: 2 * x[:, :1])
    assert "should have the shape (2, 2). Received: shape (2, 1)" in message


def test_nothing_and_no_function_are_named() -> None:
    assert "is None. Does the function end" in said(lambda x: None)
    assert "should be a function" in said(3)


def parts(x: np.ndarray) -> dict[str, np.ndarray]:
    return {"sum": x.sum(axis=1), "double": 2 * x}


def test_parts_are_read_from_a_tuple_a_list_or_a_dict() -> None:
    for form in (lambda p: tuple(p.values()), lambda p: list(p.values()), lambda p: p):
        checks.expect_answers("both(x)", lambda x, form=form: form(parts(x)), CASES, parts, {})


def test_parts_in_another_order_are_named() -> None:
    message = said(lambda x: tuple(parts(x).values())[::-1], right=parts)
    assert "in another order. Return sum, double." in message


def test_missing_parts_are_named() -> None:
    two = "should return 2 things: sum, double. Received: "
    assert two + "3" in said(lambda x: (x, x, x), right=parts)
    assert two + "float" in said(lambda x: 3.0, right=parts)
    assert "Missing: double" in said(lambda x: {"sum": x}, right=parts)
    assert "is None" in said(lambda x: None, right=parts)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda x: [x, 2 * x, 3 * x, 4 * x], "4. The first one is too many; the others are right."),
        (lambda x: [2 * x, 3 * x, 4 * x, x], "4. The last one is too many; the others are right."),
        (lambda x: [4 * x], "1. Only the last one is there; give all of them."),
        (lambda x: [3 * x, 4 * x], "2. The first one is missing."),
        (lambda x: [2 * x, 3 * x], "2. The last one is missing."),
        (lambda x: [x], "1"),
        (lambda x: [None] * 4, "4"),
    ],
)
def test_list_of_another_length_is_told_what_it_lacks(answer: Callable, words: str) -> None:
    message = said(answer, right=lambda x: [2 * x, 3 * x, 4 * x])
    assert message == f"double(x) should return a list of length 3. Received: {words}"


def test_part_that_is_wrong_is_named() -> None:
    message = said(lambda x: (x.sum(axis=1), 3 * x), right=parts)
    assert message.startswith("double(x): double: not right.")


def test_positions_that_do_not_count_may_hold_anything() -> None:
    states, mask = np.ones((2, 3, 4)), np.array([[True, True, False], [True, False, False]])

    def right(states: np.ndarray, mask: np.ndarray) -> np.ndarray:
        return 2 * states

    def noisy(states: np.ndarray, mask: np.ndarray) -> np.ndarray:
        return np.where(mask[..., None], 2 * states, 99.0)

    cases = {"": (states, mask)}
    checks.expect_answers("f(s, m)", noisy, cases, right, {}, real=lambda s, m: mask)
    with pytest.raises(AssertionError):
        checks.expect_answers("f(s, m)", noisy, cases, right, {}, real=lambda s, m: mask | True)


def test_small_results_are_compared_beside_the_largest() -> None:
    cases = {"": (1e-6 * X,)}
    checks.expect_answers("f(x)", lambda x: 2 * x, cases, double, {}, relative=True)
    with pytest.raises(AssertionError, match="It is halved"):
        checks.expect_answers("f(x)", lambda x: x, cases, double, SLIPS, relative=True)


def test_number_in_brackets_is_a_number() -> None:
    checks.expect_answers("f(x)", lambda x: [[x.sum()]], {"": (X,)}, np.sum, {})


def test_answer_cannot_change_the_inputs() -> None:
    def careless(x: np.ndarray) -> np.ndarray:
        x *= 2
        return x

    for _ in range(2):
        checks.expect_answers("double(x)", careless, CASES, double, SLIPS)


def test_answer_that_keeps_something_between_calls_is_told_so() -> None:
    kept: list = []

    def simple_rnn(inputs, weights):
        W, U, b = weights
        h = kept[-1] if kept and kept[-1].shape == (len(inputs), len(b)) else np.zeros(len(b))
        states = []
        for x in inputs.swapaxes(0, 1):
            h = np.tanh(x @ W + h @ U + b)
            states.append(h)
        kept.append(h)
        return np.stack(states, axis=1)

    checks.equals_keras_layer(simple_rnn, "SimpleRNN")
    kept[:] = kept[:1]
    with pytest.raises(AssertionError, match="Called again with the same inputs, it gives"):
        checks.equals_keras_layer(simple_rnn, "SimpleRNN")
