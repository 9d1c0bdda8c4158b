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
from rnnkit.experiments.elmo_fine_tuning import BiLMFineTuningResult, elmo_fine_tuning
from rnnkit.experiments.elmo_lab import ElmoLab
from rnnkit.experiments.elmo_layers import LayerProbesResult, elmo_layer_probes
from rnnkit.experiments.elmo_neighbours import NeighboursResult, elmo_neighbours
from rnnkit.experiments.elmo_tagging import (
    TaggingResult,
    elmo_all_layers,
    elmo_gain,
    elmo_placement,
    elmo_regularization,
)
from rnnkit.experiments.elmo_weights import LayerWeightsResult, elmo_layer_weights
from rnnkit.experiments.fine_tuning import FineTuningResult, fine_tuning
from rnnkit.experiments.gradients import GradientsResult, gradients
from rnnkit.experiments.long_range import LongRangeResult, long_range
from rnnkit.experiments.right_context import RightContextResult, right_context
from rnnkit.experiments.structure_cells import CellsResult, structure_cells
from rnnkit.experiments.time_per_step import TimeResult, time_per_step
from rnnkit.experiments.training import Training

__all__ = [
    "AgreementResult",
    "BiLMFineTuningResult",
    "BottleneckResult",
    "CellsResult",
    "CopyingResult",
    "ElmoLab",
    "FineTuningResult",
    "GradientsResult",
    "LayerProbesResult",
    "LayerWeightsResult",
    "LongRangeResult",
    "NeighboursResult",
    "NgramsResult",
    "RightContextResult",
    "TaggingResult",
    "TimeResult",
    "Training",
    "against_ngrams",
    "agreement",
    "bottleneck",
    "copying",
    "copying_together",
    "elmo_all_layers",
    "elmo_fine_tuning",
    "elmo_gain",
    "elmo_layer_probes",
    "elmo_layer_weights",
    "elmo_neighbours",
    "elmo_placement",
    "elmo_regularization",
    "fine_tuning",
    "gradients",
    "long_range",
    "right_context",
    "structure_cells",
    "time_per_step",
]
