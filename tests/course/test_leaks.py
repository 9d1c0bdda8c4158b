"""Answers and hidden tests in exercises."""

import pytest

FILE = "exercises/01_toy/01_toy.ipynb"


@pytest.fixture
def leaks(found):
    """The findings about the exercise, without those of the comparison."""
    return lambda: [
        line for line in found() if line.startswith(FILE) and "rnnkit build" not in line
    ]


@pytest.fixture
def put_into_exercise(kit):
    """Write the sources of the solution notebook's cells over the exercise's."""

    def put():
        kit.exercise_notebook("01_toy").write_bytes(kit.solution_notebook("01_toy").read_bytes())

    return put


def test_a_sound_exercise_shows_nothing(add_unit, sound, leaks):
    add_unit(sound)
    assert leaks() == []


@pytest.mark.parametrize(
    "marker", ["BEGIN SOLUTION", "END SOLUTION", "BEGIN HIDDEN TESTS", "END HIDDEN TESTS"]
)
def test_each_marker_left_is_named(add_unit, sound, put_into_exercise, leaks, marker):
    add_unit(sound)
    put_into_exercise()
    assert any(line.endswith(f": {marker} is left in the exercise") for line in leaks())


def test_an_answer_left_is_named_with_its_cell(add_unit, sound, put_into_exercise, leaks):
    add_unit(sound)
    put_into_exercise()
    assert (
        f"{FILE}: cell 3 (q1-double): shows the answer of cell 3 (q1-double): "
        "return number + number"
    ) in leaks()


def test_an_answer_repeated_elsewhere_in_the_source_is_named(add_unit, sound, leaks):
    hint = "# %%\nif False:\n        # another comment\n        return number + number\n\n"
    add_unit(sound.replace("# %% [markdown]\n# ## Why", f"{hint}# %% [markdown]\n# ## Why"))
    assert leaks() == [
        f"{FILE}: cell 5: shows the answer of cell 3 (q1-double): return number + number"
    ]


def test_a_written_answer_repeated_elsewhere_is_named(add_unit, sound, leaks):
    answer = "# Because an addition of a number to itself gives its double.\n"
    add_unit(sound.replace("# ## Why? (1 point)\n", f"# ## Why? (1 point)\n{answer}"))
    (finding,) = leaks()
    assert "cell 5: shows the answer of cell 6 (q2-why)" in finding


def test_a_hidden_test_repeated_elsewhere_is_named(add_unit, sound, leaks):
    hidden = '# %%\nassert double(-1) == -2, "negative too"\n\n'
    add_unit(sound.replace("# %% [markdown]\n# ## Why", f"{hidden}# %% [markdown]\n# ## Why"))
    (finding,) = leaks()
    assert "cell 5: shows the hidden test of cell 4 (q1-double-test)" in finding


def test_a_very_short_answer_may_stand_elsewhere(add_unit, sound, leaks):
    short = sound.replace("return number + number", "return 4")
    add_unit(short.replace("# ## Why", "# return 4\n# ## Why"))
    assert leaks() == []
