"""Arithmetic that gives the same numbers on a GPU as on a CPU, and each time."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any


@contextmanager
def exact_arithmetic() -> Iterator[None]:
    """On a GPU: matrix products in full float32 (no TF32), and the same result each time.

    With TF32, a GPU keeps 10 bits of each factor's fraction, and a right answer
    differs from the reference by more than the checks allow. Each check runs
    inside this block. It touches only those of TensorFlow, PyTorch and JAX that
    are loaded, and sets them back as they were. On a CPU it changes nothing.

    Example:

    >>> with exact_arithmetic():
    ...     total = 1 + 1
    """
    with ExitStack() as stack:
        for name, settings in (
            ("tensorflow", _tensorflow),
            ("torch", _torch),
            ("jax", _jax),
        ):
            if name in sys.modules:
                stack.enter_context(settings(sys.modules[name]))
        yield


@contextmanager
def _tensorflow(tf: Any) -> Iterator[None]:
    # Not on a CPU: with determinism on, TensorFlow refuses random numbers without a seed.
    if not hasattr(tf, "config") or not tf.config.list_physical_devices("GPU"):
        yield
        return
    # Only this module can say whether determinism is on, and turn it off again.
    from tensorflow.python.framework import config

    tf32 = tf.config.experimental.tensor_float_32_execution_enabled()
    deterministic = config.is_op_determinism_enabled()
    tf.config.experimental.enable_tensor_float_32_execution(False)
    tf.config.experimental.enable_op_determinism()
    try:
        yield
    finally:
        tf.config.experimental.enable_tensor_float_32_execution(tf32)
        if not deterministic:
            config.disable_op_determinism()


@contextmanager
def _torch(torch: Any) -> Iterator[None]:
    if not hasattr(torch, "cuda") or not torch.cuda.is_available():
        yield
        return
    products, convolutions = torch.backends.cuda.matmul, torch.backends.cudnn
    before = (products.allow_tf32, convolutions.allow_tf32)
    deterministic = torch.are_deterministic_algorithms_enabled()
    warn_only = torch.is_deterministic_algorithms_warn_only_enabled()
    products.allow_tf32 = convolutions.allow_tf32 = False
    # Warn only: cuBLAS is deterministic where a variable was set before the start.
    torch.use_deterministic_algorithms(True, warn_only=True)
    try:
        yield
    finally:
        products.allow_tf32, convolutions.allow_tf32 = before
        torch.use_deterministic_algorithms(deterministic, warn_only=warn_only)


@contextmanager
def _jax(jax: Any) -> Iterator[None]:
    # JAX chooses deterministic algorithms by a flag that is read at its start.
    if not hasattr(jax, "default_matmul_precision"):
        yield
        return
    with jax.default_matmul_precision("highest"):
        yield
