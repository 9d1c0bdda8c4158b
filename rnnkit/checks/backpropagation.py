"""Checks for unit 01: gradients through time, and how they are clipped."""

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, random_numbers, softmax
from rnnkit.checks.recurrence import elman, run

Array = np.ndarray
Arrays = dict[str, Array]

LARGE = 2.0**10
# How many steps back programs let an error go where they cut it off.
_USUAL_REACHES = (1, 2, 3, 4, 5, 10, 16, 20)


def bptt_parameters(
    features: int = 3, units: int = 4, labels: int = 5, seed: int = 0
) -> dict[str, Array]:
    """Random weights of an Elman network that gives each step a label.

    Args:
        features: The size of an input.
        units: The size of the state.
        labels: How many labels there are.
        seed: For the random numbers.

    Returns:
        `W` (features, units), `U` (units, units), `b` (units,), and of the
        output layer `V` (units, labels) and `c` (labels,).
    """
    shapes: dict[str, tuple[int, ...]] = {
        "W": (features, units),
        "U": (units, units),
        "b": (units,),
        "V": (units, labels),
        "c": (labels,),
    }
    return {
        name: 0.7 * random_numbers(seed + 90 + place, *shape)
        for place, (name, shape) in enumerate(shapes.items())
    }


@check
def bptt_gradients(
    answer: Function,
    seed: int = 0,
    with_first: bool = False,
    parts: Sequence[str] = ("W", "U", "b", "V", "c"),
) -> None:
    """Check `answer(inputs, labels, params)`, section s4: gradients by hand.

    The network is `h_t = tanh(x_t W + h_{t-1} U + b)` from a state of zeros,
    with the logits `h_t V + c`. The loss is the cross-entropy of the labels in
    nats, its mean over all sentences and steps. The answer may call
    `rnnkit.models.elman_forward`; a gradient tape is found as ready-made.

    Args:
        answer: The student's function of the inputs `(batch, time, features)`,
            the labels `(batch, time)` and the weights of `bptt_parameters`; it
            returns a dict with the gradient for each of them.
        seed: For the random inputs.
        with_first: Call it with the state before the first step too, `(batch,
            units)`, as the last argument.
        parts: Which gradients count.

    Raises:
        AssertionError: A gradient is not right.
    """

    def labelled(*sizes: int) -> tuple:
        inputs, labels, params = labelled_inputs(*sizes)
        first = np.tanh(random_numbers(sizes[-1] + 94, len(inputs), len(params["b"])))
        first = _as_in_float32(first)
        return (inputs, labels, params, first) if with_first else (inputs, labels, params)

    def of_parts(way: Function) -> Function:
        return lambda *inputs: {name: way(*inputs)[name] for name in parts}

    def long_sentences() -> tuple:
        """So many steps that a gradient which is cut off on the way is told apart.

        U is orthogonal and the states are small, so that it does not vanish on its own.
        """
        inputs, labels, params, *first = labelled(2, 30, 3, 4, seed + 4)
        params["U"] = _as_in_float32(np.linalg.qr(params["U"])[0])
        return (0.125 * inputs, labels, {**params, "b": 0 * params["b"]}, *first)

    def with_large_inputs() -> tuple:
        """The gradient of W is large; all else is as with ordinary inputs."""
        inputs, labels, params, *first = labelled(3, 4, 3, 4, seed + 5)
        return (LARGE * inputs, labels, {**params, "W": params["W"] / LARGE}, *first)

    def cut_off(limit: float) -> Function:
        return lambda *i: {
            name: np.clip(gradient, -limit, limit) for name, gradient in elman_bptt(*i).items()
        }

    slips: dict[str, Function | Sequence[Function]] = {
        "The derivative of tanh is missing: multiply by 1 - h².": (
            lambda *i: elman_bptt(*i, squash="none")
        ),
        "The derivative is the sigmoid's, h (1 - h); that of tanh is 1 - h².": (
            lambda *i: elman_bptt(*i, squash="sigmoid")
        ),
        "The tanh is taken twice: the derivative is 1 - h², where h is the state itself.": (
            lambda *i: elman_bptt(*i, squash="twice")
        ),
        "The derivative is 1 - h; that of tanh is 1 - h².": (
            lambda *i: elman_bptt(*i, squash="no square")
        ),
        "The gradient from later steps is not added: each state acts on its own output and "
        "on the next state.": lambda *i: elman_bptt(*i, later="none"),
        "The gradient from the own output is lost where there is a later step: the two are "
        "added up.": lambda *i: elman_bptt(*i, later="only"),
        "The gradient from the own output is never added, so W, U and b get zeros: at each step, "
        "add it to what comes back.": lambda *i: elman_bptt(*i, later="never own"),
        "U is not transposed on the way back: multiply by the transposed U.": (
            lambda *i: elman_bptt(*i, later="not transposed")
        ),
        "The gradient goes back to the state without U.": lambda *i: elman_bptt(*i, later="no U"),
        "The gradient of U takes the state of the same step, h_t; it should take the one "
        "before, h_{t-1}.": lambda *i: elman_bptt(*i, index=1),
        "In the gradient of U, the last state stands in the place of the one before the first "
        "step: states[:, -1] counts from the end.": lambda *i: elman_bptt(*i, before="last"),
        "These are the gradients of the sum of the losses; the loss is their mean.": (
            lambda inputs, labels, *more: _times(elman_bptt(inputs, labels, *more), labels.size)
        ),
        "The losses are added up over the steps; the mean runs over sentences and steps.": (
            lambda inputs, labels, *more: _times(elman_bptt(inputs, labels, *more), labels.shape[1])
        ),
        "The losses are added up over the sentences; the mean runs over sentences and "
        "steps.": lambda inputs, labels, *more: _times(
            elman_bptt(inputs, labels, *more), len(labels)
        ),
        "The mean is taken twice: the gradient of the logits is divided by N already.": [
            lambda inputs, labels, *more: _times(
                elman_bptt(inputs, labels, *more), 1 / labels.size
            ),
            lambda inputs, labels, *more: _times(
                elman_bptt(inputs, labels, *more), 1 / len(labels)
            ),
        ],
        "The gradients of the biases are means over the batch; they should be sums.": (
            lambda inputs, labels, *more: {
                name: gradient / (len(labels) if name in "bc" else 1)
                for name, gradient in elman_bptt(inputs, labels, *more).items()
            }
        ),
        "The sign is wrong: the gradient of the logits is softmax - one-hot.": (
            lambda *i: _times(elman_bptt(*i), -1)
        ),
        "Each step's gradient replaces that of the others; add them up (+=).": (
            lambda *i: elman_bptt(*i, steps="first alone")
        ),
        "Only the loss of the last step counts; the loss is the mean over all steps.": [
            lambda *i: elman_bptt(*i, steps="last loss"),
            lambda inputs, labels, *more: _times(
                elman_bptt(inputs, labels, *more, steps="last loss"), labels.shape[1]
            ),
        ],
        "The one-hot label is not subtracted from the softmax.": (
            lambda *i: elman_bptt(*i, one_hot=False)
        ),
    }
    if "W" in parts:  # what goes back over the steps is not seen in V and c
        slips |= {
            f"The error of a step goes at most {reach} steps back; it should go back to the first "
            "step.": functools.partial(_bptt_of_each_step, reach=reach)
            for reach in _USUAL_REACHES
        } | {
            f"Numbers beyond {limit} are cut off; the gradient is the sum as it is, however "
            "large.": cut_off(limit)
            for limit in (1, 5, 10)
        }
    if with_first:
        slips["The first state has no part in it: the states begin with zeros."] = (
            lambda inputs, labels, p, first: elman_bptt(inputs, labels, p, 0 * first)
        )
        slips["In the gradient of U, the state before the first step is taken to be zeros."] = (
            lambda *i: elman_bptt(*i, before="zeros")
        )
    expect_answers(
        f"bptt(inputs, labels, params{', first' if with_first else ''})",
        answer,
        {
            "": labelled(3, 5, 4, 4, seed),
            "another size of the inputs": labelled(2, 4, 2, 3, seed + 1),
            "a batch of one": labelled(1, 3, 3, 2, seed + 2),
            "a sentence of one step": labelled(2, 1, 3, 4, seed + 3),
            "sentences of 30 steps": long_sentences(),
            "large inputs": with_large_inputs(),
        },
        of_parts(elman_bptt),
        {
            sentence: [of_parts(way) for way in ([ways] if callable(ways) else ways)]
            for sentence, ways in slips.items()
        },
        given=("elman_forward",),
        read=_only(parts),
        relative=True,
    )


def _only(parts: Sequence[str]) -> Function:
    """What a dict of gradients holds of these; anything else as it is."""

    def read(gradients: Any) -> Any:
        if not isinstance(gradients, Mapping):
            return gradients
        return {name: gradients[name] for name in parts if name in gradients}

    return read


def labelled_inputs(batch: int, time: int, features: int, units: int, seed: int) -> tuple:
    """Random inputs, labels and weights."""
    labels = np.random.default_rng(seed).integers(0, 5, (batch, time))
    params = bptt_parameters(features, units, seed=seed)
    return random_numbers(seed + 95, batch, time, features), labels, params


def _as_in_float32(numbers: Array) -> Array:
    """Numbers that an answer gets exactly as they are."""
    return numbers.astype("float32").astype("float64")


def _times(gradients: Arrays, factor: float) -> Arrays:
    return {name: factor * gradient for name, gradient in gradients.items()}


def elman_bptt(
    inputs: Array,
    labels: Array,
    p: Arrays,
    first: Array | None = None,
    *,
    before: str = "first",
    squash: str = "tanh",
    later: str = "added",
    index: int = 0,
    steps: str = "all",
    one_hot: bool = True,
) -> Arrays:
    """The gradients; the settings make slips."""
    batch, time = labels.shape
    zeros = np.zeros((batch, len(p["b"])))
    first = zeros if first is None else first
    states = run(lambda x, h: elman(x, h, p["W"], p["U"], p["b"]), inputs, first)
    begin = {"first": first, "zeros": zeros, "last": states[:, -1]}[before]
    h = np.concatenate([begin[:, None], states], axis=1)  # h[:, t] is the state before step t
    d_logits = softmax(states @ p["V"] + p["c"])
    if one_hot:
        d_logits = d_logits - np.eye(len(p["c"]))[labels]
    d_logits = d_logits / labels.size
    if steps == "last loss":
        d_logits[:, :-1] = 0
    slope = {
        "tanh": lambda h: 1 - h**2,
        "none": lambda h: np.ones_like(h),
        "sigmoid": lambda h: h * (1 - h),
        "twice": lambda h: 1 - np.tanh(h) ** 2,
        "no square": lambda h: 1 - h,
    }[squash]
    back = {
        "added": lambda d: d @ p["U"].T,
        "none": lambda d: 0 * d,
        "only": lambda d: d @ p["U"].T,
        "never own": lambda d: d @ p["U"].T,
        "not transposed": lambda d: d @ p["U"],
        "no U": lambda d: d,
    }[later]
    gradients = {name: np.zeros_like(value) for name, value in p.items()}
    from_later = zeros
    for t in reversed(range(time)):
        own = 0 if later == "never own" else d_logits[:, t] @ p["V"].T
        d_state = from_later if later == "only" and t < time - 1 else own + from_later
        d_sum = d_state * slope(states[:, t])
        now = {
            "W": inputs[:, t].T @ d_sum,
            "U": h[:, t + index].T @ d_sum,
            "b": d_sum.sum(axis=0),
            "V": states[:, t].T @ d_logits[:, t],
            "c": d_logits[:, t].sum(axis=0),
        }
        for name in gradients:
            gradients[name] = now[name] + (0 if steps == "first alone" else gradients[name])
        from_later = back(d_sum)
    return gradients


def _bptt_of_each_step(
    inputs: Array, labels: Array, p: Arrays, first: Array | None = None, *, reach: int
) -> Arrays:
    """The gradients, where the error of each step goes only some steps back."""
    batch, time = labels.shape
    before = np.zeros((batch, len(p["b"]))) if first is None else first
    states = run(lambda x, h: elman(x, h, p["W"], p["U"], p["b"]), inputs, before)
    starts = np.concatenate([before[:, None], states], axis=1)
    total = {name: np.zeros_like(value) for name, value in p.items()}
    for t in range(time):
        part = slice(max(0, t - reach), t + 1)
        back = elman_bptt(
            inputs[:, part], labels[:, part], p, starts[:, part.start], steps="last loss"
        )
        for name in total:
            total[name] += back[name] * (part.stop - part.start) / time
    return total


@check
def gradients_through_time(answer: Function, seed: int = 0) -> None:
    """Check `answer(states, U, last)`, section s3: the product of Jacobians.

    Args:
        answer: The student's function of the states `h_1 … h_N` of one
            sentence, `(time, units)`, the recurrent weights U, `(units,
            units)`, of `h_t = tanh(… + h_{t-1} U)`, and the gradient of the cost
            with respect to `h_N`, `(units,)`. It returns the gradient with
            respect to each state, `(time, units)`.
        seed: For the random inputs.

    Raises:
        AssertionError: A gradient is not right.
    """

    def back(*, slope: str = "tanh", index: int = 1, turned: bool = True) -> Function:
        def gradients(states: Array, U: Array, last: Array) -> Array:
            rows = [last]
            for t in reversed(range(len(states) - 1)):
                h = states[t + index]
                factor = {"tanh": 1 - h**2, "none": 1.0, "sigmoid": h * (1 - h)}[slope]
                rows.append((rows[-1] * factor) @ (U.T if turned else U))
            return np.stack(rows[::-1])

        return gradients

    def after_the_product(states: Array, U: Array, last: Array) -> Array:
        rows = [last]
        for t in reversed(range(len(states) - 1)):
            rows.append((rows[-1] @ U.T) * (1 - states[t + 1] ** 2))
        return np.stack(rows[::-1])

    right = back()
    expect_answers(
        "gradients_through_time(states, U, last)",
        answer,
        {
            "": _states(6, 4, seed),
            "one unit": _states(4, 1, seed + 1),
            "one state": _states(1, 3, seed + 2),
        },
        right,
        {
            "The derivative of tanh is missing: each step multiplies by 1 - h².": back(
                slope="none"
            ),
            "The derivative is the sigmoid's, h (1 - h); that of tanh is 1 - h².": back(
                slope="sigmoid"
            ),
            "The derivative is taken at h_t; from h_{t+1} back to h_t it must be taken at "
            "h_{t+1}.": back(index=0),
            "U is not transposed: on the way back the gradient is multiplied by the transposed "
            "U.": back(turned=False),
            "First the derivative of tanh, then the transposed U; here it is the other way "
            "round.": after_the_product,
            "The rows stand from the last state to the first; they should stand from the first to "
            "the last.": lambda *i: right(*i)[::-1],
            "The gradient of the last state is missing.": lambda *i: right(*i)[:-1],
        },
        relative=True,
    )


def _states(time: int, units: int, seed: int) -> tuple[Array, ...]:
    states = np.tanh(random_numbers(seed + 96, time, units)).astype("float32").astype("float64")
    return states, random_numbers(seed + 97, units, units), random_numbers(seed + 98, units)


@check
def clipped_by_global_norm(answer: Function, seed: int = 0) -> None:
    """Check `answer(gradients, limit)`, section s3.

    Args:
        answer: The student's function of a list of arrays and the largest norm
            that all of them together may have; it returns the list, scaled
            down by one factor where the norm is larger. It may return the norm
            before clipping beside it.
        seed: For the random gradients.

    Raises:
        AssertionError: The gradients are not right.
    """

    def norm(gradients: list[Array]) -> float:
        return float(np.sqrt(sum((g**2).sum() for g in gradients)))

    def scaled(gradients: list[Array], factor: float) -> list[Array]:
        return [factor * g for g in gradients]

    def down(measure: Function) -> list[Function]:
        """By this in the place of the norm; some answers think of a norm of 0, some do not."""
        return [
            lambda gradients, limit: scaled(gradients, limit / max(measure(gradients), limit)),
            lambda gradients, limit: scaled(gradients, min(1.0, limit / measure(gradients))),
        ]

    def right(gradients: list[Array], limit: float) -> list[Array]:
        total = norm(gradients)
        return scaled(gradients, limit / total if total > limit else 1.0)

    shapes = [(3, 4), (4, 4), (4,)]
    gradients = [random_numbers(seed + place, *shape) for place, shape in enumerate(shapes)]
    halves = scaled(gradients, 0.5)  # their norm is above 1, so its square is larger
    expect_answers(
        "clip_by_global_norm(gradients, limit)",
        answer,
        {
            "": (gradients, 2.0),
            "a norm below the limit": (scaled(gradients, 2.0**-7), 1.0),
            "one array": ([2 * gradients[0]], 0.5),
            "a norm a little below the limit": (halves, float(np.ceil(norm(halves) + 0.25))),
            "gradients of zeros": (scaled(gradients, 0.0), 1.0),
        },
        right,
        {
            "Each array is clipped for itself; one factor, from the norm of all together, should "
            "scale them all.": lambda gradients, limit: [
                g for array in gradients for g in right([array], limit)
            ],
            "Gradients with a small norm are scaled up; they should stay as they are.": [
                lambda gradients, limit: scaled(gradients, limit / (norm(gradients) or limit)),
                lambda gradients, limit: scaled(gradients, limit / norm(gradients)),
            ],
            "The square root is missing: the norm is the root of the sum of squares.": down(
                lambda gradients: norm(gradients) ** 2
            ),
            "The sum of the squares is compared with the limit; compare its root, the norm.": (
                lambda gradients, limit: (
                    scaled(gradients, limit / norm(gradients))
                    if norm(gradients) ** 2 > limit
                    else gradients
                )
            ),
            "The norms of the arrays are added up; add up the squares, and take the root "
            "once.": down(lambda gradients: sum(norm([g]) for g in gradients)),
            "The absolute values are added up; the norm is the root of the sum of squares.": down(
                lambda gradients: sum(np.abs(g).sum() for g in gradients)
            ),
            "The largest norm of one array decides; all arrays together have one norm.": down(
                lambda gradients: max(norm([g]) for g in gradients)
            ),
            "Only the matrices count in the norm; the vectors belong to it too.": down(
                lambda gradients: norm([g for g in gradients if g.ndim > 1])
            ),
            "np.linalg.norm(G, 2) of a matrix is its largest singular value; the norm is the root "
            "of the sum of squares.": down(
                lambda gradients: norm([np.atleast_1d(np.linalg.norm(g, 2)) for g in gradients])
            ),
            "The largest number decides; the norm is the root of the sum of squares.": down(
                lambda gradients: max(np.abs(g).max() for g in gradients)
            ),
            "Each number is clipped for itself, which changes the direction; scale all by one "
            "factor.": lambda gradients, limit: [np.clip(g, -limit, limit) for g in gradients],
            "The gradients are divided by their norm, so it is 1; it should be the limit.": (
                lambda gradients, limit: (
                    scaled(gradients, 1 / norm(gradients)) if norm(gradients) > limit else gradients
                )
            ),
            "The gradients are not clipped.": lambda gradients, limit: gradients,
        },
        read=lambda result: (
            result[0]
            if isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], list)
            else result
        ),
    )
