"""What all generated sets have in common."""

import inspect
import os
import subprocess
import sys

import pytest

from rnnkit import data

SETS = (
    data.acceptability,
    data.agreement,
    data.arithmetic,
    data.bank_sentences,
    data.copying,
    data.counting,
    data.dates,
    data.paraphrases,
    data.reversals,
    data.tagged_sentences,
    data.text_to_text,
    data.tickets,
)
WITH_SPLITS = tuple(make for make in SETS if "split" in inspect.signature(make).parameters)


def names(functions):
    return [function.__name__ for function in functions]


def examples_of(made):
    """What the examples are, as texts; of a paraphrase both sentences."""
    return {str(row) for row in zip(*made[: 2 if hasattr(made, "first") else 1], strict=True)}


@pytest.mark.parametrize("make", SETS, ids=names(SETS))
def test_the_same_seed_gives_the_same_examples(make):
    one, other = make(40, seed=3), make(40, seed=3)
    assert repr(one) == repr(other)


@pytest.mark.parametrize("make", SETS, ids=names(SETS))
def test_another_seed_gives_other_examples(make):
    assert repr(make(40, seed=3)) != repr(make(40, seed=4))


@pytest.mark.parametrize("make", SETS, ids=names(SETS))
def test_there_are_as_many_examples_as_asked_for(make):
    made = make(33)
    assert {len(column) for column in made if not isinstance(column, int)} == {33}


@pytest.mark.parametrize("make", SETS, ids=names(SETS))
def test_no_examples_are_no_error(make):
    made = [column for column in make(0) if not isinstance(column, int)]
    assert {len(column) for column in made} == {0}
    assert len({id(column) for column in made}) == len(made)  # each is a list of its own


@pytest.mark.parametrize("make", SETS, ids=names(SETS))
def test_a_negative_count_is_refused(make):
    with pytest.raises(ValueError, match=r"count must be .*0 or more. Received: -1"):
        make(-1)


@pytest.mark.parametrize("make", WITH_SPLITS, ids=names(WITH_SPLITS))
def test_the_splits_share_no_example(make):
    train, valid, test = (
        examples_of(make(1500, split=split, seed=seed))
        for split, seed in (("train", 1), ("valid", 1), ("test", 2))
    )
    assert not train & valid
    assert not train & test
    assert not valid & test


@pytest.mark.parametrize("make", WITH_SPLITS, ids=names(WITH_SPLITS))
def test_an_unknown_split_is_refused(make):
    with pytest.raises(ValueError, match="Received: 'dev'"):
        make(1, split="dev")


def test_the_examples_do_not_hang_on_how_python_hashes():
    code = "from rnnkit import data; print(data.agreement(5), data.tickets(5), data.paraphrases(5))"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
