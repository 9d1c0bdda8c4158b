"""A dozen mutants of real answers, from the change to the points."""

from pathlib import Path

import pytest

from rnnkit.course.kit import find_kit
from rnnkit.grading.limits import Limits
from rnnkit.grading.mutants.cache import Cache
from rnnkit.grading.mutants.trials import UnitMutants, try_mutants

CELLS = ("q1-step", "q2-joined", "q13-chain")


@pytest.mark.slow
def test_mutants_that_change_behaviour_lose_points(tmp_path: Path) -> None:
    mutants = UnitMutants(find_kit(Path(__file__).parent), "01_rnn", most=4, cells=CELLS)
    lines: list[str] = []
    limits = Limits(jobs=2, fast=True, sandbox="try", cell_seconds=30)
    tried = try_mutants(mutants, Cache(tmp_path / "cache.jsonl"), limits, lines.append)
    assert len(tried) == 12
    assert sum(each.trial.changed for each in tried) >= 10
    assert [each.mutant.name for each in tried if each.trial.survived] == []

    lines.clear()
    assert try_mutants(mutants, Cache(tmp_path / "cache.jsonl"), limits, lines.append) == tried
    assert lines == []  # all of it was known
