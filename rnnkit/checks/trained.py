"""Checks of trained models: ask the model again, and see which weights moved."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rnnkit.checks.check import check
from rnnkit.checks.compare import as_array
from rnnkit.checks.inputs import Function, log_softmax
from rnnkit.metrics import matthews, perplexity


@check
def predicts(
    answer: Function,
    inputs: Any,
    expected: Any,
    at_least: float,
    mask: Any = None,
    score: str = "accuracy",
    what: str = "The model",
) -> None:
    """Ask a trained classifier or tagger about examples that it has not seen, sections s17 to s19.

    Args:
        answer: The model, or a function of the inputs; it returns labels, or
            scores of them along the last axis.
        inputs: What it is called with.
        expected: The right labels, `(batch,)`, or tags, `(batch, time)`.
        at_least: The score that is asked.
        mask: True for a real position, where there are tags.
        score: "accuracy" or "mcc".
        what: How a message calls the model.

    Raises:
        AssertionError: The score is lower.
        ValueError: There is no such score.
    """
    if score not in ("accuracy", "mcc"):
        raise ValueError(f"predicts expects the score accuracy or mcc. Received: {score!r}")
    expected = np.asarray(expected)
    labels = as_array(f"{what}'s result", answer(inputs))
    if labels.shape == (*expected.shape, 1):  # one number: the score of label 1
        raise AssertionError(
            f"{what} should return a label for each example, the shape {expected.shape}, or the "
            f"scores of all labels. Received: shape {labels.shape}. Take the label by a threshold."
        )
    if labels.ndim == expected.ndim + 1:
        labels = labels.argmax(axis=-1)
    if labels.shape != expected.shape:
        raise AssertionError(
            f"{what} should return labels of the shape {expected.shape}, or scores with one more "
            f"axis. Received: shape {labels.shape}"
        )
    real = np.ones(expected.shape, bool) if mask is None else np.asarray(mask)
    labels, expected = labels[real], expected[real]
    if score == "mcc":
        value, name = matthews(labels.tolist(), expected.tolist()), "MCC"
    else:
        value, name = float((labels == expected).mean()), "accuracy"
    if value >= at_least:
        return
    given = np.unique(labels)
    hint = "Does the loss still fall? Then train longer."
    if len(given) == 1:
        hint = f"It gives the label {given[0]} to all: it has learned nothing from the inputs."
    elif score == "accuracy" and value <= np.unique(expected, return_counts=True)[1].max() / len(
        expected
    ):
        hint = "To give all the most frequent label would be as good."
    raise AssertionError(
        f"{what}: {name} {value:.3f} on {len(expected)} new examples. Expected: at least "
        f"{at_least:.3g}. {hint}"
    )


@check
def predicts_text(
    answer: Function,
    ids: Any,
    symbols: int,
    at_most: float,
    mask: Any = None,
    what: str = "The language model",
) -> None:
    """Ask a trained language model about new text, section s8.

    Args:
        answer: A function of ids `(batch, time)`; it returns logits of the next
            symbol, `(batch, time, symbols)`.
        ids: New text.
        symbols: The size of the vocabulary.
        at_most: The largest perplexity that is asked.
        mask: True for a real symbol.
        what: How a message calls the model.

    Raises:
        AssertionError: The perplexity is larger.
    """
    ids = np.asarray(ids)
    logits = as_array(f"{what}'s result", answer(ids.copy())).astype("float64")
    if logits.shape != (*ids.shape, symbols):
        raise AssertionError(
            f"{what} should return logits of the shape {(*ids.shape, symbols)}. "
            f"Received: shape {logits.shape}"
        )
    if not np.isfinite(logits).all():
        raise AssertionError(f"{what} gives NaN or infinity. Was the gradient clipped?")
    logs = log_softmax(logits)
    following = np.take_along_axis(logs[:, :-1], ids[:, 1:, None], axis=-1)[..., 0]
    real = np.ones(following.shape, bool) if mask is None else np.asarray(mask)[:, 1:]
    value = perplexity(following, real)
    if value <= at_most:
        return
    same = np.take_along_axis(logs, ids[..., None], axis=-1)[..., 0][:, :-1]
    hint = "Does the loss still fall? Then train longer."
    if perplexity(same, real) <= 1.5:
        hint = "It predicts the symbol that it sees: were the targets shifted by one?"
    elif value >= 0.95 * symbols:
        hint = f"A model that takes all {symbols} symbols for equally probable does as well."
    raise AssertionError(
        f"{what}: perplexity {value:.2f} on new text. Expected: at most {at_most:.4g}. {hint}"
    )


@check
def starts_from(model: Any, pretrained: Any, layers: Sequence[str]) -> None:
    """Check that a model has the weights of a language model, section s38, before fine-tuning.

    Args:
        model: The student's model.
        pretrained: The language model.
        layers: The attributes under which both keep the layers in question.

    Raises:
        AssertionError: The weights of a layer are others.
    """
    for name in layers:
        for owner, which in ((model, "The model"), (pretrained, "The language model")):
            if not hasattr(owner, name):
                raise AssertionError(f"{which} has no layer {name!r}.")
        own, given = (getattr(owner, name).get_weights() for owner in (model, pretrained))
        if [w.shape for w in own] != [w.shape for w in given]:
            raise AssertionError(
                f"The weights of the layer {name!r} have other shapes than the language model's: "
                f"{[w.shape for w in own]}. Expected: {[w.shape for w in given]}"
            )
        if not own:
            raise AssertionError(
                f"The layer {name!r} has no weights yet: call the model once, then copy them."
            )
        same = [np.array_equal(a, b) for a, b in zip(own, given, strict=True)]
        if not all(same):
            share = "" if not any(same) else f" ({sum(same)} of {len(same)} arrays are the same)"
            raise AssertionError(
                f"The weights of the layer {name!r} are not those of the language model{share}: "
                "the model begins from fresh weights. Copy them with set_weights(get_weights())."
            )


@check
def weights_stay(before: Sequence[Any], after: Sequence[Any], what: str = "the weights") -> None:
    """Check that frozen weights did not move, sections s34 and s38.

    Args:
        before: The arrays before training.
        after: The arrays after training.
        what: How a message calls them.

    Raises:
        AssertionError: One of them moved.
    """
    largest = max(_moves(before, after, what), default=0.0)
    if largest > 0:
        raise AssertionError(
            f"{what} moved by up to {largest:.2g} in training. Expected: no change. Set trainable "
            "to False before compile()."
        )


@check
def weights_move(before: Sequence[Any], after: Sequence[Any], what: str = "the weights") -> None:
    """Check that training moved each of some weights, section s38.

    Args:
        before: The arrays before training.
        after: The arrays after training.
        what: How a message calls them.

    Raises:
        AssertionError: One of them stayed as it was.
    """
    still = [place for place, move in enumerate(_moves(before, after, what), 1) if move == 0]
    if still:
        raise AssertionError(
            f"{what}: number {', '.join(map(str, still))} of {len(before)} did not move in "
            "training. Is it frozen, or has it no part in the loss?"
        )


def _moves(before: Sequence[Any], after: Sequence[Any], what: str) -> list[float]:
    pairs = [
        (as_array(what, old), as_array(what, new)) for old, new in zip(before, after, strict=True)
    ]
    return [float(np.abs(new.astype("float64") - old).max(initial=0.0)) for old, new in pairs]
