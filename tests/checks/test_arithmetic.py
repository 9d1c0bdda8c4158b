"""On a GPU: no TF32, the same result each time, and all set back afterwards."""

import sys
from types import SimpleNamespace

import pytest

from rnnkit import checks


@pytest.fixture
def gpu(monkeypatch):
    """TensorFlow as it is where there is a GPU."""
    tf = pytest.importorskip("tensorflow")
    monkeypatch.setattr(tf.config, "list_physical_devices", lambda kind=None: ["GPU:0"])
    return tf


def settings(tf) -> tuple[bool, bool]:
    from tensorflow.python.framework import config

    tf32 = tf.config.experimental.tensor_float_32_execution_enabled()
    return tf32, config.is_op_determinism_enabled()


def test_tensorflow_is_exact_inside_and_as_before_afterwards(gpu) -> None:
    before = settings(gpu)
    with checks.exact_arithmetic():
        assert settings(gpu) == (False, True)
    assert settings(gpu) == before == (True, False)


def test_tensorflow_is_set_back_after_an_error(gpu) -> None:
    with pytest.raises(ZeroDivisionError), checks.exact_arithmetic():
        1 / 0  # noqa: B018
    assert settings(gpu) == (True, False)


def test_what_was_exact_before_stays_so(gpu) -> None:
    with checks.exact_arithmetic():
        with checks.exact_arithmetic():
            pass
        assert settings(gpu) == (False, True)


def test_each_check_is_exact(gpu) -> None:
    seen = []

    def answer(g, x, s):
        seen.append(settings(gpu))
        return g * x + (1 - g) * s

    checks.hard_gate(answer)
    assert set(seen) == {(False, True)}


def test_random_numbers_without_a_seed_stay_free_on_a_cpu() -> None:
    tf = pytest.importorskip("tensorflow")
    if tf.config.list_physical_devices("GPU"):
        pytest.skip("there is a GPU")
    with checks.exact_arithmetic():
        tf.random.normal((2,))  # with determinism on, an error
        assert settings(tf) == (True, False)


def test_pytorch_is_exact_inside_and_as_before_afterwards(monkeypatch) -> None:
    state = {"deterministic": False, "warn": False}

    def use(deterministic: bool, warn_only: bool) -> None:
        state.update(deterministic=deterministic, warn=warn_only)

    torch = SimpleNamespace(
        cuda=SimpleNamespace(is_available=lambda: True),
        backends=SimpleNamespace(
            cuda=SimpleNamespace(matmul=SimpleNamespace(allow_tf32=True)),
            cudnn=SimpleNamespace(allow_tf32=True),
        ),
        are_deterministic_algorithms_enabled=lambda: state["deterministic"],
        is_deterministic_algorithms_warn_only_enabled=lambda: state["warn"],
        use_deterministic_algorithms=use,
    )
    monkeypatch.setitem(sys.modules, "torch", torch)
    products, convolutions = torch.backends.cuda.matmul, torch.backends.cudnn
    with checks.exact_arithmetic():
        assert not products.allow_tf32
        assert not convolutions.allow_tf32
        assert state["deterministic"]
    assert products.allow_tf32
    assert convolutions.allow_tf32
    assert state == {"deterministic": False, "warn": False}


def test_jax_is_exact_inside_and_as_before_afterwards() -> None:
    jax = pytest.importorskip("jax")
    before = jax.config.jax_default_matmul_precision
    with checks.exact_arithmetic():
        assert jax.config.jax_default_matmul_precision == "highest"
    assert jax.config.jax_default_matmul_precision == before
