"""Times of several contenders, taken turn by turn in one run."""

import importlib.util
import os
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

Contenders = Mapping[str, Callable[[], object]]
Steps = tuple[Callable[[], object], Callable[[], object]]  # of training, and of inference
HAS_TORCH = importlib.util.find_spec("torch") is not None


def keras_steps(layer: Any, run: Callable[[], Any], jit: bool) -> Steps:
    """A training step (values and gradients of all weights) and an inference step.

    Args:
        layer: A Keras layer on TensorFlow.
        run: Calls it on its inputs; returns a tensor.
        jit: Whether XLA compiles the steps.
    """
    import tensorflow as tf

    run()
    weights = [variable.value for variable in layer.trainable_variables]

    def train() -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(run()))
        return tape.gradient(loss, weights)

    compiled = [tf.function(each, jit_compile=jit) for each in (train, run)]
    return (lambda: compiled[0]()[0].numpy()), (lambda: compiled[1]().numpy())


def torch_steps(module: Any, run: Callable[[], Any]) -> Steps:
    """The same two steps of a PyTorch module."""
    import torch

    def train() -> None:
        module.zero_grad()
        run().square().mean().backward()

    def infer() -> None:
        with torch.no_grad():
            run()

    return train, infer


def measure(contenders: Contenders, rounds: int = 25, in_a_row: int = 1) -> dict[str, list[float]]:
    """Run each contender in each round, so that all see the same machine.

    Args:
        contenders: Name to a function that does one step and waits for its result.
        rounds: How many times each has its turn; a first time, for tracing and
            compiling, does not count.
        in_a_row: Steps of a turn. Where steps follow each other in real use too, as
            the sentences of a text do, a turn of one would find all caches filled by
            the others.

    Returns:
        Name to the seconds of a step, for each turn.
    """
    for step in contenders.values():
        step()
        step()
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, step in contenders.items():
            begin = time.perf_counter()
            for _ in range(in_a_row):
                step()
            times[name].append((time.perf_counter() - begin) / in_a_row)
    return times


def table(title: str, times: Mapping[str, list[float]], tokens: int, beside: str) -> str:
    """A Markdown table: the median with its quartiles, and the median of the rounds' ratios.

    Args:
        title: What was measured.
        times: What `measure` returned.
        tokens: How many tokens one step reads.
        beside: The name that the ratios are taken beside.
    """
    others = [name for name in times if name.startswith("PyTorch")]
    columns = ["", "ms a step", "k tokens/s", f"times {beside}", *(f"times {n}" for n in others)]
    lines = [f"### {title}", "", _row(columns), _row(["---"] * len(columns))]
    for name, each in times.items():
        low, middle, high = statistics.quantiles(each, n=4)
        cells = [f"{1000 * middle:.1f} ({1000 * low:.1f} to {1000 * high:.1f})"]
        cells.append(f"{tokens / middle / 1000:.1f}")
        cells += [_ratio(times[other], each) for other in (beside, *others)]
        lines.append(_row([name, *cells]))
    return "\n".join(lines) + "\n"


def _ratio(theirs: list[float], ours: list[float]) -> str:
    """How many times faster: the median of the rounds' ratios, with its quartiles."""
    low, middle, high = statistics.quantiles(
        [a / b for a, b in zip(theirs, ours, strict=True)], n=4
    )
    return f"{middle:.2f} ({low:.2f} to {high:.2f})"


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def machine() -> str:
    """One line about what the numbers were taken on."""
    import keras
    import tensorflow

    line = f"Keras {keras.__version__}, TensorFlow {tensorflow.__version__}"
    try:
        import torch

        line += f", PyTorch {torch.__version__} ({torch.get_num_threads()} threads)"
    except ImportError:
        line += ", PyTorch is not installed"
    return f"{line}; {os.cpu_count()} processor cores."
