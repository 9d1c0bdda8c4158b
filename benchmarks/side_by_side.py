"""Times of several contenders, taken turn by turn in one run."""

import os
import statistics
import time
from collections.abc import Callable, Mapping

Contenders = Mapping[str, Callable[[], object]]


def measure(contenders: Contenders, rounds: int = 25) -> dict[str, list[float]]:
    """Run each contender once a round, so that all see the same machine.

    Args:
        contenders: Name to a function that does one step and waits for its result.
        rounds: How many times each is run; a first time, for tracing and
            compiling, does not count.

    Returns:
        Name to its times in seconds.
    """
    for step in contenders.values():
        step()
        step()
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, step in contenders.items():
            begin = time.perf_counter()
            step()
            times[name].append(time.perf_counter() - begin)
    return times


def table(title: str, times: Mapping[str, list[float]], tokens: int, beside: str) -> str:
    """A Markdown table: the median with its quartiles, and ratios of medians.

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
