"""Decoding over any step function."""

import rnnkit.quiet_keras  # noqa: F401

# isort: split
from rnnkit.decoding.beam_search import Hypotheses, beam_search
from rnnkit.decoding.greedy import greedy
from rnnkit.decoding.loop import StepFunction
from rnnkit.decoding.next_probabilities import next_probabilities
from rnnkit.decoding.prompt import read_prompt
from rnnkit.decoding.sample import sample

__all__ = [
    "Hypotheses",
    "StepFunction",
    "beam_search",
    "greedy",
    "next_probabilities",
    "read_prompt",
    "sample",
]
