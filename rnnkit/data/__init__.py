"""Data sets, one file each: most are made here, so that nothing has to be downloaded.

``load(name)`` loads any of them, ``sets()`` lists them.
"""

from rnnkit.data.acceptability_set import AcceptabilitySet, acceptability
from rnnkit.data.agreement_set import AgreementSet, agreement
from rnnkit.data.ambiguous_set import AmbiguousSet, nouns_and_verbs, word_senses
from rnnkit.data.arithmetic_set import ArithmeticSet, arithmetic
from rnnkit.data.bank_set import BankSet, bank_sentences
from rnnkit.data.copying_set import CopyingSet, copying
from rnnkit.data.counting_set import CountingSet, counting
from rnnkit.data.date_set import Alignment, DateSet, dates
from rnnkit.data.download import DataError, RemoteFile, cache_folder, fetch
from rnnkit.data.paraphrase_set import ParaphraseSet, paraphrases
from rnnkit.data.program_set import ProgramText, program_text
from rnnkit.data.pronunciation_set import PronunciationSet, pronunciations
from rnnkit.data.real_blimp import MinimalPairs, blimp
from rnnkit.data.real_cola import Judgements, cola
from rnnkit.data.real_glove import WordVectors, glove
from rnnkit.data.real_masc import TaggedTexts, masc
from rnnkit.data.real_sentence_polarity import ReviewSentences, sentence_polarity
from rnnkit.data.real_tatoeba import Translations, tatoeba
from rnnkit.data.real_ud_english import TaggedWords, ud_english
from rnnkit.data.real_ud_english_tense import TenseSentences, ud_english_tense
from rnnkit.data.real_wikigold import NamedEntities, wikigold
from rnnkit.data.real_wikitext2 import WikiText, wikitext2
from rnnkit.data.registry import DataInfo, DataTable, load, register, sets
from rnnkit.data.reversal import reversals
from rnnkit.data.shakespeare_text import PlaysText, shakespeare
from rnnkit.data.tagged_set import TaggedSet, tagged_sentences
from rnnkit.data.text_to_text_set import TextToTextSet, text_to_text
from rnnkit.data.ticket_set import TicketSet, tickets
from rnnkit.data.word_only import word_only_accuracy

__all__ = [
    "AcceptabilitySet",
    "AgreementSet",
    "Alignment",
    "AmbiguousSet",
    "ArithmeticSet",
    "BankSet",
    "CopyingSet",
    "CountingSet",
    "DataError",
    "DataInfo",
    "DataTable",
    "DateSet",
    "Judgements",
    "MinimalPairs",
    "NamedEntities",
    "ParaphraseSet",
    "PlaysText",
    "ProgramText",
    "PronunciationSet",
    "RemoteFile",
    "ReviewSentences",
    "TaggedSet",
    "TaggedTexts",
    "TaggedWords",
    "TenseSentences",
    "TextToTextSet",
    "TicketSet",
    "Translations",
    "WikiText",
    "WordVectors",
    "acceptability",
    "agreement",
    "arithmetic",
    "bank_sentences",
    "blimp",
    "cache_folder",
    "cola",
    "copying",
    "counting",
    "dates",
    "fetch",
    "glove",
    "load",
    "masc",
    "nouns_and_verbs",
    "paraphrases",
    "program_text",
    "pronunciations",
    "register",
    "reversals",
    "sentence_polarity",
    "sets",
    "shakespeare",
    "tagged_sentences",
    "tatoeba",
    "text_to_text",
    "tickets",
    "ud_english",
    "ud_english_tense",
    "wikigold",
    "wikitext2",
    "word_only_accuracy",
    "word_senses",
]
