import re
from collections import defaultdict

import pytest

from rnnkit.data import counting


def is_closed(text):
    """Whether brackets close in the right order: pairs vanish until none is left."""
    before = None
    while text != before:
        before, text = text, text.replace("()", "").replace("[]", "")
    return text == ""


@pytest.fixture(scope="module")
def letters():
    return counting(1000, seed=1)


@pytest.fixture(scope="module")
def brackets():
    return counting(1000, kind="brackets", seed=1)


def test_right_strings_have_as_many_a_as_b(letters):
    for text, label in zip(letters.texts, letters.labels, strict=True):
        assert re.fullmatch("a*b*", text)
        assert (text.count("a") == text.count("b")) == bool(label)


def test_right_brackets_close_in_order(brackets):
    for text, label in zip(brackets.texts, brackets.labels, strict=True):
        assert is_closed(text) == bool(label)


def test_wrong_brackets_still_close_as_often_as_they_open(brackets):
    for text in brackets.texts:
        assert len(re.findall(r"[(\[]", text)) == len(re.findall(r"[)\]]", text))


@pytest.mark.parametrize("kind", ["ab", "brackets"])
def test_the_length_tells_nothing(kind):
    data = counting(1000, kind=kind, seed=1)
    labels = defaultdict(list)
    for text, label in zip(data.texts, data.labels, strict=True):
        labels[len(text)].append(label)
    assert all(2 * sum(of_length) == len(of_length) for of_length in labels.values())


def test_lengths_lie_in_the_range_asked_for():
    lengths = {len(text) for text in counting(500, minimum=3, maximum=5).texts}
    assert lengths == {6, 8, 10}


def test_depths_count_what_is_open():
    data = counting(200, kind="brackets", seed=1)
    for text, depths in zip(data.texts, data.depths, strict=True):
        opened = [len(re.findall(r"[(\[]", text[:end])) for end in range(1, len(text) + 1)]
        steps = range(1, len(text) + 1)
        assert depths == [2 * count - step for count, step in zip(opened, steps, strict=True)]


def test_brackets_are_nested_and_not_only_side_by_side(brackets):
    assert max(max(depths) for depths in brackets.depths) >= 5


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match=r"one of ab, brackets\. Received: 'abc'"):
        counting(1, kind="abc")


@pytest.mark.parametrize(("minimum", "maximum"), [(0, 3), (5, 4)])
def test_impossible_lengths_are_refused(minimum, maximum):
    with pytest.raises(ValueError, match=f"Received: minimum={minimum}, maximum={maximum}"):
        counting(1, minimum=minimum, maximum=maximum)
