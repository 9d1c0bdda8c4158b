"""Runs of the reference. One kernel takes a second or two, so faults share one."""

import pytest

from rnnkit.course.notebooks import read_script
from rnnkit.course.reference import check_reference

TEST = (
    '\n# %% nbgrader={"grade": true, "grade_id": "GRADE_ID", "locked": true, "points": 2, '
    '"schema_version": 3, "solution": false, "task": false}\n'
)


@pytest.fixture
def problems(kit, write_source):
    """What a run of a source finds."""

    def look(source):
        write_source(source)
        (kit.solutions / "01_toy" / "words.txt").write_text("beside the notebook")
        notebook = read_script(kit.source_script("01_toy"))
        return [str(finding) for finding in check_reference(kit, "01_toy", notebook)]

    return look


def test_each_cell_that_would_lose_points_is_named(problems, sound, kit):
    bodies = {
        "stderr": "import sys\nprint('careful', file=sys.stderr)",
        "stdout": "print('fine')",
        "fails": "assert double(1) == 3, 'not three'",
        "partial": "1.5",
        "full": "2",
        "fast": "import os\nassert os.environ['RNNKIT_FAST'] == '1'",
        "beside": "assert open('words.txt').read() == 'beside the notebook'",
        "writes": "open('left.txt', 'w').close()",
    }
    ungraded = "\n# %%\nimport sys\nprint('not graded', file=sys.stderr)\n"
    cells = [TEST.replace("GRADE_ID", name) + body + "\n" for name, body in bodies.items()]
    file = "solutions/01_toy/01_toy.py"
    assert problems(sound + ungraded + "".join(cells)) == [
        f"{file}: cell 8 (stderr): prints to stderr, for which nbgrader gives 0: 'careful'",
        f"{file}: cell 10 (fails): fails when the reference runs: AssertionError: not three",
        f"{file}: cell 11 (partial): gives the reference 1.5 of 2 points",
    ]
    assert not (kit.solutions / "01_toy" / "left.txt").exists()


def test_a_kernel_that_dies_is_named(problems):
    (finding,) = problems("# %%\nimport os\nos._exit(1)\n")
    assert finding.startswith(
        "solutions/01_toy/01_toy.py: the run of the reference stopped: the kernel died"
    )


def test_a_cell_without_end_is_stopped(problems, kit):
    config = kit.root / "nbgrader_config.py"
    config.write_text(config.read_text() + "\nc.ExecutePreprocessor.timeout = 1\n")
    interrupted, stopped = problems("# %%\nwhile True:\n    pass\n")
    assert "cell 1: fails when the reference runs: KeyboardInterrupt" in interrupted
    assert stopped.endswith("the run of the reference stopped: a cell took more than 1 s")
