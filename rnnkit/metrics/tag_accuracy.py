"""How many words get the right tag."""

from collections.abc import Sequence

from rnnkit.metrics.entities import check_sentences


def tag_accuracy(predictions: Sequence[Sequence[str]], targets: Sequence[Sequence[str]]) -> float:
    """The share of words with the right tag, over the words of all sentences.

    Taught in unit 04, section s19.

    Args:
        predictions: For each sentence, a list of tags without padding.
        targets: The right tags.

    Returns:
        A number from 0.0 to 1.0.

    Raises:
        ValueError: There are no words, or the lists differ in length.

    Example:

    >>> from rnnkit.metrics import tag_accuracy
    >>> tag_accuracy([["NOUN", "VERB"], ["NOUN", "NOUN"]], [["NOUN", "VERB"], ["NOUN", "VERB"]])
    0.75
    """
    check_sentences(predictions, targets)
    words = sum(len(sentence) for sentence in targets)
    if not words:
        raise ValueError("the sentences must have words. Received: empty sentences alone")
    right = sum(
        ours == theirs
        for sentence in zip(predictions, targets, strict=True)
        for ours, theirs in zip(*sentence, strict=True)
    )
    return right / words
