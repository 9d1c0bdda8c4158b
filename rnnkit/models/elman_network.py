"""An Elman network that labels each step: its way forward, and its gradients by autodiff."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from keras import ops

from rnnkit.layers import Tensor
from rnnkit.layers.as_tensors import as_tensors
from rnnkit.models.gradient import gradient

Array = np.ndarray


class ElmanPass(NamedTuple):
    """What the way forward gives.

    Args:
        loss: The mean cross-entropy of the labels, nats.
        states: The state after each step, `(batch, time, units)`.
        d_logits: The gradient of the loss with respect to the logits,
            `(batch, time, labels)`.
    """

    loss: float
    states: Array
    d_logits: Array


def elman_forward(
    inputs: Array, labels: Array, params: Mapping[str, Array], first: Array | None = None
) -> ElmanPass:
    r"""The way forward, in NumPy.

    $$h_t = \tanh(x_t W + h_{t-1} U + b) \qquad
      p_t = \mathrm{softmax}(h_t V + c)$$

    The loss is $-\log p_t[\mathrm{label}_t]$, its mean over all sentences and
    steps. Its gradient with respect to the logits is the softmax minus the
    one-hot label, divided by the number of labels.

    Taught in unit 01, section s4.

    Args:
        inputs: `(batch, time, features)`.
        labels: Integers `(batch, time)`.
        params: `W` (features, units), `U` (units, units), `b` (units,), `V`
            (units, labels) and `c` (labels,).
        first: The state before the first step, `(batch, units)`; None for zeros.

    Returns:
        The loss, the states and the gradient of the logits.

    Example:

    >>> shapes = {"W": (3, 2), "U": (2, 2), "b": (2,), "V": (2, 4), "c": (4,)}
    >>> params = {name: np.zeros(shape) for name, shape in shapes.items()}
    >>> result = elman_forward(np.ones((1, 2, 3)), np.array([[3, 0]]), params)
    >>> round(result.loss, 4)  # log 4
    1.3863
    >>> result.d_logits[0].tolist()
    [[0.125, 0.125, 0.125, -0.375], [-0.375, 0.125, 0.125, 0.125]]
    """
    labels = np.asarray(labels)
    projected = np.asarray(inputs) @ params["W"] + params["b"]  # all steps in one product
    h = np.zeros_like(projected[:, 0]) if first is None else np.asarray(first)
    states = np.empty_like(projected)
    for t in range(labels.shape[1]):
        h = np.tanh(projected[:, t] + h @ params["U"])
        states[:, t] = h
    logits = states @ params["V"] + params["c"]
    shifted = logits - logits.max(axis=-1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    place = labels[..., None]
    loss = -float(np.take_along_axis(logs, place, axis=-1).mean())
    d_logits = np.exp(logs)
    np.put_along_axis(d_logits, place, np.take_along_axis(d_logits, place, axis=-1) - 1, axis=-1)
    return ElmanPass(loss, states, d_logits / labels.size)


def elman_gradients(
    inputs: Array, labels: Array, params: Mapping[str, Array], first: Array | None = None
) -> tuple[dict[str, Array], Array]:
    """The gradients of the loss, by the backend's automatic differentiation.

    The state before the first step is a constant: no gradient goes on into
    what came before it.

    Taught in unit 01, section s4.

    Args:
        inputs: As in `elman_forward`.
        labels: As in `elman_forward`.
        params: As in `elman_forward`.
        first: As in `elman_forward`.

    Returns:
        The gradient for each of the weights, and the state after the last
        step, `(batch, units)`.

    Example:

    >>> shapes = {"W": (3, 2), "U": (2, 2), "b": (2,), "V": (2, 4), "c": (4,)}
    >>> params = {name: np.zeros(shape) for name, shape in shapes.items()}
    >>> gradients, last = elman_gradients(np.ones((1, 2, 3)), np.array([[3, 0]]), params)
    >>> gradients["c"].tolist()  # of each step as in `elman_forward`, added up
    [-0.25, 0.25, 0.25, -0.25]
    """
    params = {name: np.asarray(value) for name, value in params.items()}
    labels = np.asarray(labels)
    states = elman_forward(inputs, labels, params, first).states
    begin = np.zeros_like(states[:, 0]) if first is None else np.asarray(first)
    one_hot = np.eye(len(params["c"]))[labels].astype(states.dtype)
    x, h_0, wanted, vector = as_tensors(
        np.asarray(inputs), begin, one_hot, np.concatenate([p.ravel() for p in params.values()])
    )

    def loss(vector: Tensor) -> Tensor:
        p = _unpacked(vector, params)
        projected = ops.matmul(x, p["W"]) + p["b"]
        h, hs = h_0, []
        for t in range(labels.shape[1]):
            h = ops.tanh(projected[:, t] + ops.matmul(h, p["U"]))
            hs.append(h)
        logits = ops.matmul(ops.stack(hs, axis=1), p["V"]) + p["c"]
        logs = logits - ops.logsumexp(logits, axis=-1, keepdims=True)
        return -ops.sum(logs * wanted) / labels.size

    slope = ops.convert_to_numpy(gradient(loss, vector))
    return _unpacked(slope, params), states[:, -1]


def _unpacked(vector: Any, params: Mapping[str, Array]) -> dict[str, Any]:
    """One long vector as arrays of the shapes of the weights."""
    reshape = np.reshape if isinstance(vector, np.ndarray) else ops.reshape
    parts, start = {}, 0
    for name, value in params.items():
        parts[name] = reshape(vector[start : start + value.size], value.shape)
        start += value.size
    return parts
