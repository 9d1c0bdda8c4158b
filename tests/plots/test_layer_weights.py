import numpy as np
import pytest

from rnnkit.plots import alt_text, layer_weights

WEIGHTS = {"tags": [0.2, 0.5, 0.3], "senses": [0.1, 0.2, 0.7]}


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def test_rows_are_tasks_and_columns_layers():
    axes = layer_weights(WEIGHTS).axes[0]
    np.testing.assert_array_equal(axes.images[0].get_array(), list(WEIGHTS.values()))
    assert labels(axes.yaxis) == ["tags", "senses"]
    assert labels(axes.xaxis) == ["token layer", "layer 1", "layer 2"]


def test_layers_can_have_other_names():
    axes = layer_weights(WEIGHTS, layers=["x", "h1", "h2"]).axes[0]
    assert labels(axes.xaxis) == ["x", "h1", "h2"]


def test_each_weight_is_written_in_its_cell():
    axes = layer_weights(WEIGHTS).axes[0]
    written = {text.get_position(): text.get_text() for text in axes.texts}
    assert written[2, 1] == "0.70"
    assert len(written) == 6


def test_numbers_on_dark_cells_are_white():
    colours = {text.get_text(): text.get_color() for text in layer_weights(WEIGHTS).axes[0].texts}
    assert (colours["0.70"], colours["0.10"]) == ("white", "black")


def test_the_description_tells_all_weights():
    text = alt_text(layer_weights(WEIGHTS, title="After training"))
    assert text == (
        "After training. tags: token layer 0.20, layer 1 0.50, layer 2 0.30. "
        "senses: token layer 0.10, layer 1 0.20, layer 2 0.70."
    )


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({}, r"must hold a task"),
        ({"a": [1.0], "b": [0.5, 0.5]}, r"1 weights.*Received: 2 for 'b'"),
        ({"a": [0.5, 0.6]}, r"sum to 1.*Received: \[0.5, 0.6\] for 'a'"),
        ({"a": [1.5, -0.5]}, r"0 or more"),
    ],
)
def test_what_is_no_softmax_is_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        layer_weights(weights)
