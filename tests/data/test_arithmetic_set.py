import re
from collections import Counter

import pytest

from rnnkit.data import arithmetic


def parts(source):
    first, operation, second = re.fullmatch(r"(\d+)([+-])(\d+)=", source).groups()
    return int(first), operation, int(second)


def test_each_answer_is_right():
    data = arithmetic(500, digits=[1, 2, 3, 4], seed=1)
    for source, target in zip(data.sources, data.targets, strict=True):
        first, operation, second = parts(source)
        assert int(target) == (first + second if operation == "+" else first - second)


def test_no_number_has_a_leading_zero():
    data = arithmetic(500, seed=1)
    numbers = [number for source in data.sources for number in re.findall(r"\d+", source)]
    assert all(number == str(int(number)) for number in [*numbers, *data.targets])


def test_no_answer_is_negative():
    assert not any(target.startswith("-") for target in arithmetic(500, seed=1).targets)


def test_digits_are_those_of_the_longer_number():
    data = arithmetic(300, seed=1)
    for source, digits in zip(data.sources, data.digits, strict=True):
        first, _, second = parts(source)
        assert digits == max(len(str(first)), len(str(second)))


def test_all_numbers_of_digits_come_up_about_equally():
    counts = Counter(arithmetic(3000, digits=[1, 2, 3], seed=1).digits)
    assert sorted(counts) == [1, 2, 3]
    assert min(counts.values()) > 850


def test_the_longer_number_comes_first_and_second_in_sums():
    pairs = [parts(source) for source in arithmetic(500, operations="+", seed=1).sources]
    longer_first = sum(first > second for first, _, second in pairs)
    assert 200 < longer_first < 300


def test_only_the_operations_asked_for_are_used():
    assert {parts(source)[1] for source in arithmetic(50, operations="-").sources} == {"-"}


def test_a_sum_turned_round_is_in_the_same_split():
    train = {parts(source) for source in arithmetic(3000, digits=[1, 2], seed=1).sources}
    test = {parts(source) for source in arithmetic(500, digits=[1, 2], split="test").sources}
    assert not train & {(second, operation, first) for first, operation, second in test}


def test_sums_of_one_digit_have_a_test_part_too():
    assert len(arithmetic(10, digits=[1], operations="+", split="test").sources) == 10


@pytest.mark.parametrize("digits", [[], [0], [10], [1, 2.5], ["2"]])
def test_impossible_digits_are_refused(digits):
    with pytest.raises(ValueError, match="digits must be a list of numbers from 1 to 9"):
        arithmetic(1, digits=digits)


@pytest.mark.parametrize("operations", ["", "*", "++"])
def test_unknown_operations_are_refused(operations):
    with pytest.raises(ValueError, match="operations must be"):
        arithmetic(1, operations=operations)
