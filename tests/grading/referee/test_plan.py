"""Which cells the referee runs itself, and which names it asks for."""

from tiny_unit import UNIT

from rnnkit.grading.assignment import Assignment
from rnnkit.grading.referee.plan import OwnCell, cells_of_gradebook, plan_tests


def plan(*cells: tuple[str, str, str], test: str = "t", in_kernel: tuple[str, ...] = ()):
    ours = [each for each in cells if each[2] != "answer"]
    own = tuple(OwnCell(name, source, kind == "test") for name, source, kind in ours)
    return plan_tests(own, in_kernel).get(test)


SETUP = ("setup", "import numpy as np", "given")
ANSWER = ("q", "def f(x):\n    return x", "answer")


def test_a_test_asks_for_what_the_student_defines() -> None:
    found = plan(SETUP, ANSWER, ("t", "assert np.sum(f(1)) == 1", "test"))
    assert found.asks == ("f",)
    assert found.given == (("setup", "import numpy as np"),)


def test_given_cell_that_uses_an_answer_is_the_students() -> None:
    wrapper = ("w", "def g(x):\n    return f(x)", "given")
    found = plan(SETUP, ANSWER, wrapper, ("t", "assert g(1) == 1", "test"))
    assert found.asks == ("g",)
    assert found.given == ()


def test_given_cells_bring_those_that_they_need() -> None:
    data = ("data", "numbers = np.arange(3)", "given")
    found = plan(SETUP, data, ANSWER, ("t", "assert f(numbers) is not None", "test"))
    assert [name for name, _ in found.given] == ["setup", "data"]


def test_given_cells_that_no_test_needs_do_not_run() -> None:
    training = ("train", "model = np.zeros(3)", "given")
    found = plan(SETUP, training, ANSWER, ("t", "assert f(1) == 1", "test"))
    assert found.given == ()


def test_what_a_student_binds_again_stays_the_referees() -> None:
    rebound = ("q", "np = None\ndef f(x):\n    return x", "answer")
    found = plan(SETUP, rebound, ("t", "assert np.sum(f(1)) == 1", "test"))
    assert found.asks == ("f",)


def test_cells_of_the_gradebook_are_the_courses_own_with_their_hidden_lines(
    assignment: Assignment,
) -> None:
    cells = cells_of_gradebook(f"sqlite:///{assignment.gradebook}", UNIT, UNIT)
    assert [(cell.name, cell.is_test) for cell in cells] == [
        ("q1-double-test", True),
        ("q2-greet-test", True),
    ]
    assert "secret_number = 21" in cells[0].source


def test_calls_on_modules_make_no_cell_needed() -> None:
    training = ("train", "np.random.seed(1)\nmodel = 3", "given")
    found = plan(SETUP, training, ANSWER, ("t", "assert np.sum(f(1)) == 1", "test"))
    assert [name for name, _ in found.given] == ["setup"]


def test_given_cell_that_changes_what_a_test_uses_is_needed() -> None:
    cells = (
        ("list", "words = []", "given"),
        ("fill", "words.append('a')", "given"),
        ANSWER,
        ("t", "assert f(words) == words", "test"),
    )
    assert [name for name, _ in plan(*cells).given] == ["list", "fill"]


def test_names_that_an_earlier_test_has_set_are_not_asked_for() -> None:
    found = plan(ANSWER, ("s", "expected = 3", "test"), ("t", "assert f(3) == expected", "test"))
    assert found.asks == ("f",)


def test_name_that_a_test_uses_before_it_sets_it_is_asked_for() -> None:
    found = plan(ANSWER, ("t", "x = x + 1\nassert f(x)", "test"))
    assert found.asks == ("f", "x")


def test_cells_with_their_own_place_in_the_kernel_have_no_plan() -> None:
    assert plan(ANSWER, ("t", "assert f(1)", "test"), in_kernel=("t",)) is None


def test_builtins_are_not_asked_for() -> None:
    found = plan(ANSWER, ("t", "display(f(1))\nassert len([f(1)])", "test"))
    assert found.asks == ("f",)


def test_given_cell_with_ipythons_own_lines_is_ours_without_them() -> None:
    setup = ("setup", "%matplotlib inline\nimport numpy as np\nPAD = 0", "given")
    found = plan(setup, ANSWER, ("t", "assert np.sum(f(PAD)) == PAD", "test"))
    assert found.asks == ("f",)
    assert found.given == (("setup", "import numpy as np\nPAD = 0"),)


def test_what_a_given_cell_imports_is_ours_whatever_else_it_does() -> None:
    mixed = ("mixed", "import numpy as np\nprint(f(1))", "given")
    unclear = ("unclear", "import math\nexec('x = 1')", "given")
    found = plan(mixed, unclear, ANSWER, ("t", "assert np.sum(f(1)) == math.pi", "test"))
    assert found.asks == ("f",)
    assert found.given == (("mixed", "import numpy as np"), ("unclear", "import math"))


def test_given_cell_that_only_changes_an_answer_does_not_make_it_ours() -> None:
    fits = ("fit", "model.fit(1)", "given")
    found = plan(("q", "model = 3", "answer"), fits, ("t", "assert model", "test"))
    assert found.asks == ("model",)
    assert found.given == ()


def test_names_that_a_test_sets_before_it_uses_them_are_not_told() -> None:
    source = "secret = 3\nfor hidden in range(3):\n    assert f(hidden) == [h for h in (secret,)]"
    assert plan(ANSWER, ("t", source, "test")).asks == ("f",)
