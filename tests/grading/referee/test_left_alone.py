"""Whether an answer writes into what it is given."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rnnkit import checks


def doubled_in_place(array: np.ndarray) -> np.ndarray:
    array *= 2
    return array


def all_are_real(mask: np.ndarray) -> np.ndarray:
    mask[:] = True
    return mask


def ends_with_outside(tags: list[str]) -> list[str]:
    tags.append("O")
    return tags


def begins_anew(tags: list[str]) -> list[str]:
    tags[1] = "B-PER"
    return tags


@pytest.fixture(params=["here", "in another process"])
def living(request: pytest.FixtureRequest, link_to: Callable[..., Any]) -> Callable[..., Any]:
    """Gives an answer as a check sees it: as it is, or through the referee."""
    if request.param == "here":
        return lambda answer: answer
    return lambda answer: link_to(answer=answer).names(["answer"])["answer"]


@pytest.mark.parametrize(
    ("answer", "given", "words"),
    [
        (doubled_in_place, np.full((2, 3), 1.5), r"given\[0, 0\] was 1.5 .* is 3 after it"),
        (doubled_in_place, np.array([[0.0, 2.5]]), r"given\[0, 1\] was 2.5 .* is 5 after it"),
        (doubled_in_place, np.array([np.nan, 4.0]), r"given\[1\] was 4 .* is 8 after it"),
        (doubled_in_place, np.array([0, 7]), r"given\[1\] was 7 .* is 14 after it"),
        (all_are_real, np.array([True, False]), r"given\[1\] was False .* is True after it"),
        (ends_with_outside, ["O", "O"], "the length 2 before the call, and has 3 after it"),
        (begins_anew, ["O", "O"], r"given\[1\] was 'O' .* is 'B-PER' after .* of list\(given\)"),
    ],
)
def test_input_that_is_written_into_is_told_with_its_value(
    answer: Callable[..., Any], given: Any, words: str, living: Callable[..., Any]
) -> None:
    with pytest.raises(AssertionError, match=rf"writes into the given that it gets: .*{words}"):
        checks.inputs_left_alone(living(answer), given=given)


def test_inputs_that_stay_as_they_are_pass(living: Callable[..., Any]) -> None:
    checks.inputs_left_alone(
        living(lambda array, tags, factor: 2 * array),
        array=np.array([np.nan, 1.0]),
        tags=["O"],
        factor=2,
    )


def test_input_of_the_test_itself_is_never_written_into(living: Callable[..., Any]) -> None:
    array = np.ones(3, "float32")
    with pytest.raises(AssertionError):
        checks.inputs_left_alone(living(doubled_in_place), array=array)
    assert (array == 1).all()


def turned_in_place(kernel: Any, recurrent_kernel: Any, bias: Any) -> tuple[Any, ...]:
    for array in (kernel, recurrent_kernel, bias):
        array[:, : recurrent_kernel.shape[0]] *= -1
    return kernel, recurrent_kernel, bias


def forget_bias_in_a_view(bias: Any, value: float) -> Any:
    np.reshape(bias, (4, -1))[1] = value
    return bias


def spans_at_the_end(tags: list[str]) -> list[tuple[str, int, int]]:
    tags.append("O")
    found: list[tuple[str, int, int]] = []
    for place, tag in enumerate(tags[:-1]):
        further = tag[0] == "I" and found and found[-1][0] == tag[2:] and found[-1][2] == place
        if further:
            found[-1] = (*found[-1][:2], place + 1)
        elif tag != "O":
            found.append((tag[2:], place, place + 1))
    return found


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (checks.turned_update_gate, turned_in_place),
        (checks.forget_bias, forget_bias_in_a_view),
        (checks.entity_spans, spans_at_the_end),
    ],
)
def test_right_values_written_into_the_input_lose_the_point_where_the_text_forbids_it(
    check: Callable[..., Any], answer: Callable[..., Any], living: Callable[..., Any]
) -> None:
    with pytest.raises(AssertionError, match=r"writes into the .* that it gets"):
        check(living(answer))
