"""Small biLMs with random weights, and where the published fixture lies."""

import os
import sys
from pathlib import Path

import keras
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))  # so that tests can import numpy_elmo

from rnnkit.elmo import BiLM, BiLMOptions, extraction

SMALL = BiLMOptions(memory=12, projection=4, filters=((1, 3), (2, 5), (3, 2)), embedding=3)


def fixture_folder() -> Path | None:
    """The published model and its vectors, if they are here."""
    data = os.environ.get("RNNKIT_DATA")
    shared = Path(data).parent if data else Path(__file__).parents[3] / "shared"
    folder = shared / "fixtures" / "elmo" / "bilm-tf" / "tests" / "fixtures" / "model"
    return folder if folder.exists() else None


@pytest.fixture(autouse=True)
def short_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentences are read in shorter parts, whose graphs are made sooner."""
    monkeypatch.setattr(extraction, "LONGEST_PART", 8)


@pytest.fixture(scope="session")
def published() -> Path:
    folder = fixture_folder()
    if folder is None:
        pytest.skip("needs the published ELMo fixture: ../shared/fixtures/elmo")
    return folder


def random_bilm(options: BiLMOptions = SMALL, seed: int = 0, scale: float = 0.5) -> BiLM:
    """A biLM with normal weights, so large that clips are met now and then."""
    keras.utils.set_random_seed(seed)
    bilm = BiLM(options)
    generator = np.random.default_rng(seed)
    bilm.set_weights(
        [generator.normal(size=w.shape, scale=scale).astype("float32") for w in bilm.get_weights()]
    )
    return bilm
