"""Data sets, one file each: most are made here, so that nothing has to be downloaded.

``load(name)`` loads any of them, ``sets()`` lists them.
"""

from rnnkit.data.date_set import Alignment, DateSet, dates
from rnnkit.data.registry import DataInfo, DataTable, load, register, sets
from rnnkit.data.reversal import reversals

__all__ = [
    "Alignment",
    "DataInfo",
    "DataTable",
    "DateSet",
    "dates",
    "load",
    "register",
    "reversals",
    "sets",
]
