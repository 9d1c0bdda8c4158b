"""Data sets that are made here, so that nothing has to be downloaded."""

from rnnkit.data.date_set import Alignment, DateSet, dates
from rnnkit.data.reversal import reversals

__all__ = ["Alignment", "DateSet", "dates", "reversals"]
