import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnnkit.metrics import bits_per_character, perplexity


@pytest.mark.parametrize("size", [2, 27, 50_000])
def test_equal_probabilities_give_the_size_of_the_vocabulary(size):
    assert perplexity(np.full((3, 4), -math.log(size))) == pytest.approx(size)


def test_certainty_gives_one_and_no_bits():
    assert perplexity([0.0, 0.0]) == 1.0
    assert bits_per_character([0.0, 0.0]) == 0.0


def test_it_is_the_exponential_of_the_mean_of_all_symbols():
    # Not of the mean of rows: the longer row weighs more.
    values = np.log([[0.5, 0.5, 0.5], [0.125, 1.0, 1.0]])
    mask = np.array([[True, True, True], [True, False, False]])
    assert perplexity(values, mask) == pytest.approx(2 ** (6 / 4))


def test_what_stands_on_padding_does_not_matter():
    values, mask = np.array([-1.0, np.nan, 7.0]), np.array([True, False, False])
    assert perplexity(values, mask) == pytest.approx(math.e)


def test_an_impossible_symbol_makes_it_infinite():
    assert perplexity([-1.0, -np.inf]) == math.inf
    assert perplexity([-1e6]) == math.inf


def test_bits_are_counted_in_twos():
    assert bits_per_character(np.log([0.5, 0.125])) == pytest.approx(2.0)


@given(st.lists(st.floats(-20, 0), min_size=1))
def test_bits_are_the_binary_logarithm_of_the_perplexity(values):
    expected = math.log2(perplexity(values))
    assert bits_per_character(values) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("value", [0.5, np.nan, np.inf])
def test_what_is_no_log_probability_is_refused(value):
    with pytest.raises(ValueError, match=f"log softmax first. Received: {value}"):
        perplexity([-1.0, value])


def test_a_rounding_error_above_nought_is_taken():
    assert perplexity(np.array([1e-7], "float32")) == 1.0


def test_no_real_position_is_refused():
    for values, mask in (([], None), ([-1.0], [False])):
        with pytest.raises(ValueError, match="at least one real position"):
            perplexity(values, mask)


@pytest.mark.parametrize("mask", [[True], [1, 0]])
def test_a_mask_that_does_not_fit_is_refused(mask):
    with pytest.raises(ValueError, match=r"mask must be bool, with the shape \(2,\)"):
        perplexity([-1.0, -2.0], mask)
