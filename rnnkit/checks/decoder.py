"""Checks for unit 06: one step of a decoder with attention."""

from typing import Any

import numpy as np

from rnnkit.checks.check import check
from rnnkit.checks.compare import as_array, equal, expect_close
from rnnkit.checks.gru import gru
from rnnkit.checks.inputs import Function, call, random_mask, random_numbers, softmax
from rnnkit.text import Vocabulary

Step = dict[str, np.ndarray]


def decoder_parameters(
    vocabulary: int = 7, features: int = 4, units: int = 6, seed: int = 0
) -> dict[str, np.ndarray]:
    """Random weights for one decoder step, as the exercise names them.

    Args:
        vocabulary: Symbols in the target vocabulary.
        features: The size of a symbol's vector.
        units: The size of the state and of each key.
        seed: For the random numbers.

    Returns:
        `embedding` (vocabulary, features); `W`, `U` (units, units) and `v`
        (units,) of the attention; `kernel` (features + units, 3 units),
        `recurrent_kernel` (units, 3 units) and `bias` (2, 3 units) of the GRU;
        `output` (2 units, vocabulary) and `output_bias` (vocabulary,).
    """
    shapes = {
        "embedding": (vocabulary, features),
        "W": (units, units),
        "U": (units, units),
        "v": (units,),
        "kernel": (features + units, 3 * units),
        "recurrent_kernel": (units, 3 * units),
        "bias": (2, 3 * units),
        "output": (2 * units, vocabulary),
        "output_bias": (vocabulary,),
    }
    return {
        name: random_numbers(seed + number, *shape).astype("float32")
        for number, (name, shape) in enumerate(shapes.items())
    }


@check
def decoder_step(
    answer: Function,
    batch: int = 2,
    source: int = 4,
    units: int = 6,
    seed: int = 0,
) -> None:
    """Check `answer(previous, state, keys, mask, params)`, section s25.

    Args:
        answer: The student's function; it returns logits, state and weights.
        batch: Sentences side by side.
        source: Positions in each.
        units: The size of the state and of each key.
        seed: For the random inputs.

    Raises:
        AssertionError: One of the three results is not right.
    """
    state, keys, mask, params = _random_decoder(batch, source, units, seed)
    previous = np.random.default_rng(seed).integers(0, 7, batch).astype("int32")
    if batch > 1:
        previous[-1] = Vocabulary.pad_id  # its vector is a row of the embedding as any other
    result = call(
        "decoder_step",
        answer,
        previous,
        state,
        keys,
        mask,
        params,
        given=("additive_attention", "gru_step"),
    )
    results = _three_results(result)
    expected, slips = _decoder_step_expected(previous, state, keys, mask, params)
    _expect_order(results, expected)
    _expect_step("decoder_step", results, expected, slips)


@check
def second_decoder_step(
    answer: Function, batch: int = 2, source: int = 4, units: int = 6, seed: int = 0
) -> None:
    """Check `answer(previous, state, keys, mask, params)`, section s25: two steps in a row.

    Args:
        answer: A function that makes two of the student's steps over the same
            keys, with previous symbols `(batch, 2)`, and returns what the second
            one returns. The exercise defines it in a locked cell, so that both
            steps get the same arrays.
        batch: Sentences side by side.
        source: Positions in each.
        units: The size of the state and of each key.
        seed: For the random inputs.

    Raises:
        AssertionError: One of the three results is not right.
    """
    state, keys, mask, params = _random_decoder(batch, source, units, seed)
    previous = np.random.default_rng(seed).permuted(np.tile(np.arange(7), (batch, 1)), axis=1)
    first_symbols, symbols = previous[:, :2].astype("int32").T
    given = ("additive_attention", "gru_step")
    inputs = (np.stack([first_symbols, symbols], axis=1), state, keys, mask, params)
    results = _three_results(call("decoder_step", answer, *inputs, given=given))

    def step(symbols: np.ndarray, state: np.ndarray) -> Step:
        weights = _attention_weights(state, keys, mask, params)
        return _with_weights(weights, symbols, state, keys, params)

    first = step(first_symbols, state)
    expected = step(symbols, first["state"])
    slips = {
        "The context and the weights of the first step are used again; the state is another one "
        "now, so look again at each step.": [
            _with_weights(first["weights"], symbols, first["state"], keys, params)
        ],
        "The state of the first step is not used: begin with the state that is passed.": [
            step(symbols, state)
        ],
        "This is the result of the first step again: nothing may be kept from one call to the "
        "next.": [first],
    }
    _expect_step(
        "decoder_step, the second of two steps over the same keys", results, expected, slips
    )


def _random_decoder(
    batch: int, source: int, units: int, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, Step]:
    """A state, keys, a mask, and the weights."""
    state = np.tanh(random_numbers(seed + 20, batch, units)).astype("float32")
    keys = np.tanh(random_numbers(seed + 21, batch, source, units)).astype("float32")
    mask = random_mask(batch, source, seed)
    return state, keys, mask, decoder_parameters(units=units, seed=seed)


def _three_results(result: Any) -> dict[str, Any]:
    try:
        return dict(zip(("logits", "state", "weights"), result, strict=True))
    except (TypeError, ValueError):
        raise AssertionError(
            "decoder_step should return three things: logits, new_state, weights"
        ) from None


def _expect_step(
    name: str, results: dict[str, Any], expected: Step, slips: dict[str, list[Step]]
) -> None:
    arrays = {part: as_array(f"{name}: {_RESULTS[part]}", results[part]) for part in _RESULTS}
    # A slip changes more than one of the three; it is named where it explains all.
    explained = {
        sentence: steps
        for sentence, steps in slips.items()
        if any(all(equal(arrays[part], step[part]) for part in _RESULTS) for step in steps)
    }
    for part, what in _RESULTS.items():
        named = {sentence: [step[part] for step in steps] for sentence, steps in explained.items()}
        expect_close(f"{name}: {what}", arrays[part], expected[part], named)


def _attention_weights(
    query: np.ndarray, keys: np.ndarray, mask: np.ndarray, params: Step
) -> np.ndarray:
    W, U, v = (params[name].astype("float64") for name in "WUv")
    return softmax(np.tanh((query @ W)[:, None] + keys @ U) @ v, mask)


def _with_weights(
    weights: np.ndarray, symbols: np.ndarray, state: np.ndarray, keys: np.ndarray, params: Step
) -> Step:
    """What a step with these weights returns."""
    p = {name: value.astype("float64") for name, value in params.items()}
    context = np.einsum("bs,bsk->bk", weights, keys)
    joined = np.concatenate([p["embedding"][symbols], context], axis=-1)
    moved = gru(joined, state, p["kernel"], p["recurrent_kernel"], p["bias"])
    logits = np.concatenate([moved, context], axis=-1) @ p["output"] + p["output_bias"]
    return {"weights": weights, "state": moved, "logits": logits}


def _expect_order(results: dict[str, Any], expected: dict[str, np.ndarray]) -> None:
    for name, result in results.items():
        for other, array in expected.items():
            if other != name and np.shape(result) == array.shape != expected[name].shape:
                raise AssertionError(
                    "decoder_step should return logits, new_state, weights, in this order. "
                    f"Where the {name} should be, there is something of the shape of the {other}: "
                    f"{array.shape}"
                )


_RESULTS = {"weights": "the weights", "state": "the new state", "logits": "the logits"}


def _decoder_step_expected(
    previous: np.ndarray,
    state: np.ndarray,
    keys: np.ndarray,
    mask: np.ndarray,
    params: Step,
) -> tuple[Step, dict[str, list[Step]]]:
    """The right results, and those of each known slip."""
    p = {name: value.astype("float64") for name, value in params.items()}
    embedded = p["embedding"][previous]

    def attend(query: np.ndarray, mask: np.ndarray = mask) -> tuple[np.ndarray, np.ndarray]:
        weights = _attention_weights(query, keys, mask, params)
        return np.einsum("bs,bsk->bk", weights, keys), weights

    def logits(left: np.ndarray, right: np.ndarray) -> np.ndarray:
        return np.concatenate([left, right], axis=-1) @ p["output"] + p["output_bias"]

    def finish(weights: np.ndarray, moved: np.ndarray, read: np.ndarray) -> Step:
        return {"weights": weights, "state": moved, "logits": logits(moved, read)}

    def step(left: np.ndarray, right: np.ndarray) -> np.ndarray:
        inputs = np.concatenate([left, right], axis=-1)
        return gru(inputs, state, p["kernel"], p["recurrent_kernel"], p["bias"])

    def move(context: np.ndarray) -> np.ndarray:
        return step(embedded, context)

    context, weights = attend(state)
    moved = move(context)
    expected = finish(weights, moved, context)

    late_context, late_weights = attend(moved)
    open_context, open_weights = attend(state, np.ones_like(mask))
    moved_alone = move(np.zeros_like(context))
    alone_context, alone_weights = attend(moved_alone)
    moved_turned = step(context, embedded)
    before = {**finish(weights, moved, context), "state": state}
    slips = {
        "The attention looks with the new state, after the step. It should look with the "
        "state before the step.": [
            finish(late_weights, moved, late_context),
            finish(alone_weights, moved_alone, alone_context),
            finish(alone_weights, move(alone_context), alone_context),
        ],
        "The logits get another context, from a second look with the new state. Look once, with "
        "the state before the step; the GRU and the logits share this context.": [
            finish(weights, moved, late_context)
        ],
        "The context is made of the decoder's state. It should be made of the encoder's "
        "states (keys).": [finish(weights, move(state), state)],
        "The mask is left out of the attention.": [
            finish(open_weights, move(open_context), open_context)
        ],
        "The weights leave padding out, but the context does not: use the context and the weights "
        "of one call of attend.": [finish(weights, move(open_context), open_context)],
        "The padding symbol has a vector of zeros; its vector is a row of the embedding, as that "
        "of each symbol is.": [
            finish(
                weights, step(embedded * (previous != Vocabulary.pad_id)[:, None], context), context
            )
        ],
        "The GRU does not get the context.": [
            finish(weights, moved_alone, context),
            finish(weights, move(state), context),
        ],
        "Context and symbol vector are joined in the wrong order: the symbol comes first.": [
            finish(weights, moved_turned, context)
        ],
        "The logits are made from the state before the step. They should be made from the "
        "new state.": [{**finish(weights, state, context), "state": moved}],
        "The state that is returned is the one before the step.": [before],
        "The bias is left out of the logits.": [
            {**expected, "logits": expected["logits"] - p["output_bias"]}
        ],
        "These are probabilities; return the logits, without a softmax.": [
            {**expected, "logits": softmax(expected["logits"], np.full((len(state), 7), True))}
        ],
        "State and context are joined in the wrong order: the state comes first.": [
            {**finish(weights, moved, context), "logits": logits(context, moved)}
        ],
    }
    return expected, slips
