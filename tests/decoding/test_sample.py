import numpy as np
import pytest
from table_model import EOS, TableModel, without_padding

from rnnkit.decoding import greedy, sample


def draw(model, batch=1, **settings):
    settings = {"bos_id": 1, "eos_id": EOS, "max_length": 8, **settings}
    return sample(model.step, model.first_state(batch), batch, **settings)


def test_the_same_seed_gives_the_same_sentences():
    first, second = (draw(TableModel(0), batch=5, seed=3) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_another_seed_gives_others():
    assert draw(TableModel(0), 5, seed=3).tolist() != draw(TableModel(0), 5, seed=4).tolist()


def test_a_sentence_does_not_depend_on_the_others_in_its_batch():
    few, many = (draw(TableModel(0), batch, seed=1) for batch in (2, 9))
    for row in range(2):
        assert without_padding(few[row]) == without_padding(many[row])


@pytest.mark.parametrize("settings", [{"temperature": 0}, {"temperature": 1e-6}, {"top_k": 1}])
def test_temperature_0_and_one_symbol_are_greedy(settings):
    model = TableModel(6)
    written = greedy(model.step, model.first_state(4), 4, 1, EOS, 8)
    np.testing.assert_array_equal(draw(model, 4, **settings), written)


def test_symbols_come_as_often_as_they_are_probable():
    model = TableModel(1)
    expected = np.exp(model.log_softmax[0, 1])
    drawn = draw(model, batch=4_000, max_length=1)[:, 0]
    counts = np.bincount(drawn, minlength=5) / len(drawn)
    # Five standard deviations of a share of one half.
    np.testing.assert_allclose(counts, expected, atol=5 * 0.5 / np.sqrt(len(drawn)))


def test_it_stops_at_the_end_and_pads():
    for row in draw(TableModel(2), batch=30, max_length=12):
        assert not row[len(without_padding(row)) :].any()


def test_without_an_end_it_makes_all_steps():
    assert draw(TableModel(2), batch=3, eos_id=None, max_length=20).shape == (3, 20)


def test_each_step_sees_one_symbol_and_the_state_alone():
    shapes = set()
    model = TableModel(0)

    def step(previous, state):
        shapes.add((previous.shape, state.shape))
        return model.step(previous, state)

    sample(step, model.first_state(2), 2, 1, None, max_length=30)
    assert shapes == {((2,), (2,))}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_length": 0}, "max_length=0"),
        ({"temperature": -1.0}, "temperature must be 0 or more. Received: -1.0"),
        ({"top_k": 0}, "top_k must be at least 1"),
        ({"top_p": 0.0}, "top_p must be more than 0"),
        ({"top_p": 1.5}, "top_p must be .* at most 1"),
    ],
)
def test_settings_out_of_range_are_refused_before_any_step(settings, message):
    model = TableModel(0)
    with pytest.raises(ValueError, match=message):
        draw(model, **settings)
    assert model.calls == 0
