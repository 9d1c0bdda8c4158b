import gzip

import pytest

from rnnkit.data import DataError
from rnnkit.data.reading import decode, odd_line, read_text


def test_line_ends_of_windows_become_those_of_unix(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes(b"one\r\ntwo\r\n")
    assert read_text(path) == "one\ntwo\n"


def test_a_byte_order_mark_is_left_out(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes(b"\xef\xbb\xbfone\n")
    assert read_text(path) == "one\n"


def test_other_line_separators_stay_inside_a_line():
    assert decode("a\u2028b\x0bc\x85".encode(), "text.txt") == "a\u2028b\x0bc\x85"


def test_a_packed_file_is_unpacked(tmp_path):
    path = tmp_path / "text.txt.gz"
    path.write_bytes(gzip.compress("été\n".encode()))
    assert read_text(path) == "été\n"


@pytest.mark.parametrize(
    "content",
    [gzip.compress(b"one" * 99)[:-12], b"not packed at all"],
    ids=["cut off", "not packed"],
)
def test_a_packed_file_that_is_damaged_is_named(tmp_path, content):
    path = tmp_path / "text.txt.gz"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"text\.txt\.gz to be a whole file packed with gzip"):
        read_text(path)


def test_invalid_utf_8_is_replaced_counted_and_said(capfd):
    assert decode(b"caf\xe9 and na\xefve", "menu.txt") == "caf\ufffd and na\ufffdve"
    output = "menu.txt: not valid UTF-8 in 2 places, replaced by U+FFFD there\n"
    assert capfd.readouterr() == (output, "")


def test_a_replacement_character_of_the_file_itself_is_not_counted(capfd):
    assert decode("a \ufffd".encode(), "menu.txt") == "a \ufffd"
    assert capfd.readouterr() == ("", "")


def test_an_odd_line_is_told_with_file_and_number(tmp_path):
    error = odd_line(tmp_path / "set.tsv", 7, "two columns", "x" * 200)
    assert error.expected == "two columns"
    assert error.found == f"{tmp_path / 'set.tsv'}, line 7: {'x' * 77 + '...'!r}"
