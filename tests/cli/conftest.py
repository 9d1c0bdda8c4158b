"""The made-up unit of the grading tests, with answer files."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "grading"))
sys.path.insert(0, str(Path(__file__).parent))

from tiny_unit import make_kit, write_answers


@pytest.fixture
def tiny_kit_with_answers(tmp_path: Path) -> Path:
    """A kit's folder with a right, a wrong and a blank answer."""
    kit = make_kit(tmp_path / "kit")
    write_answers(kit)
    return kit.root
