import pytest

from rnnkit.plots import alt_text, unrolled
from rnnkit.plots.figure import HIGHLIGHT


def test_every_symbol_stands_in_the_drawing(words):
    figure = unrolled(["the", "cat"], ["le", "chat"])
    assert {"the", "cat", "le", "chat"} <= set(words(figure))


def test_without_attention_there_are_no_contexts(arrows, words):
    figure = unrolled("abc", "xy", attention=False)
    assert "c" not in words(unrolled("bd", "xy", attention=False))
    # 3 inputs, 2 between encoder states, 1 across, 1 between decoder states, 2 outputs
    assert len(arrows(figure)) == 9


def test_attention_joins_each_encoder_state_to_each_context(arrows):
    assert len(arrows(unrolled("abc", "xy"))) == 9 + 3 * 2 + 2


@pytest.mark.parametrize(
    ("attention", "path", "length"),
    [
        (False, (0, 4), 11),  # in, 4 along the encoder, across, 4 along the decoder, out
        (False, (4, 0), 3),
        (True, (0, 4), 4),  # in, to the context, to the decoder, out
        (True, (0, 0), 4),
        (True, (4, 0), 3),  # the direct arrow is shorter than attention
    ],
)
def test_the_shortest_path_is_drawn_strong_and_counted(arrows, attention, path, length):
    figure = unrolled("abcde", "edcba", attention=attention, path=path)
    assert len(arrows(figure, HIGHLIGHT)) == length
    assert f"{length} arrows" in alt_text(figure)
    assert f"{length} arrows" in figure.axes[0].get_title()


@pytest.mark.parametrize(("attention", "length"), [(False, 10), (True, 5)])
def test_the_way_back_from_the_loss_is_half_as_long_with_attention(attention, length):
    source = ["the", "cat", "likes", "to", "eat", "fresh", "fish"]
    target = ["le", "chat", "aime", "le", "poisson", "frais"]
    figure = unrolled(source, target, attention=attention, path=(1, 1), loss=True)
    assert f"From input 'cat' to loss 2: {length} arrows." in alt_text(figure)


def test_a_title_takes_the_place_of_the_count():
    assert unrolled("ab", "xy", path=(0, 1), title="Mine").axes[0].get_title() == "Mine"


def test_the_description_says_whether_there_is_attention():
    assert "with attention" in alt_text(unrolled("ab", "xy"))
    assert "without attention" in alt_text(unrolled("ab", "xy", attention=False))


@pytest.mark.parametrize(("source", "target"), [("", "x"), ("a", ""), ("a" * 9, "x" * 8)])
def test_too_few_or_too_many_symbols_are_refused(source, target):
    with pytest.raises(ValueError, match=f"Received: {len(source)} and {len(target)} symbols"):
        unrolled(source, target)


@pytest.mark.parametrize("path", [(2, 0), (0, 2), (-1, 0)])
def test_a_path_to_nowhere_is_refused(path):
    with pytest.raises(ValueError, match="path must be"):
        unrolled("ab", "xy", path=path)
