import pytest

from rnnkit.metrics import CellScore
from rnnkit.plots import alt_text, cell_ranking

RANKING = [CellScore(7, 0.9, 0.95, 1), CellScore(3, 0.6, 0.8, -1), CellScore(5, 0.4, 0.7, 1)]


def draw(ranking=RANKING, **settings):
    return cell_ranking(ranking, "area under the ROC curve", chance=0.5, **settings)


def test_bars_go_from_chance_to_the_score():
    bars = draw().axes[0].patches
    spans = {
        round(bar.get_y() + 0.35): (bar.get_x(), bar.get_x() + bar.get_width()) for bar in bars
    }
    assert spans == {
        0: (0.5, pytest.approx(0.9)),
        1: (0.5, pytest.approx(0.6)),
        2: (0.5, pytest.approx(0.4)),
    }


def test_the_best_cell_is_at_the_top():
    axes = draw().axes[0]
    low, high = axes.get_ylim()
    assert low > high
    assert [label.get_text() for label in axes.get_yticklabels()] == ["cell 7", "cell 3", "cell 5"]


def test_rings_show_the_score_by_which_cells_were_chosen():
    rings = draw().axes[0].lines[0]
    assert rings.get_xdata().tolist() == [0.95, 0.8, 0.7]


def test_cells_that_fall_are_hatched():
    hatched = [bar.get_hatch() for bar in draw().axes[0].patches]
    assert sorted(map(bool, hatched)) == [False, False, True]


def test_the_legend_names_only_what_is_there():
    names = [text.get_text() for text in draw(RANKING[:1]).legends[0].get_texts()]
    assert sorted(names) == ["chance (0.5)", "rises with the property", "where it was chosen"]


def test_the_description_tells_both_scores():
    text = alt_text(draw(title="Inside quotes"))
    assert text.startswith("Inside quotes. Cell 7: 0.90, rises (0.95 where it was chosen). Cell 3")
    assert text.endswith("Chance: 0.5.")


@pytest.mark.parametrize("ranking", [[], RANKING * 6])
def test_no_cells_or_too_many_are_refused(ranking):
    with pytest.raises(ValueError, match=f"1 to 16 cells.*Received: {len(ranking)} cells"):
        draw(ranking)
