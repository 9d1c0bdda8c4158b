"""Whether a mutant changed behaviour is seen by running it beside the reference."""

from pathlib import Path

import pytest

from rnnkit.grading.mutants.bench import Bench, Verdict, probes_of

ANSWER = "def double(x):\n    return 2 * x"
TEST = "assert double(1.0) == 2.0\nassert double(3.0) == 6.0"
CELLS = [("setup", "import math", "given"), ("q1", ANSWER, "answer"), ("q1-test", TEST, "test")]


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench(CELLS)


def test_other_words_for_the_same_are_the_same(bench: Bench) -> None:
    assert not bench.judge("q1", "def double(x):\n    return x + x").changed


def test_another_result_is_a_change(bench: Bench) -> None:
    verdict = bench.judge("q1", "def double(x):\n    return 2 * x + 0.001")
    assert verdict == Verdict(True, "double: gives another result")


def test_a_difference_on_inputs_that_no_test_has_is_seen(bench: Bench) -> None:
    known = "def double(x):\n    return 2 * x if x in (1.0, 3.0) else 0"
    assert bench.judge("q1", known).changed


def test_an_error_is_a_change(bench: Bench) -> None:
    verdict = bench.judge("q1", "def double(x):\n    return x.T")
    assert verdict == Verdict(True, "double: raises AttributeError")


def test_a_loop_without_end_is_a_change(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rnnkit.grading.mutants.bench.PATIENCE", 0.1)
    verdict = bench.judge("q1", "def double(x):\n    while True:\n        x = x")
    assert verdict == Verdict(True, "double: does not end")


def test_a_probe_sees_what_is_changed_and_not_returned(tmp_path: Path) -> None:
    path = tmp_path / "mutant_probes.py"
    path.write_text(
        "def q1(names, generator):\n    box = [generator.normal()]\n"
        "    names['fill'](box)\n    return box\n"
    )
    cells = [
        ("q1", "def fill(box):\n    box.append(1)", "answer"),
        ("q1-test", "box = []\nfill(box)\nassert box == [1]", "test"),
    ]
    bench = Bench(cells, probes_of(path))
    assert not bench.judge("q1", "def fill(box):\n    box += [1]").changed
    assert bench.judge("q1", "def fill(box):\n    box += [2]").changed


def test_an_answer_that_nobody_calls_asks_for_a_probe() -> None:
    bench = Bench([("q1", ANSWER, "answer")])
    with pytest.raises(ValueError, match="write a probe"):
        bench.judge("q1", ANSWER)


def test_a_reference_that_fails_its_test_is_named() -> None:
    with pytest.raises(RuntimeError, match="q1-test fails with the reference"):
        Bench([("q1", ANSWER, "answer"), ("q1-test", "assert double(1) == 3", "test")])
