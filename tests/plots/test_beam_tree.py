from math import log

import pytest

from rnnkit.plots import alt_text, beam_tree
from rnnkit.plots.figure import HIGHLIGHT

# "a" is the better first symbol, but the best sentence begins with "b".
ROUNDS = [
    [("a", log(0.6)), ("b", log(0.4))],
    [("bc", log(0.38)), ("ad", log(0.3))],
    [("bc", log(0.38)), ("ade", log(0.2))],  # "bc" has ended
]


def lines(figure):
    """Each line of the tree, by the beginnings that it joins."""
    return {line.get_gid(): line for line in figure.axes[0].lines}


def test_each_beginning_is_joined_with_the_one_it_continues():
    assert set(lines(beam_tree(ROUNDS))) == {
        " to a",
        " to b",
        "b to b c",
        "a to a d",
        "a d to a d e",
    }


def test_the_way_to_the_best_sentence_is_strong():
    strong = {
        name for name, line in lines(beam_tree(ROUNDS)).items() if line.get_color() == HIGHLIGHT
    }
    assert strong == {" to b", "b to b c"}


def test_what_was_dropped_is_dashed():
    dropped = [[("a", log(0.6)), ("b", log(0.4))], [("ac", log(0.3)), ("ad", log(0.2))]]
    drawn = lines(beam_tree(dropped))
    assert drawn[" to b"].get_linestyle() == "--"
    assert drawn[" to a"].get_linestyle() == drawn["a to a d"].get_linestyle() == "-"


def test_a_step_has_its_own_column():
    drawn = lines(beam_tree(ROUNDS))
    assert drawn[" to a"].get_xdata()[1] == drawn[" to b"].get_xdata()[1]
    assert drawn["b to b c"].get_xdata()[1] > drawn[" to b"].get_xdata()[1]


def test_symbols_probabilities_and_steps_are_written(words):
    written = words(beam_tree(ROUNDS, start="<s>", title="A tree"))
    assert {"<s>", "a", "0.600", "step 3"} <= set(written)
    assert written.count("c") == 1  # a sentence that has ended is drawn once


def test_no_two_nodes_stand_in_one_place():
    wide = [[(letter, log(0.2)) for letter in "abcd"]]
    wide.append([(letter + "x", log(0.1)) for letter in "abcd"])
    drawn = lines(beam_tree(wide))
    ends = [(line.get_xdata()[1], line.get_ydata()[1]) for line in drawn.values()]
    assert len(set(ends)) == len(ends) == 8


def test_the_description_tells_what_each_step_keeps():
    text = alt_text(beam_tree(ROUNDS, title="Width 2"))
    assert text == (
        "Width 2. Step 1 keeps: a (0.600), b (0.400). Step 2 keeps: b c (0.380), a d (0.300). "
        "Step 3 keeps: b c (0.380), a d e (0.200). Best: b c."
    )


@pytest.mark.parametrize(
    ("rounds", "message"),
    [
        ([], r"1 to 10 steps"),
        ([[("a", log(0.5))], []], r"each with a beginning.*Received: \[1, 0\]"),
        ([[("ab", log(0.5))]], r"one with a symbol more.*Received: \('a', 'b'\) in step 1"),
        ([[("a", 0.5)]], r"logarithm.*Received: 0.5 for \('a',\)"),
        ([[("a", float("nan"))]], r"logarithm.*Received: nan"),
        ([[(f"{n}", log(0.01)) for n in range(17)]], r"room for 16 ends.*Received: 17 ends"),
    ],
)
def test_what_is_no_search_is_refused(rounds, message):
    with pytest.raises(ValueError, match=message):
        beam_tree(
            [
                [
                    ((symbols,) if len(symbols) > 1 and symbols.isdigit() else symbols, total)
                    for symbols, total in beam
                ]
                for beam in rounds
            ]
        )
