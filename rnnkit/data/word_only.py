"""How far the words alone go, without their context."""

from collections import Counter, defaultdict
from collections.abc import Sequence


def word_only_accuracy(
    sentences: Sequence[Sequence[str]], labels: Sequence[Sequence[str]]
) -> float:
    """The best accuracy for who sees one word at a time.

    Each word gets its most frequent label in these same sentences, so no
    tagger without context can be better on them. Taught in unit 04, section
    s19.

    Args:
        sentences: The words of each sentence.
        labels: A label for each word: tags, entities or meanings.

    Returns:
        A number from 0.0 to 1.0.

    Raises:
        ValueError: There are no words, or not one label for each word.

    Example:

    >>> from rnnkit.data import word_only_accuracy
    >>> word_only_accuracy([["we", "play"], ["the", "play"]], [["PRON", "VERB"], ["DET", "NOUN"]])
    0.75
    """
    if [len(words) for words in sentences] != [len(row) for row in labels] or not any(sentences):
        raise ValueError(
            "there must be one label for each word, and at least one word. "
            f"Received: {len(sentences)} sentences with {sum(map(len, sentences))} words, "
            f"{len(labels)} rows with {sum(map(len, labels))} labels"
        )
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for words, row in zip(sentences, labels, strict=True):
        for word, label in zip(words, row, strict=True):
            counts[word][label] += 1
    right = sum(max(of_word.values()) for of_word in counts.values())
    return right / sum(map(len, sentences))
