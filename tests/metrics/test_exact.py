import pytest

from rnnkit.metrics import exact_match


def test_the_share_of_equal_strings():
    assert exact_match(["a", "b", "c", "d"], ["a", "b", "c", "x"]) == 0.75


def test_a_prefix_is_no_match():
    assert exact_match(["ab"], ["abc"]) == 0.0


def test_the_result_is_a_plain_float():
    assert type(exact_match(["a"], ["a"])) is float


@pytest.mark.parametrize(("predictions", "targets"), [([], []), (["a"], ["a", "b"])])
def test_lists_that_do_not_fit_are_refused(predictions, targets):
    with pytest.raises(ValueError, match=f"{len(predictions)} predictions, {len(targets)} targets"):
        exact_match(predictions, targets)


def test_two_strings_are_refused():
    with pytest.raises(ValueError, match="must be lists of strings"):
        exact_match("abc", "abd")
