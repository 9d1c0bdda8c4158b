import pytest

from rnnkit.text import Vocabulary, WordPieces

pytest.importorskip("tensorflow_text")

TEXTS = [
    "the player plays while others play",
    "playing and walking and talking",
    "she walks, talks and plays.",
] * 3


def test_the_longest_piece_that_fits_comes_first():
    pieces = WordPieces(["p", "play", "##i", "##ing", "##ng"])
    assert pieces(["playing"]) == [["play", "##ing"]]


def test_a_word_that_cannot_be_written_is_unknown_as_a_whole():
    assert WordPieces(["play", "##s"])(["plays playx"]) == [["play", "##s", "[UNK]"]]


def test_texts_without_words():
    pieces = WordPieces(["a"])
    assert pieces(["", "a", " "]) == [[], ["a"], []]
    assert pieces([]) == []


@pytest.mark.parametrize("size", [36, 38, 45, 80])
def test_learned_pieces_keep_to_the_size_and_write_all_texts(size):
    pieces = WordPieces.learn(TEXTS, size)
    assert len(pieces.symbols) <= size
    assert not any("[UNK]" in row for row in pieces(TEXTS))


def test_more_pieces_write_a_text_in_fewer():
    few, many = (WordPieces.learn(TEXTS, size)(TEXTS) for size in (38, 80))
    assert sum(map(len, many)) < sum(map(len, few)) / 2


def test_the_order_of_the_texts_does_not_change_the_pieces():
    assert WordPieces.learn(TEXTS, 60).symbols == WordPieces.learn(TEXTS[::-1], 60).symbols


def test_a_vocabulary_of_pieces_gives_the_words_back():
    pieces = WordPieces.learn(TEXTS, 60)
    vocabulary = Vocabulary(pieces.symbols, split=pieces, joiner=pieces.join)
    ids, _ = vocabulary.encode(["she plays while walking"])
    assert vocabulary.decode(ids) == ["she plays while walking"]


def test_a_vocabulary_of_pieces_shows_unknown_words():
    pieces = WordPieces(["play"])
    vocabulary = Vocabulary(pieces.symbols, split=pieces, joiner=pieces.join)
    ids, _ = vocabulary.encode(["play chess"])
    assert ids.tolist() == [[4, vocabulary.unk_id]]
    assert vocabulary.decode(ids) == ["play \ufffd"]


def test_a_size_that_characters_alone_exceed_is_refused():
    with pytest.raises(ValueError, match=r"at least 6, twice.*Received: size=5"):
        WordPieces.learn(["abc"], 5)


def test_texts_without_words_teach_nothing():
    with pytest.raises(ValueError, match="at least one word"):
        WordPieces.learn([" "], 50)


@pytest.mark.parametrize("symbols", [["a", "a"], ["a", ""]])
def test_symbols_that_are_empty_or_twice_are_refused(symbols):
    with pytest.raises(ValueError, match="each given once"):
        WordPieces(symbols)
