"""Text to numbers and back: normal forms, splitting, vocabularies, padding."""

from rnnkit.text.characters import characters
from rnnkit.text.normalise import normalise
from rnnkit.text.padding import pad
from rnnkit.text.script_words import script_words
from rnnkit.text.vocabulary import Vocabulary
from rnnkit.text.word_pieces import WordPieces
from rnnkit.text.words import words

__all__ = [
    "Vocabulary",
    "WordPieces",
    "characters",
    "normalise",
    "pad",
    "script_words",
    "words",
]
