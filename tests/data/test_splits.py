import itertools
import random
from collections import Counter

import pytest

from rnnkit.data import splits


def numbers(count, split="train", seed=0, below=10_000, **settings):
    return splits.draw(
        count,
        split,
        seed,
        plan=lambda generator: generator.randrange(below),
        write=settings.pop("write", lambda number: [number]),
        **settings,
    )


def test_eight_of_ten_examples_are_for_training():
    counts = Counter(splits.split_of(number) for number in range(20_000))
    assert counts["train"] == pytest.approx(16_000, abs=300)
    assert counts["valid"] == pytest.approx(2_000, abs=200)


def test_the_split_of_a_text_never_changes():
    texts = ["the bank", "el banco", "die Bank", "銀行"]
    assert [splits.split_of(text) for text in texts] == ["train", "test", "train", "train"]


def test_examples_are_of_the_split_asked_for():
    assert {splits.split_of(number) for number in numbers(300, split="valid")} == {"valid"}


def test_the_key_decides_the_split():
    drawn = numbers(100, split="test", key=lambda number: number // 100)
    assert {splits.split_of(number // 100) for number in drawn} == {"test"}


def test_what_one_plan_gives_stays_together():
    drawn = numbers(40, write=lambda number: [(number, "a"), (number, "b")])
    assert all(count == 2 for count in Counter(number for number, _ in drawn).values())


def test_what_one_plan_gives_does_not_stand_side_by_side():
    drawn = numbers(1000, write=lambda number: [(number, "a"), (number, "b")])
    neighbours = sum(one[0] == other[0] for one, other in itertools.pairwise(drawn))
    assert neighbours < 20  # in order there would be 500


def test_exactly_as_many_as_asked_for_are_drawn():
    assert len(numbers(7, write=lambda number: [number] * 4)) == 7


def test_an_empty_split_is_an_error_and_no_endless_search():
    with pytest.raises(ValueError, match="Received: settings with none in split='test'"):
        numbers(1, split="test", below=1)


def test_random_numbers_of_others_are_left_alone():
    random.seed(5)
    before = random.getstate()
    numbers(10)
    assert random.getstate() == before


@pytest.mark.parametrize("split", ["dev", "", None, "Train"])
def test_an_unknown_split_is_refused(split):
    with pytest.raises(ValueError, match=f"train, valid, test. Received: {split!r}"):
        numbers(1, split=split)


@pytest.mark.parametrize("count", [-1, 2.0, "3"])
def test_a_count_that_is_none_is_refused(count):
    with pytest.raises(ValueError, match=f"0 or more. Received: {count!r}"):
        numbers(count)
