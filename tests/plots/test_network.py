import pytest

from rnnkit.plots import alt_text, describe_network, network
from rnnkit.plots.figure import HIGHLIGHT


def from_input(description, position):
    """The rows and positions that input `position` reaches."""
    reached = {("x", position)}
    for _ in range(100):
        reached |= {end for begin, end in description.arrows() if begin in reached}
    return reached


def outputs_that_see(description, position):
    return sorted(place for key, place in from_input(description, position) if key == "y")


def test_a_transducer_gives_an_output_at_each_word():
    description = describe_network("transducer", "abcd")
    assert outputs_that_see(description, 1) == [1, 2, 3]


def test_an_acceptor_gives_one_output_from_the_last_state():
    description = describe_network("acceptor", "abcd", ["yes"])
    assert [arrow for arrow in description.arrows() if arrow[1][0] == "y"] == [
        (("h1", 3), ("y", 0))
    ]


def test_an_encoder_leaves_a_vector():
    assert describe_network("encoder", "abcd").row("y").look == "vector"


def test_a_language_model_gives_each_next_word(words):
    description = describe_network("language model", ["the", "cat"])
    assert list(description.row("x").labels) == ["BOS", "the", "cat"]
    assert list(description.row("y").labels) == ["the", "cat", "EOS"]
    assert "next word" in words(network("language model", ["the", "cat"]))


def test_layers_stand_one_on_another():
    description = describe_network("transducer", "abc", layers=3)
    # in, 3 layers, each with 2 arrows along it, out
    assert len(description.arrows()) == 3 + 3 * 2 + 2 * 3 + 3
    assert len(description.shortest_path(("x", 0), ("y", 0))) == 4


def test_in_a_bidirectional_network_each_output_sees_each_word():
    description = describe_network("transducer", "abcd", bidirectional=True)
    assert all(outputs_that_see(description, word) == [0, 1, 2, 3] for word in range(4))


def test_the_last_word_reaches_the_first_output_through_the_backward_states():
    description = describe_network("transducer", "abcd", bidirectional=True)
    way = description.shortest_path(("x", 3), ("y", 0))
    assert [end[0] for _, end in way] == ["b1", "b1", "b1", "b1", "h1", "y"]


def test_an_upper_bidirectional_layer_reads_both_directions_joined():
    arrows = describe_network("transducer", "ab", layers=2, bidirectional=True).arrows()
    below = {begin[0] for begin, end in arrows if end[0] in ("f2", "b2") and begin[0] != end[0]}
    assert below == {"h1"}


def test_a_bidirectional_acceptor_reads_the_state_where_each_direction_ends():
    arrows = describe_network("acceptor", "abcd", bidirectional=True).arrows()
    assert {begin for begin, end in arrows if end[0] == "y"} == {("f1", 3), ("b1", 0)}


def test_the_two_directions_of_a_bilm_never_meet():
    arrows = describe_network("biLM", "abc", layers=2).arrows()
    sides = [{node[0][0] for node in arrow} for arrow in arrows]
    assert not any(side & {"f", "y"} and side & {"b", "z"} for side in sides)


def test_a_bilm_gives_the_next_word_and_the_word_before():
    description = describe_network("biLM", "abc", layers=2)
    assert list(description.row("y").labels) == ["b", "c", "EOS"]
    assert list(description.row("z").labels) == ["BOS", "a", "b"]
    assert len(description.shortest_path(("x", 0), ("y", 0))) == 4
    assert len(description.shortest_path(("x", 0), ("z", 0))) == 4


def test_a_path_is_drawn_strong_and_counted(arrows):
    figure = network("transducer", "abcd", path=(0, 3))
    along = ["h1[0] to h1[1]", "h1[1] to h1[2]", "h1[2] to h1[3]"]
    assert {*arrows(figure, HIGHLIGHT)} == {"x[0] to h1[0]", *along, "h1[3] to y[3]"}
    assert figure.axes[0].get_title() == "From input 'a' to output 'y': 5 arrows"


def test_each_arrow_of_the_description_is_drawn_once(arrows):
    description = describe_network("transducer", "abcd", layers=2, bidirectional=True)
    drawn = arrows(network("transducer", "abcd", layers=2, bidirectional=True))
    assert len(drawn) == len(set(drawn)) == len(description.arrows())


@pytest.mark.parametrize("kind", ["acceptor", "encoder", "transducer", "language model", "biLM"])
def test_the_description_names_the_words(kind):
    assert "the cat" in alt_text(network(kind, ["the", "cat"]))


def test_a_kind_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match=r"'transducer'.*Received: 'RNN'"):
        network("RNN", "abc")


def test_no_words_are_refused():
    with pytest.raises(ValueError, match="a word to read"):
        network("encoder", "")


def test_no_layers_are_refused():
    with pytest.raises(ValueError, match=r"layers must be 1 or more. Received: 0"):
        network("encoder", "abc", layers=0)


@pytest.mark.parametrize("kind", ["language model", "biLM"])
def test_a_language_model_must_not_read_both_ways(kind):
    with pytest.raises(ValueError, match="must not read the words that it predicts"):
        network(kind, "abc", bidirectional=True)


@pytest.mark.parametrize(
    ("kind", "outputs", "wanted"),
    [("transducer", "yy", 3), ("acceptor", "yy", 1), ("language model", "abc", 0)],
)
def test_outputs_of_another_number_are_refused(kind, outputs, wanted):
    with pytest.raises(ValueError, match=f"must hold {wanted} .*Received: {len(outputs)} outputs"):
        network(kind, "abc", outputs)


def test_more_columns_than_there_is_room_for_are_refused():
    with pytest.raises(ValueError, match=r"room for 16 columns. Received: 17"):
        network("transducer", "a" * 17)
