"""Data sets, one file each: most are made here, so that nothing has to be downloaded.

``load(name)`` loads any of them, ``sets()`` lists them.
"""

from rnnkit.data.acceptability_set import AcceptabilitySet, acceptability
from rnnkit.data.agreement_set import AgreementSet, agreement
from rnnkit.data.arithmetic_set import ArithmeticSet, arithmetic
from rnnkit.data.bank_set import BankSet, bank_sentences
from rnnkit.data.copying_set import CopyingSet, copying
from rnnkit.data.counting_set import CountingSet, counting
from rnnkit.data.date_set import Alignment, DateSet, dates
from rnnkit.data.paraphrase_set import ParaphraseSet, paraphrases
from rnnkit.data.registry import DataInfo, DataTable, load, register, sets
from rnnkit.data.reversal import reversals
from rnnkit.data.ticket_set import TicketSet, tickets
from rnnkit.data.word_only import word_only_accuracy

__all__ = [
    "AcceptabilitySet",
    "AgreementSet",
    "Alignment",
    "ArithmeticSet",
    "BankSet",
    "CopyingSet",
    "CountingSet",
    "DataInfo",
    "DataTable",
    "DateSet",
    "ParaphraseSet",
    "TicketSet",
    "acceptability",
    "agreement",
    "arithmetic",
    "bank_sentences",
    "copying",
    "counting",
    "dates",
    "load",
    "paraphrases",
    "register",
    "reversals",
    "sets",
    "tickets",
    "word_only_accuracy",
]
