"""BLEU, as papers on translation report it."""

from collections.abc import Sequence

from rnnkit.metrics.exact import check_pairs


def bleu(predictions: Sequence[str], targets: Sequence[str], tokenize: str = "13a") -> float:
    """How many of the predicted word sequences of length 1 to 4 are in the targets.

    One number for the whole set of texts, from sacrebleu, with one reference
    for each. Taught in unit 05, section s24.

    Args:
        predictions: What a model wrote.
        targets: The reference translations.
        tokenize: How sacrebleu splits texts: "13a" for most languages, "char"
            for characters, "none" where the texts are split at spaces already.

    Returns:
        A number from 0.0 to 100.0. A short text of fewer than 4 words has no
        word sequence of length 4; look at longer ones, or at many.

    Raises:
        ValueError: There are no targets, or not as many predictions; or
            sacrebleu does not know `tokenize`.
        ImportError: sacrebleu is not installed.

    Example:

    >>> from rnnkit.metrics import bleu
    >>> round(bleu(["the cat sat on a mat"], ["the cat sat on the mat"]), 2)
    53.73

    Reference:
        Post (2018), A call for clarity in reporting BLEU scores.
    """
    check_pairs(predictions, targets)
    try:
        import sacrebleu
    except ModuleNotFoundError as error:
        raise ImportError("bleu needs sacrebleu. Run: pip install rnnkit[metrics]") from error
    known = sacrebleu.BLEU.TOKENIZERS
    if tokenize not in known:
        raise ValueError(f"tokenize must be one of {', '.join(known)}. Received: {tokenize!r}")
    # force: sacrebleu would log a line about texts that look tokenised already.
    score = sacrebleu.corpus_bleu(list(predictions), [list(targets)], tokenize=tokenize, force=True)
    return float(score.score)
