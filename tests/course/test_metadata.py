"""nbgrader metadata and points."""

import jupytext
import pytest

from rnnkit.course.metadata import check_metadata, check_points
from rnnkit.course.notebooks import normalise

SOLUTION = '"grade_id": "q1-double", "locked": false, "schema_version": 3, "solution": true'
TEST = '"locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false'


@pytest.fixture
def problems(sound):
    """What is wrong with the sound unit after words in it were replaced."""

    def look(*changes):
        source = sound
        for old, new in changes:
            assert old in source, f"the sound unit has no {old!r}"
            source = source.replace(old, new)
        notebook = normalise(jupytext.reads(source, fmt="py:percent"), paired=True)
        found = check_metadata(notebook, source, "unit.py") + check_points(notebook, "unit.py")
        return [str(finding) for finding in found]

    return look


def test_a_sound_unit_has_no_problem(problems):
    assert problems() == []


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        (
            '"schema_version": 3, "solution": true, "task": false}\ndef',
            '"solution": true, "task": false}\ndef',
            "unit.py: cell 3 (q1-double): nbgrader metadata has no schema_version (write 3)",
        ),
        (
            TEST,
            TEST.replace("3", "2"),
            "unit.py: cell 4 (q1-double-test): nbgrader metadata has schema_version 2; "
            "nbgrader now writes 3",
        ),
        (
            '"grade_id": "q1-double-test"',
            '"grade_id": "q1 double"',
            "unit.py: cell 4 (q1 double): grade_id must be 1 to 64 letters, digits, '-' or '_'. "
            "Received: grade_id='q1 double'",
        ),
        (
            '{"grade": false, ',
            "{",
            "unit.py: cell 3 (q1-double): nbgrader metadata must say true or false for: grade",
        ),
        (
            SOLUTION,
            SOLUTION.replace('"locked": false', '"locked": true'),
            "unit.py: cell 3 (q1-double): a solution cell is locked: no student could write in it",
        ),
        (
            TEST,
            TEST.replace('"locked": true', '"locked": false'),
            "unit.py: cell 4 (q1-double-test): a test cell is not locked: "
            "a student could change the tests",
        ),
        (
            '"locked": false, "points": 1, "schema_version": 3, "solution": true',
            '"locked": true, "points": 1, "schema_version": 3, "solution": false',
            "unit.py: cell 6 (q2-why): a written answer must be both graded and a solution",
        ),
        (
            TEST,
            TEST.replace('"points": 2', '"points": -2'),
            "unit.py: cell 4 (q1-double-test): a graded cell needs points, 0 or more. "
            "Received: points=-2",
        ),
        (
            SOLUTION,
            f'{SOLUTION}, "points": 5',
            "unit.py: cell 3 (q1-double): a cell that is not graded has points: 5",
        ),
        (
            "    ### END SOLUTION\n",
            "",
            "unit.py: cell 3 (q1-double): each BEGIN SOLUTION must be closed by one END SOLUTION",
        ),
        (
            "# It follows",
            "# ### BEGIN HIDDEN TESTS\n# ### END HIDDEN TESTS\n# It follows",
            "unit.py: cell 1: BEGIN HIDDEN TESTS stands in a cell that is not a graded cell",
        ),
        (
            "# It follows",
            "# ### BEGIN SOLUTION\n# ### END SOLUTION\n# It follows",
            "unit.py: cell 1: BEGIN SOLUTION stands in a cell that is not a solution cell",
        ),
        (
            '"q1-double-test"',
            '"q1-double"',
            "unit.py: grade_id 'q1-double' is used twice: cells 3 and 4",
        ),
        (
            '"grade_id": "q2-why", ',
            '"grade_id": "q2-why" ',
            "unit.py: 3 cells are written with nbgrader metadata, 2 could be read: "
            "write each as JSON, as in docs/authors.md",
        ),
        (
            "#     points: 3",
            "#     points: 4",
            "unit.py: the points do not add up: graded cells give 3, the header says 4",
        ),
        (
            "Double (2 points)",
            "Double (1 point)",
            "unit.py: the points do not add up: question headings give 2, the header says 3",
        ),
        (
            "#   rnnkit:\n#     points: 3\n",
            "",
            "unit.py: the YAML header does not state the unit's points (rnnkit: points: 20)",
        ),
    ],
    ids=lambda text: text if text.startswith("unit.py") else "",
)
def test_each_fault_is_found(problems, old, new, finding):
    assert finding in problems((old, new))


def test_a_graded_solution_in_code_has_no_tests_that_run(problems):
    graded = SOLUTION.replace('"solution"', '"points": 0, "solution"')
    (finding,) = [
        line
        for line in problems(('{"grade": false, ' + SOLUTION, '{"grade": true, ' + graded))
        if "q1-double)" in line
    ]
    assert "a code cell is both a solution and graded" in finding


def test_a_solution_after_the_last_test_is_not_tested(problems):
    last = (
        '\n# %% nbgrader={"grade": false, "grade_id": "q3", "locked": false, '
        '"schema_version": 3, "solution": true, "task": false}\nx = 1\n'
    )
    end = "gives its double.\n"
    assert problems((end, end + last)) == [
        "unit.py: cell 7 (q3): no test cell stands after this solution cell"
    ]


def test_all_faults_are_told_at_once(problems):
    found = problems(("#     points: 3", "#     points: 4"), ('"schema_version": 3', '"x": 3'))
    assert len(found) == 5


def test_a_total_in_the_title_does_not_count_as_a_question(problems):
    assert problems(("# # A small unit", "# # A small unit (3 points)")) == []


def test_half_points_add_up(problems):
    assert (
        problems(
            ('"points": 2,', '"points": 1.5,'),
            ("(2 points)", "(1.5 points)"),
            ('"points": 1,', '"points": 1.5,'),
            ("(1 point)", "(1.5 points)"),
        )
        == []
    )
