"""On a GPU, what the referee asks for is computed without TF32, the same each time."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Any:
    """TensorFlow as it is where there is a GPU."""
    tf = pytest.importorskip("tensorflow")
    monkeypatch.setattr(tf.config, "list_physical_devices", lambda kind=None: ["GPU:0"])
    return tf


def settings(tf: Any) -> tuple[bool, bool]:
    """Whether TF32 and determinism are on."""
    from tensorflow.python.framework import config

    tf32 = tf.config.experimental.tensor_float_32_execution_enabled()
    return tf32, config.is_op_determinism_enabled()


def test_a_call_is_exact_and_the_kernel_as_before_afterwards(
    gpu: Any, link_to: Callable[..., Any]
) -> None:
    answer = link_to(answer=lambda: list(settings(gpu))).names(["answer"])["answer"]
    assert answer() == [False, True]
    assert settings(gpu) == (True, False)


def test_a_gradient_is_taken_exactly(gpu: Any, link_to: Callable[..., Any]) -> None:
    seen = []

    def answer(x: Any) -> Any:
        seen.append(settings(gpu))
        return x * x

    ones = np.ones((1, 2, 3), "float32")
    proxy = link_to(answer=answer).names(["answer"])["answer"]
    assert np.allclose(proxy.gradient_elsewhere(ones, ones), 2.0)
    assert set(seen) == {(False, True)}
