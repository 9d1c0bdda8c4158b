"""Each check says the same of an answer that lives in another process."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from in_a_thread import Both

sys.path.insert(0, str(Path(__file__).parents[2] / "checks"))

from test_every_slip import CHECKS, STYLES, as_answer, ask, recorded

from rnnkit import checks

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def elsewhere(answer: Callable) -> tuple[Callable, Both]:
    """A function as the referee sees it."""
    both = Both({"answer": answer})
    return both.link.names(["answer"])["answer"], both


def ask_elsewhere(name: str, answer: Callable) -> str | None:
    proxy, both = elsewhere(answer)
    try:
        return ask(name, proxy)
    finally:
        both.close()


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", CHECKS)
def test_right_answer_passes_in_each_style(name: str, style: str) -> None:
    assert ask_elsewhere(name, as_answer(name, recorded(name).right, STYLES[style])) is None


@pytest.mark.parametrize("name", CHECKS)
def test_each_slip_has_the_same_message(name: str) -> None:
    for ways in recorded(name).slips.values():
        answer = as_answer(name, ways[0], STYLES["float32"])
        assert ask_elsewhere(name, answer) == ask(name, answer)


def test_ready_made_work_is_seen_on_the_other_side() -> None:
    from rnnkit import layers

    proxy, both = elsewhere(lambda scores, mask: layers.masked_softmax(scores, mask))
    with pytest.raises(AssertionError, match="ready-made masked_softmax"):
        checks.masked_softmax(proxy)
    both.close()


def test_gradients_are_taken_on_the_other_side() -> None:
    from keras import ops

    vectors = np.random.default_rng(0).normal(size=(2, 4, 3)).astype("float32")
    right, both = elsewhere(lambda x: ops.cumsum(x, axis=1))
    checks.gradients_reach_first(right, vectors)
    both.close()
    wrong, both = elsewhere(lambda x: x)
    with pytest.raises(AssertionError, match="first step"):
        checks.gradients_reach_first(wrong, vectors)
    both.close()


def test_random_numbers_are_set_on_the_other_side() -> None:
    draw, both = elsewhere(lambda: np.random.normal(size=3))
    checks.deterministic(draw)
    both.close()
