import pytest

from rnnkit.text import normalise

pytestmark = pytest.mark.usefixtures("either_way")


def test_nfc_is_what_it_does_without_settings():
    assert normalise(["e\u0301 \ufb01"]) == ["\u00e9 \ufb01"]


def test_nfkc_replaces_what_differs_in_looks_alone():
    assert normalise(["\ufb01 \uff21 \u00a0x"], form="NFKC") == ["fi A  x"]


def test_lower_keeps_all_but_case():
    assert normalise(["STRAßE \u00ad I"], case="lower") == ["straße \u00ad i"]


def test_a_greek_sigma_at_the_end_of_a_word_gets_its_form():
    assert normalise(["ΟΔΟΣ"], case="lower") == ["οδος"]


def test_lower_does_not_stop_at_a_null_character():
    assert normalise(["A\x00B"], case="lower") == ["a\x00b"]


def test_folded_texts_are_equal_where_case_alone_differs():
    assert len(set(normalise(["Straße", "STRASSE", "strasse"], case="fold"))) == 1


def test_folding_leaves_out_what_shows_nothing():
    assert normalise(["so\u00adft"], case="fold") == ["soft"]


def test_lists_without_texts():
    assert normalise([]) == []
    assert normalise([""], case="fold") == [""]


def test_invalid_bytes_become_the_replacement_character():
    assert normalise([b"A\xff"], case="fold") == ["a\ufffd"]


def test_an_unknown_form_is_refused():
    with pytest.raises(ValueError, match=r"NFC, NFKC\. Received: 'nfc'"):
        normalise(["a"], form="nfc")


def test_an_unknown_case_is_refused():
    with pytest.raises(ValueError, match=r"keep, lower, fold\. Received: 'upper'"):
        normalise(["a"], case="upper")
