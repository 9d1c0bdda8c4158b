"""The measured results that the lectures show, each made by one function.

The result of each has a method `series`, which goes into `rnnkit.plots.curves`.
Only what several seeds show may be claimed.
"""

import rnnkit.quiet_keras  # noqa: F401

# isort: split
from rnnkit.experiments.against_ngrams import NgramsResult, against_ngrams
from rnnkit.experiments.agreement import AgreementResult, agreement
from rnnkit.experiments.bottleneck import BottleneckResult, bottleneck
from rnnkit.experiments.copying import CopyingResult, copying
from rnnkit.experiments.copying_together import copying_together
from rnnkit.experiments.fine_tuning import FineTuningResult, fine_tuning
from rnnkit.experiments.gradients import GradientsResult, gradients
from rnnkit.experiments.long_range import LongRangeResult, long_range
from rnnkit.experiments.right_context import RightContextResult, right_context
from rnnkit.experiments.structure_cells import CellsResult, structure_cells
from rnnkit.experiments.time_per_step import TimeResult, time_per_step
from rnnkit.experiments.training import Training

__all__ = [
    "AgreementResult",
    "BottleneckResult",
    "CellsResult",
    "CopyingResult",
    "FineTuningResult",
    "GradientsResult",
    "LongRangeResult",
    "NgramsResult",
    "RightContextResult",
    "TimeResult",
    "Training",
    "against_ngrams",
    "agreement",
    "bottleneck",
    "copying",
    "copying_together",
    "fine_tuning",
    "gradients",
    "long_range",
    "right_context",
    "structure_cells",
    "time_per_step",
]
