"""Decoding over any step function."""

from rnnkit.decoding.greedy import StepFunction, greedy

__all__ = ["StepFunction", "greedy"]
