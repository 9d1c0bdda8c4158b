"""The search for cells that track structure."""

import numpy as np
import pytest

from rnnkit import data
from rnnkit.experiments import CellsResult, structure_cells
from rnnkit.experiments.character_model import WARM_UP
from rnnkit.experiments.structure_cells import PROPERTIES, SMALL, rankings
from rnnkit.metrics import CellScore
from rnnkit.plots import curves


def test_cells_that_are_the_properties_are_found():
    read = data.program_text("test", longest=20000)
    after = slice(WARM_UP, None)
    quotes = np.where(read.inside_quotes[after], 0.8, -0.1)
    position = -read.line_position[after] / 100.0
    noise = np.random.default_rng(0).normal(size=len(quotes))
    ranked = rankings(np.stack([noise, position, quotes], axis=1), read)
    assert ranked["inside quotes"][0] == CellScore(2, 1.0, 1.0, 1)
    best = ranked["position in line"][0]
    assert (best.cell, best.sign) == (1, -1)
    assert best.score == pytest.approx(1.0)


def test_results_become_curves_against_the_rank():
    two_seeds = [[CellScore(3, 0.9, 0.95, -1)], [CellScore(1, 0.7, 0.8, 1)]]
    ranked = {name: dict.fromkeys(PROPERTIES, two_seeds) for name in ("trained", "untrained")}
    cells = np.arange(8.0).reshape(2, 4) / 8
    result = CellsResult(ranked, "ab", cells, [])
    assert result.series()["inside an if"]["trained"] == [(1, [0.9, 0.7])]
    curves(result.series(), "rank", "score")
    np.testing.assert_array_equal(result.best("inside quotes"), -cells[:, 3])


def test_the_text_stands_beside_its_cells(change_setting, eager):
    change_setting("character_model", BATCH=128, WINDOW=8)
    change_setting("structure_cells", SMALL=SMALL._replace(units=4, learned=5000, read=12000))
    result = structure_cells(seeds=(0,), fast=True, quiet=True)
    assert result.cells.shape == (len(result.text), 4)
    assert np.abs(result.cells).max() <= 1
    assert data.program_text("test").text[WARM_UP:].startswith(result.text)
    assert {model: len(each["inside quotes"]) for model, each in result.ranked.items()} == {
        "trained": 1,
        "untrained": 1,
    }
