"""The fence: it keeps a submission away from the rest of the machine."""

from rnnkit.grading.fence.ability import Ability, believe, probe
from rnnkit.grading.fence.keeper import run_fenced
from rnnkit.grading.fence.readable import default_readable
from rnnkit.grading.fence.spec import FenceSpec, Report

__all__ = ["Ability", "FenceSpec", "Report", "believe", "default_readable", "probe", "run_fenced"]
