"""A training that is killed and started again ends with the same numbers, to the bit."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.slow

# Arguments: folder of checkpoints, the step to be killed at (0: none), file for the weights.
PROGRAM = """
import os, signal, sys
import numpy as np
import keras
from rnnkit.elmo import BiLM, BiLMOptions, BiLMTraining, WordList

folder, kill_at, weights = sys.argv[1], int(sys.argv[2]), sys.argv[3]
generator = np.random.default_rng(0)
text = [[f"w{n}" for n in generator.zipf(1.5, size=12) % 60] for _ in range(80)]
keras.utils.set_random_seed(1)
options = BiLMOptions(memory=32, projection=16, filters=((1, 8), (2, 8), (3, 16)))
bilm = BiLM(options, dropout=0.1)
words = WordList.from_sentences(text)
training = BiLMTraining(bilm, words, batch=8, unroll=5, negatives=20, seed=3)
if kill_at:
    step = training.train_on_batch

    def killed(batch):
        if int(training.optimizer.iterations) == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return step(batch)

    training.train_on_batch = killed
training.fit(text, epochs=2, validation=text[:10], checkpoint=folder, every=7)
np.savez(weights, *training.get_weights())
"""


def run(folder: Path, kill_at: int, weights: Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder), str(kill_at), str(weights)],
        env={**os.environ, "PYTHONHASHSEED": "random"},
        capture_output=True,
        text=True,
    )


def test_a_killed_training_ends_with_the_same_weights(tmp_path) -> None:
    plain, resumed = tmp_path / "plain.npz", tmp_path / "resumed.npz"
    done = run(tmp_path / "one", 0, plain)
    assert done.returncode == 0, done.stderr
    killed = run(tmp_path / "two", 40, resumed)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert not resumed.exists()
    done = run(tmp_path / "two", 0, resumed)
    assert done.returncode == 0, done.stderr
    assert "going on after step 35 of 54" in done.stdout
    with np.load(plain) as one, np.load(resumed) as other:
        assert one.files == other.files
        for name in one.files:
            np.testing.assert_array_equal(one[name], other[name])
