import math
import sys

import pytest

from rnnkit.metrics import bleu

pytest.importorskip("sacrebleu")


def test_a_number_counted_by_hand():
    # 6 words, 5 in the target; 3 of 5 pairs, 2 of 4 threes, 1 of 3 fours; same length.
    score = bleu(["the cat sat on a mat"], ["the cat sat on the mat"])
    expected = 100 * (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** (1 / 4)
    assert score == pytest.approx(expected)


def test_a_text_that_is_too_short_costs():
    score = bleu(["a b c d"], ["a b c d e f g h"])
    assert score == pytest.approx(100 * math.exp(1 - 8 / 4))


def test_counts_are_added_up_over_texts_first():
    predictions, targets = ["a b c d e", "x y z u"], ["a b c d e", "p q r s"]
    mean = (bleu(predictions[:1], targets[:1]) + bleu(predictions[1:], targets[1:])) / 2
    expected = 100 * (5 / 9 * 4 / 7 * 3 / 5 * 2 / 3) ** (1 / 4)
    assert bleu(predictions, targets) == pytest.approx(expected)
    assert mean != pytest.approx(expected)


def test_characters_can_be_counted():
    assert bleu(["abcde"], ["abcde"], tokenize="char") == pytest.approx(100.0)


def test_it_writes_nothing(capfd):
    bleu(["a b . c d ."] * 200, ["a b . c d ."] * 200)
    assert capfd.readouterr() == ("", "")


def test_no_texts_are_refused():
    with pytest.raises(ValueError, match=r"at least one\. Received: 0 predictions"):
        bleu([], [])


def test_an_unknown_way_to_split_is_refused():
    with pytest.raises(ValueError, match=r"13a.*Received: 'words'"):
        bleu(["a"], ["a"], tokenize="words")


def test_without_sacrebleu_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(ImportError, match=r"pip install rnnkit\[metrics\]"):
        bleu(["a"], ["a"])
