import numpy as np
import pytest

from rnnkit.plots import alt_text, step_probabilities

PROBABILITIES = np.array([[0.7, 0.2, 0.1], [0.0, 0.25, 0.75]])


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def test_rows_are_steps_and_columns_symbols():
    axes = step_probabilities(PROBABILITIES, ["1", "2", "EOS"], ["1", "EOS"]).axes[0]
    np.testing.assert_array_equal(axes.images[0].get_array(), PROBABILITIES)
    assert labels(axes.xaxis) == ["1", "2", "EOS"]
    assert labels(axes.yaxis) == ["1", "EOS"]


def test_the_first_step_is_at_the_top():
    low, high = step_probabilities(PROBABILITIES, "abc", "ac").axes[0].get_ylim()
    assert low > high


def test_colours_stand_for_probabilities_from_nought_to_one():
    (image,) = step_probabilities(PROBABILITIES, "abc", "ac").axes[0].images
    assert image.get_clim() == (0.0, 1.0)


def test_a_space_is_made_visible():
    axes = step_probabilities(PROBABILITIES, "a b", " b").axes[0]
    assert labels(axes.xaxis)[1] == labels(axes.yaxis)[0] == "\u2423"


def test_the_description_tells_the_two_best_of_each_step():
    text = alt_text(step_probabilities(PROBABILITIES, "abc", "ac", title="One pair"))
    assert text == ("One pair. Step 1 writes a: a 0.70, b 0.20. Step 2 writes c: c 0.75, b 0.25.")


@pytest.mark.parametrize(
    ("probabilities", "symbols", "written", "message"),
    [
        (PROBABILITIES, "ab", "ac", r"\(2, 2\).*Received: shape \(2, 3\)"),
        (PROBABILITIES, "abc", "a", r"\(1, 3\).*Received: shape \(2, 3\)"),
        (np.zeros((0, 3)), "abc", "", r"1 to 24 steps.*Received: 0 steps"),
        ([[1.5, -0.5, 0]], "abc", "a", r"take a softmax.*Received: 1.5"),
        ([[0.9, 0.9, 0]], "abc", "a", r"sum of at most 1.*Received: 1.8"),
        ([[np.nan, 0.5, 0]], "abc", "a", r"Received: nan"),
    ],
)
def test_what_is_no_distribution_is_refused(probabilities, symbols, written, message):
    with pytest.raises(ValueError, match=message):
        step_probabilities(probabilities, symbols, written)
