import numpy as np
import pytest

from rnnkit.plots import alt_text, influence

FORWARD = np.tril(np.ones((3, 3)))


def test_a_cross_stands_where_nothing_changes():
    (crosses,) = influence(FORWARD, "abc").axes[0].lines
    assert sorted(zip(crosses.get_xdata(), crosses.get_ydata(), strict=True)) == [
        (1, 0),
        (2, 0),
        (2, 1),
    ]


def test_the_largest_change_is_the_darkest():
    image = influence([[0.2, 0.0], [4.0, 1.0]], "ab").axes[0].images[0]
    assert image.get_array().tolist() == [[0.05, 0.0], [1.0, 0.25]]


def test_a_network_that_ignores_its_input_is_all_crosses():
    figure = influence(np.zeros((2, 2)), "ab")
    assert len(figure.axes[0].lines[0].get_xdata()) == 4
    assert alt_text(figure).endswith("Output 2 depends on no input.")


def test_the_description_tells_ranges():
    changes = [[1, 0, 1, 1], [0, 1, 0, 0], [1, 1, 1, 1], [0, 0, 0, 2]]
    text = alt_text(influence(changes, "abcd", title="Both"))
    assert text.startswith("Both. Output 1 depends on inputs 1, 3 to 4. Output 2 depends on inputs")
    assert text.endswith("Output 3 depends on inputs 1 to 4. Output 4 depends on inputs 4.")


@pytest.mark.parametrize(
    ("changes", "symbols", "message"),
    [
        (np.ones((2, 3)), "ab", r"shape \(2, 2\).*Received: shape \(2, 3\)"),
        ([[-1.0]], "a", "0 or more"),
        ([[np.nan]], "a", "0 or more"),
        (np.ones((25, 25)), "a" * 25, "1 to 24. Received: 25"),
        (np.ones((0, 0)), "", "1 to 24. Received: 0"),
    ],
)
def test_what_cannot_be_drawn_is_refused(changes, symbols, message):
    with pytest.raises(ValueError, match=message):
        influence(changes, symbols)
