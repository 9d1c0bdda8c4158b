from collections import Counter

import pytest

from rnnkit.data import reversals


def test_targets_are_sources_from_right_to_left():
    sources, targets = reversals(200, seed=1)
    assert [source[::-1] for source in sources] == targets


def test_all_lengths_come_up_about_equally():
    sources, _ = reversals(2200, seed=1, minimum=3, maximum=24)
    counts = Counter(map(len, sources))
    assert sorted(counts) == list(range(3, 25))
    assert min(counts.values()) > 50  # 100 are expected of each


def test_only_letters_of_the_alphabet_are_used():
    sources, _ = reversals(200, seed=1, alphabet="xy")
    assert set("".join(sources)) == {"x", "y"}


def test_the_alphabet_has_twelve_letters_by_default():
    sources, _ = reversals(200, seed=1)
    assert set("".join(sources)) == set("abcdefghijkl")


def test_one_length_is_possible():
    sources, _ = reversals(10, minimum=5, maximum=5)
    assert {len(source) for source in sources} == {5}


def test_the_same_seed_gives_the_same_strings():
    assert reversals(20, seed=5) == reversals(20, seed=5)


def test_another_seed_gives_other_strings():
    assert reversals(20, seed=5) != reversals(20, seed=6)


@pytest.mark.parametrize(("minimum", "maximum"), [(0, 3), (5, 4)])
def test_impossible_lengths_are_refused(minimum, maximum):
    with pytest.raises(ValueError, match=f"Received: minimum={minimum}, maximum={maximum}"):
        reversals(1, minimum=minimum, maximum=maximum)


@pytest.mark.parametrize("alphabet", ["", "aba"])
def test_a_wrong_alphabet_is_refused(alphabet):
    with pytest.raises(ValueError, match=f"Received: '{alphabet}'"):
        reversals(1, alphabet=alphabet)


def test_a_negative_count_is_refused():
    with pytest.raises(ValueError, match="Received: -2"):
        reversals(-2)
