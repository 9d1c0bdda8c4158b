"""Text to numbers and back: splitting into characters, vocabularies, padding."""

from rnnkit.text.splitting import characters
from rnnkit.text.vocabulary import Vocabulary

__all__ = ["Vocabulary", "characters"]
