"""The made-up unit of the grading tests, with answer files."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "grading"))
sys.path.insert(0, str(Path(__file__).parent))

from tiny_unit import UNIT, make_kit


@pytest.fixture
def tiny_kit_with_answers(tmp_path: Path) -> Path:
    """A kit's folder with a right, a wrong and a blank answer."""
    kit = make_kit(tmp_path / "kit")
    answers = kit.answers / UNIT
    answers.mkdir(parents=True)
    double = "# %% q1-double\ndef double(x):\n    return {}\n"
    (answers / "right_sum.py").write_text("# right: adds\n" + double.format("x + x"))
    (answers / "wrong_square.py").write_text(
        "# wrong: squares\n# loses: q1-double-test\n" + double.format("x * x")
    )
    (answers / "blank.py").write_text("# blank: as released\n")
    return kit.root
