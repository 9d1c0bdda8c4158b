"""Checks of trained models: ask the model again, and see which weights moved."""

import functools
from collections.abc import Sequence
from typing import Any

import keras
import numpy as np

from rnnkit.checks.check import check
from rnnkit.checks.compare import as_array
from rnnkit.checks.inputs import Function, copy, kind_of, log_softmax
from rnnkit.metrics import matthews, perplexity
from rnnkit.text import Vocabulary

# Below this cosine, the weights of two models have nothing in common.
UNRELATED = 0.5
# From so many symbols on, a cell must be made for it to keep the first one to the last.
LONG = 50
# What a number of a vector comes to that was trained. Keras draws the first ones up to 0.05; right
# answers of benchmarks/seq2seq_thresholds.py come to 0.11 and more.
MOVED = 0.08
BOS, EOS = Vocabulary.bos_id, Vocabulary.eos_id


@check
def trains_on_its_task(
    answer: Function, seed: int = 0, batch_size: int = 32, last_rate: float | None = None
) -> None:
    """Ask whether a function trains an encoder-decoder on the task that it gets, section s20.

    All targets of the task are the same, so a few updates are enough to learn
    it; source and target have vocabularies of different sizes. The last batch
    is one pair, so that each part that is held back makes fewer updates, and
    the last symbol of the sources stands nowhere else.

    Args:
        answer: The student's `train_model(task, epochs)`. The task is a dict
            with the arrays "source", "previous" and "following", the sizes
            "source_size" and "target_size", and a "name". It returns the model.
        seed: For the random sources.
        batch_size: The size of the batches that the exercise asks for.
        last_rate: The learning rate of the exercise's optimizer after its last update.

    Raises:
        AssertionError: It returns no model, or one of other sizes, or one that
            has not learned the task, or that was not trained on all of it, or
            with another optimizer.
    """
    target, epochs = [5, 7, 6, 8, 4, EOS], 14
    task = _small_task(target, seed, pairs=2 * batch_size + 1)
    model = answer(copy(task), epochs)
    expect_decoder(model)
    loss = getattr(model, "loss", None)
    if isinstance(loss, str):
        raise AssertionError(
            f"train_model: the loss is {loss!r}. Expected: models.masked_cross_entropy, which "
            "takes the logits of this model as they are, and leaves padding out."
        )
    inputs = {name: task[name] for name in ("source", "previous")}
    shape = as_array("the model's result", model(inputs)).shape
    sizes = {name: int(task[name]) for name in ("source_size", "target_size")}
    if shape[-1] != sizes["target_size"]:
        hint = "Does it take the sizes from the task that it gets?"
        if shape[-1] == sizes["source_size"]:
            hint = "The sizes of source and target are swapped."
        raise AssertionError(
            f"train_model: in a task with {sizes}, the model has scores for {shape[-1]} target "
            f"symbols. Expected: {sizes['target_size']}. {hint}"
        )
    written = np.asarray(model.decode(task["source"], BOS, EOS, len(target)))
    wrong = [row for row in written.tolist() if row != target]
    if wrong:
        raise AssertionError(
            f"train_model: in a task whose targets are all {target}, the model writes {wrong[0]} "
            f"after train_model(task, {epochs}). {_why_not_learned(model, task, epochs)}"
        )
    _reads_all_pairs(model, len(task["source"]), epochs, batch_size)
    _reads_whole_sources(model, task["source"])
    if last_rate is not None:
        _ends_with_rate(model, last_rate)


def _reads_all_pairs(model: Any, pairs: int, epochs: int, batch_size: int) -> None:
    """As many updates as batches; an answer whose updates cannot be counted is not asked."""
    made, batches = updates_of(model), -(-pairs // batch_size)
    if made is not None and made != epochs * batches:
        raise AssertionError(
            f"train_model: train_model(task, {epochs}) made {made} updates. Expected: "
            f"{epochs * batches}, since {pairs} pairs in batches of {batch_size} are {batches} "
            "updates in each epoch. Is a part of the pairs held back (validation_split), or is the "
            "size of the batches or the number of epochs another?"
        )


def _reads_whole_sources(model: Any, source: np.ndarray) -> None:
    """Training moves the vector of each symbol that it reads, and of no other."""
    if not hasattr(model, "source_embedding"):
        return
    vectors = as_array("the vectors", model.source_embedding.get_weights()[0])
    last = int(source[0, -1])
    if np.abs(vectors[last]).max() < MOVED:
        raise AssertionError(
            f"train_model: all sources have {source.shape[1]} symbols, and the last one is {last}. "
            "Its vector has not moved in training, so it was never read. Are the sources cut off? "
            "Take task['source'] as it is."
        )


def _ends_with_rate(model: Any, expected: float) -> None:
    rate = getattr(getattr(model, "optimizer", None), "learning_rate", None)
    if rate is None:
        return
    rate = float(keras.ops.convert_to_numpy(rate))
    if abs(rate - expected) > 1e-5:
        raise AssertionError(
            f"train_model: after its last update, the learning rate is {rate:.3g}. Expected: "
            f"{expected:g}. Is the optimizer make_optimizer(task, epochs), with the task and the "
            "epochs that train_model gets?"
        )


def _why_not_learned(model: Any, task: dict[str, Any], epochs: int) -> str:
    """What the number of updates and the model's scores say about its training."""
    made = _epochs_of(model)
    if made is not None and made < epochs:
        return (
            f"It was trained for {made} of the {epochs} epochs: does fit get them? Does it get "
            "previous as input and following as what to predict?"
        )
    if _right(model, task, "following") == 1 > _right(model, task, "previous"):
        return (
            "It copies what it sees: it was trained with following as its input; that should be "
            "previous."
        )
    return (
        "Does it train on the arrays of the task that it gets, previous as input and following as "
        "what to predict, and for all epochs?"
    )


def _epochs_of(model: Any) -> int | None:
    """How often fit has read all examples, in one call or in several; None where it is unknown."""
    steps = getattr(getattr(model, "history", None), "params", {}).get("steps")
    updates = updates_of(model)
    return None if not steps or updates is None else round(updates / steps)


def _right(model: Any, task: dict[str, Any], seen: str) -> float:
    """The share of right symbols where the decoder sees this array of the task."""
    logits = as_array("the logits", model({"source": task["source"], "previous": task[seen]}))
    return float((logits.argmax(axis=-1) == task["following"]).mean())


def _small_task(target: list[int], seed: int, pairs: int) -> dict[str, Any]:
    """One target for all sources; the ids are below both sizes.

    The sources are longer than those of the exercise, and end with a symbol of their own.
    """
    source = np.random.default_rng(seed).integers(EOS + 1, 9, (pairs, 10)).astype("int32")
    source[:, -1] = 9
    following = np.tile(np.array(target, dtype="int32"), (pairs, 1))
    start = np.full((pairs, 1), BOS, dtype="int32")
    return {
        "name": "A small task",
        "source": source,
        "previous": np.concatenate([start, following[:, :-1]], axis=1),
        "following": following,
        "source_size": 11,
        "target_size": 13,
    }


def expect_decoder(model: Any) -> None:
    """Ask that something is a model that writes.

    Raises:
        AssertionError: It has no method `decode`.
    """
    if hasattr(model, "decode"):
        return
    hint = "Return the EncoderDecoder itself."
    if model is None:
        hint = "Does the function that trains it end with `return`?"
    elif kind_of(model) == "History":
        hint = "This is what fit() gives back; return the EncoderDecoder itself."
    raise AssertionError(
        f"The trained model has no method decode. Received: {kind_of(model)}. {hint}"
    )


@check
def predicts(
    answer: Function,
    inputs: Any,
    expected: Any,
    at_least: float,
    mask: Any = None,
    score: str = "accuracy",
    what: str = "The model",
    trained_on: tuple[Any, Any] | None = None,
    pretrained: tuple[Sequence[Any], Sequence[Any]] | None = None,
) -> None:
    """Ask a trained classifier or tagger about examples that it has not seen, sections s17 to s19.

    Fine-tuning, section s38, is asked for its weights too: some of them must have moved.

    Args:
        answer: The model, or a function of the inputs; it returns labels, or
            scores of them along the last axis.
        inputs: What it is called with.
        expected: The right labels, `(batch,)`, or tags, `(batch, time)`.
        at_least: The score that is asked.
        mask: True for a real position, where there are tags.
        score: "accuracy" or "mcc".
        what: How a message calls the model.
        trained_on: The inputs and labels that it was trained on. Where the score
            is too low, a message says how many of them it gets right.
        pretrained: For fine-tuning, two lists of arrays: some weights of the
            model now, and the same ones of the model that it should start from.

    Raises:
        AssertionError: The score is lower, or no pretrained weight has moved.
        ValueError: There is no such score.
    """
    if score not in ("accuracy", "mcc"):
        raise ValueError(f"predicts expects the score accuracy or mcc. Received: {score!r}")
    if pretrained is not None and _same(*pretrained):
        raise AssertionError(
            f"{what} was not fine-tuned: its {len(pretrained[0])} pretrained arrays of weights are "
            "exactly as they were before. Was fit called, and is nothing frozen?"
        )
    expected = np.asarray(expected)
    result = as_array(f"{what}'s result", answer(inputs))
    labels = _labels_of(result, expected, what)
    real = np.ones(expected.shape, bool) if mask is None else np.asarray(mask)
    labels, expected = labels[real], expected[real]
    if score == "mcc":
        value, name = matthews(labels.tolist(), expected.tolist()), "MCC"
    else:
        value, name = float((labels == expected).mean()), "accuracy"
    if value >= at_least:
        return
    cosine = None if pretrained is None else _cosine(*pretrained)
    # Called where it is told, since it asks the model twice more.
    reading = functools.partial(_ends_that_it_reads, answer, inputs, result)
    given = np.unique(labels)
    if updates_of(answer) == 0:
        hint = "It is compiled, but its optimizer has made no update: was fit called after that?"
    elif len(given) == 1:
        hint = f"It gives the label {given[0]} to all: it has learned nothing from the inputs."
        hint += reading() or _scores_as_probabilities(answer, result, real.ndim)
    elif cosine is not None and cosine < UNRELATED:
        hint = (
            "It seems not to start from the pretrained model: the cosine of their weights is "
            f"{cosine:.2f}, and that of a fine-tuned model would still be near 1."
        )
    elif score == "accuracy" and value <= np.unique(expected, return_counts=True)[1].max() / len(
        expected
    ):
        hint = f"To give all the most frequent label would be as good.{reading()}"
    elif trained_on is not None:
        hint = _on_its_own_examples(answer, *trained_on, what)
    else:
        hint = "Does the loss still fall? Then train longer."
        if told := reading():
            hint = f"{told.lstrip()} If the loss still falls, train longer."
    raise AssertionError(
        f"{what}: {name} {value:.3f} on {len(expected)} new examples. Expected: at least "
        f"{at_least:.3g}. {hint}"
    )


@check
def learns_without(
    model: Any, others: Sequence[str], instead: str, what: str = "The model"
) -> None:
    """Check that a model learns, and not by a layer in the place of the one asked for, section s5.

    A rule, or another layer of Keras, can be right as often as the model that
    an exercise is about. An answer that is no Keras model is not asked.

    Args:
        model: The student's model.
        others: The classes of layers that it should not have.
        instead: What a message says that it should have.
        what: How a message calls the model.

    Raises:
        AssertionError: It has such a layer, or no weights at all.
    """
    layers, weights = (getattr(model, name, None) for name in ("layers", "weights"))
    if not isinstance(layers, list) or not isinstance(weights, list):
        return
    if not weights:
        raise AssertionError(
            f"{what} has no weights, so there is nothing in it that was learned. Expected: "
            f"{instead}, trained with fit."
        )
    found = [kind_of(layer) for layer in layers if kind_of(layer) in others]
    if found:
        raise AssertionError(
            f"{what} has a layer {found[0]}, which does the task in another way. Expected: "
            f"{instead}."
        )


def _labels_of(labels: np.ndarray, expected: np.ndarray, what: str) -> np.ndarray:
    """The labels that a model gives, also where it gives scores of them."""
    if labels.shape == (*expected.shape, 1):  # one number: the score of label 1
        raise AssertionError(
            f"{what} should return a label for each example, the shape {expected.shape}, or the "
            f"scores of all labels. Received: shape {labels.shape}. Take the label by a threshold."
        )
    if labels.ndim == expected.ndim + 1:
        labels = labels.argmax(axis=-1)
    if labels.shape != expected.shape:
        hint = ""
        if labels.ndim == 3 and labels.shape[:1] == expected.shape:
            hint = (
                f". These are scores at each of {labels.shape[1]} steps; give one row of them for "
                "each example."
            )
        raise AssertionError(
            f"{what} should return labels of the shape {expected.shape}, or scores with one more "
            f"axis. Received: shape {labels.shape}{hint}"
        )
    return labels


def updates_of(model: Any) -> int | None:
    """How many updates the optimizer of a compiled model has made; None of other answers."""
    iterations = getattr(getattr(model, "optimizer", None), "iterations", None)
    return None if iterations is None else int(keras.ops.convert_to_numpy(iterations))


def _scores_as_probabilities(model: Any, result: np.ndarray, ndim: int) -> str:
    """A sentence about logits that a loss may take for probabilities."""
    if result.ndim == ndim or np.allclose(result.sum(axis=-1), 1.0, atol=1e-3):
        return ""
    if getattr(getattr(model, "loss", None), "from_logits", False):
        return ""
    return (
        f" Its scores go from {result.min():.3g} to {result.max():.3g}, so they are logits: was it "
        "compiled with a loss that expects probabilities?"
    )


def _ends_that_it_reads(answer: Function, inputs: Any, result: np.ndarray) -> str:
    """A sentence about sequences without padding: one end hardly moves the scores, or is far."""
    ids: np.ndarray = np.asarray(inputs if hasattr(inputs, "shape") else 0)
    if ids.ndim != 2 or result.ndim != 2 or ids.dtype.kind not in "iu":
        return ""
    if ids.shape[1] < 2 or (ids == Vocabulary.pad_id).any() or not np.isfinite(result).all():
        return ""
    moves = [
        float(np.abs(as_array("the scores", answer(_changed(ids, place))) - result).max())
        for place in (0, -1)
    ]
    told = f" A change of the first symbol moves its scores by at most {moves[0]:.2g}"
    if moves[1] == 0 < moves[0]:
        return f"{told}, one of the last by 0: are they made from the state after the last symbol?"
    if moves[0] < 0.1 * moves[1]:
        return f"{told}, one of the last by {moves[1]:.2g}: what it reads first is lost on the way."
    if ids.shape[1] >= LONG and moves[0] > 0:
        return (
            f"{told}. The last symbol comes {ids.shape[1] - 1} steps later: does the cell keep the "
            "first one so long?"
        )
    return ""


def _changed(ids: np.ndarray, places: Any) -> np.ndarray:
    """The ids with other ones at some places of each row."""
    known, result = np.unique(ids), ids.copy()
    after = np.searchsorted(known, ids[:, places]) + 1
    result[:, places] = known[after % len(known)]
    return result


def _on_its_own_examples(answer: Function, inputs: Any, expected: Any, what: str) -> str:
    """What a low score on new examples comes from: a model that has learned these, or has not."""
    expected = np.asarray(expected)
    labels = _labels_of(as_array(f"{what}'s result", answer(inputs)), expected, what)
    right = int((labels == expected).sum())
    told = f"On the examples that it should be trained on, {right} of {expected.size} are right"
    if right >= 0.9 * expected.size:
        return f"{told}: it has learned them by heart, and longer training does not help."
    return f"{told}. Do the labels stand in the order of the inputs, and does the loss still fall?"


def _cosine(one: Sequence[Any], other: Sequence[Any]) -> float:
    """The cosine of all weights of two models; 0 where their shapes differ."""
    if [np.shape(array) for array in one] != [np.shape(array) for array in other]:
        return 0.0
    a, b = (
        np.concatenate([np.asarray(array, dtype="float64").ravel() for array in arrays])
        for arrays in (one, other)
    )
    return float(a @ b / max(np.linalg.norm(a) * np.linalg.norm(b), 1e-12))


def _same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return len(one) == len(other) and all(
        np.array_equal(a, b) for a, b in zip(one, other, strict=True)
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
        hint = (
            f"A model that takes all {symbols} symbols for equally probable does as well: was it "
            "trained?"
        )
    elif not _reads_what_came_before(answer, ids, logits):
        hint = (
            "It looks at one symbol alone: what came before does not change its scores at all. "
            "Has the model a recurrent layer?"
        )
    raise AssertionError(
        f"{what}: perplexity {value:.2f} on new text. Expected: at most {at_most:.4g}. {hint}"
    )


def _reads_what_came_before(answer: Function, ids: np.ndarray, logits: np.ndarray) -> bool:
    """Whether the last logits change with the symbols before the last one."""
    others = as_array("the logits", answer(_changed(ids, slice(0, -1)))).astype("float64")
    largest = float(np.abs(others[:, -1] - logits[:, -1]).max())
    return largest > 1e-5 * max(1.0, float(np.abs(logits[:, -1]).max()))


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
    moves = _moves(before, after, what)
    moved = sum(move > 0 for move in moves)
    if not moved:
        return
    hint = "Set trainable to False before compile(); training=False freezes nothing."
    if moved < len(moves):
        hint = (
            f"{moved} of {len(moves)} arrays moved: is only a part of it frozen? Set trainable to "
            "False for the whole before compile()."
        )
    raise AssertionError(
        f"{what} moved by up to {max(moves):.2g} in training. Expected: no change. {hint}"
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
    if not still:
        return
    hint = "Is the whole model frozen? These should still learn."
    if len(still) < len(before):
        shapes = ", ".join(str(np.shape(before[place - 1])) for place in still)
        hint = f"Their shapes: {shapes}. Are they frozen, or have they no part in the loss?"
    raise AssertionError(
        f"{what}: number {', '.join(map(str, still))} of {len(before)} did not move in training. "
        f"{hint}"
    )


def _moves(before: Sequence[Any], after: Sequence[Any], what: str) -> list[float]:
    pairs = [
        (as_array(what, old), as_array(what, new)) for old, new in zip(before, after, strict=True)
    ]
    return [float(np.abs(new.astype("float64") - old).max(initial=0.0)) for old, new in pairs]
