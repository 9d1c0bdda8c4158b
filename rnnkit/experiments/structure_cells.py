"""Cells of a character model that keep track of the structure of a program."""

from collections.abc import Sequence
from typing import NamedTuple

import keras
import numpy as np

from rnnkit import data
from rnnkit.experiments.character_model import (
    WARM_UP,
    memory_over_text,
    train_character_model,
)
from rnnkit.experiments.training import Points, Training, check_seeds, is_fast, report
from rnnkit.metrics import CellScore, rank_cells
from rnnkit.models import LanguageModel
from rnnkit.text import Vocabulary

PROPERTIES = ("inside quotes", "inside an if", "position in line")
SHOWN = 10  # cells of each model


class _Setting(NamedTuple):
    learned: int  # characters
    read: int  # characters, for the search
    units: int
    epochs: int


FULL = _Setting(500_000, 60_000, 192, 6)
SMALL = _Setting(20_000, 20_000, 32, 1)


class CellsResult(NamedTuple):
    """How well single cells predict properties of a new text.

    Args:
        ranked: For "trained" and "untrained", for each property, one ranking
            for each seed: the best cells, the best first.
        text: The text that was read for the search.
        cells: `(characters, units)`: tanh(c) of the first seed's cells over it.
        trainings: What each training took.
    """

    ranked: dict[str, dict[str, list[list[CellScore]]]]
    text: str
    cells: np.ndarray
    trainings: list[Training]

    def series(self) -> dict[str, dict[str, Points]]:
        """The score on new text of the first, second, ... cell: a panel for each property."""
        return {
            name: {
                model: [
                    (rank, [cell.score for cell in cells])
                    for rank, cells in enumerate(zip(*rankings[name], strict=True), 1)
                ]
                for model, rankings in self.ranked.items()
            }
            for name in PROPERTIES
        }

    def best(self, name: str) -> np.ndarray:
        """What `rnnkit.plots.coloured_text` needs: the first seed's best cell over the text.

        It is turned round where it falls with the property.

        Args:
            name: "inside quotes", "inside an if" or "position in line".
        """
        cell = self.ranked["trained"][name][0][0]
        return cell.sign * self.cells[:, cell.cell]


def structure_cells(
    seeds: Sequence[int] = (0, 1, 2),
    fast: bool | None = None,
    quiet: bool = False,
) -> CellsResult:
    """Search an LSTM for cells that track quotes, `if` blocks and the place in a line (S11).

    A character model learns from Python's standard library, then reads other
    modules. Each of its memory cells is asked how well it alone tells whether
    a character stands inside quotes (or inside an `if` block), as the area
    under the ROC curve, and how well it goes with the position in the line, as
    a correlation. Cells are chosen on the first half of the text and scored on
    the second.

    The same search in a net that has learned nothing shows what comes for
    free: an untrained memory fills up too while a line goes on. Claim only
    what goes beyond it, for all seeds. That a cell predicts a property does
    not show that the model uses the cell for it.

    Taught in unit 03, section s11.

    Args:
        seeds: One training for each of them.
        fast: The small setting: it shows how it goes, not what is learned.
        quiet: Print nothing.

    Returns:
        The best cells, with a text to be coloured by them.

    Raises:
        ValueError: There are no seeds.
    """
    seeds = check_seeds(seeds)
    setting = SMALL if is_fast(fast) else FULL
    learned = data.program_text("train", setting.learned).text
    read = data.program_text("test", setting.read)
    characters = Vocabulary.from_texts([learned])
    ids, read_ids = (characters.encode([text])[0][0] for text in (learned, read.text))

    ranked: dict[str, dict[str, list[list[CellScore]]]] = {
        model: {name: [] for name in PROPERTIES} for model in ("trained", "untrained")
    }
    trainings, first_cells = [], None
    for seed in seeds:
        trained = train_character_model(
            ids, read_ids, len(characters), setting.units, setting.epochs, seed
        )
        keras.utils.set_random_seed(seed)
        untrained = LanguageModel(len(characters), units=setting.units, embedding=64)
        for model, name in ((trained.model, "trained"), (untrained, "untrained")):
            cells = memory_over_text(model, read_ids)
            if first_cells is None:
                first_cells = cells
            for property_name, ranking in rankings(cells, read).items():
                ranked[name][property_name].append(ranking)
        trainings.append(trained.training)
        found = {name: f"{ranked['trained'][name][-1][0].score:.2f}" for name in PROPERTIES}
        report(trainings[-1], f"best cells {found}", quiet)
    assert first_cells is not None
    return CellsResult(
        ranked, read.text[WARM_UP : WARM_UP + len(first_cells)], first_cells, trainings
    )


def rankings(cells: np.ndarray, read: data.ProgramText) -> dict[str, list[CellScore]]:
    """The best cells for each property.

    Args:
        cells: `(characters, units)`, of the characters of `read` from number
            `WARM_UP` on.
        read: The text, from its beginning.
    """
    measured = slice(WARM_UP, WARM_UP + len(cells))
    return {
        name: rank_cells(cells, read.properties[name][measured], count=SHOWN) for name in PROPERTIES
    }
