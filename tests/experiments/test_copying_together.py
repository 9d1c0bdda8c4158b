"""Nets that learn side by side learn as each would alone."""

import keras
import numpy as np
import pytest
from keras import ops

from rnnkit.experiments import copying_together
from rnnkit.experiments.copying import Net
from rnnkit.experiments.copying_together import (
    EMBEDDINGS,
    first_weights,
    shares_right,
    side_by_side,
    train_side_by_side,
)
from rnnkit.layers import Recurrence, make_cell
from rnnkit.plots import curves

SMALL, LARGE = EMBEDDINGS
NETS = {
    "elman": [Net("elman", "orthogonal"), Net("elman", "Gaussian")],
    "lstm": [Net("lstm", "orthogonal", 0), Net("lstm", "Gaussian", 5)],
}


@pytest.mark.parametrize("kind", NETS)
def test_each_net_gives_what_its_layers_give(kind: str) -> None:
    beginnings = [first_weights(LARGE, net, 1) for net in NETS[kind]]
    ids = np.array([[1, 9, 10], [4, 9, 10]], "int32")
    together = ops.convert_to_numpy(side_by_side(kind, beginnings, delay=1)(ids))
    for number, (embedding, *cell_weights, last, last_bias) in enumerate(beginnings):
        layer = Recurrence(make_cell(kind, 32))
        layer.build((None, 3, 32))
        layer.cell.set_weights(cell_weights)
        _, (hidden, *_) = layer(embedding[ids])
        alone = ops.convert_to_numpy(hidden) @ last + last_bias
        np.testing.assert_allclose(together[:, number], alone, atol=1e-5)


@pytest.mark.parametrize("kind", NETS)
def test_a_net_learns_as_it_would_alone(kind: str, eager) -> None:
    beginnings = [first_weights(SMALL, net, 1) for net in NETS[kind]]
    together, alone = (side_by_side(kind, each, delay=2) for each in (beginnings, beginnings[1:]))
    for model in (together, alone):
        train_side_by_side(model, delay=2, updates=3)
    for both, one, first in zip(
        together.get_weights(), alone.get_weights(), beginnings[1], strict=True
    ):
        np.testing.assert_allclose(both[1], one[0], atol=1e-5)
        assert not np.allclose(both[1], first, atol=1e-4)


def test_each_net_begins_as_it_is_told() -> None:
    small, _, orthogonal, *_ = first_weights(SMALL, Net("elman", "orthogonal"), 0)
    assert abs(small).max() <= 0.05
    np.testing.assert_allclose(orthogonal @ orthogonal.T, np.eye(32), atol=1e-5)
    large, _, gaussian, bias, *_ = first_weights(LARGE, Net("lstm", "Gaussian", 3), 0)
    assert large.std() == pytest.approx(1.0, rel=0.2)
    assert gaussian.std() == pytest.approx(32**-0.5, rel=0.1)
    assert bias.tolist() == [0.0] * 32 + [3.0] * 32 + [0.0] * 64


def test_seeds_differ() -> None:
    one, other = (first_weights(LARGE, Net("elman", "Gaussian"), seed) for seed in (0, 1))
    assert not any(np.allclose(a, b) for a, b in zip(one[:3], other[:3], strict=True))


def test_one_net_among_many_has_all_right() -> None:
    class Scores:
        def __call__(self, ids: np.ndarray) -> np.ndarray:
            first = np.eye(11)[ids[:, 0]]
            return np.stack([first, np.roll(first, 1, axis=-1)], axis=1)

    assert shares_right(Scores(), delay=3) == [1.0, 0.0]


def test_every_net_has_its_accuracies(capsys, eager) -> None:
    result = copying_together(seeds=(0, 1), forget_biases=(1, 5), delay=2, updates=1)
    assert {len(nets) for nets in result.accuracy.values()} == {2 + 4}
    assert all(len(shares) == 2 for nets in result.accuracy.values() for shares in nets.values())
    assert len(capsys.readouterr().out.splitlines()) == len(result.trainings) == 2
    assert curves(result.series(), "forget bias", "accuracy", chance=result.chance)


def test_an_exploding_net_does_not_slow_its_neighbour_down() -> None:
    from rnnkit.experiments.copying_together import _ClipEachNet

    weights = keras.Variable(np.zeros((2, 3), "float32"))
    optimizer = _ClipEachNet(0.1, name="clip_each_net")
    calls = []
    optimizer.update_step = lambda grad, variable, rate: calls.append(ops.convert_to_numpy(grad))
    optimizer.build([weights])
    optimizer.apply([ops.convert_to_tensor([[3e6, 4e6, 0.0], [0.1, 0.2, 0.0]])], [weights])
    np.testing.assert_allclose(calls[0], [[0.6, 0.8, 0.0], [0.1, 0.2, 0.0]], rtol=1e-5)


def test_seeds_are_needed() -> None:
    with pytest.raises(ValueError, match="seeds"):
        copying_together(seeds=())
