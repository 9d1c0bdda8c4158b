"""The measured results that the lectures show, each made by one function.

The result of each has a method `series`, which goes into `rnnkit.plots.curves`.
Only what several seeds show may be claimed.
"""

from rnnkit.experiments.agreement import AgreementResult, agreement
from rnnkit.experiments.training import Training

__all__ = [
    "AgreementResult",
    "Training",
    "agreement",
]
