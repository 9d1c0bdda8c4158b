import keras
import numpy as np
import pytest
from keras import ops
from table_model import EOS, TableModel, without_padding

from rnnkit.decoding import beam_search, greedy


def search(model, batch=1, **settings):
    settings = {"bos_id": 1, "eos_id": EOS, "max_length": 4, **settings}
    return beam_search(model.step, model.first_state(batch), batch, **settings)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("length_penalty", [0.0, 0.7, 1.0])
def test_a_wide_beam_finds_all_sentences_in_order(seed, length_penalty):
    model = TableModel(seed)
    sentences = model.sentences(3)
    found = search(model, max_length=3, width=200, length_penalty=length_penalty)
    scores = sorted(
        (model.log_probability(each) / len(each) ** length_penalty for each in sentences),
        reverse=True,
    )
    np.testing.assert_allclose(found.scores[0, : len(sentences)], scores, rtol=1e-5)
    assert {without_padding(row) for row in found.ids[0, : len(sentences)]} == set(sentences)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("length_penalty", [0.0, 1.0])
def test_each_score_is_that_of_its_sentence(seed, length_penalty):
    model = TableModel(seed)
    found = search(model, max_length=6, width=4, length_penalty=length_penalty)
    for row, score in zip(found.ids[0], found.scores[0], strict=True):
        sentence = without_padding(row)
        expected = model.log_probability(sentence) / len(sentence) ** length_penalty
        assert score == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("length_penalty", [0.0, 1.0])
def test_width_1_is_greedy(seed, length_penalty):
    model = TableModel(seed)
    written = greedy(model.step, model.first_state(2), 2, 1, EOS, 8)
    found = search(model, batch=2, max_length=8, width=1, length_penalty=length_penalty)
    np.testing.assert_array_equal(found.best, written)


def test_it_finds_a_better_sentence_than_greedy():
    def step(previous, state):  # 4 is likelier at first, but then nothing is likely
        table = np.full((6, 6), 1e-9)
        table[1, [4, 5]] = [0.6, 0.4]
        table[4, [2, 4, 5, EOS]] = 0.25
        table[5, EOS] = 1.0
        return np.log(table)[previous], state

    written = greedy(step, None, 1, 1, EOS, 2)
    found = beam_search(step, None, 1, 1, EOS, 2, width=2)
    assert written[0, 0] == 4
    assert found.best.tolist() == [[5, EOS]]
    assert np.exp(found.scores[0, 0]) == pytest.approx(0.4, rel=1e-5)


def test_hypotheses_differ_and_stand_best_first():
    found = search(TableModel(0), batch=3, width=6)
    assert (np.diff(found.scores, axis=1) <= 0).all()
    for rows in found.ids:
        assert len({without_padding(row) for row in rows}) == 6


def test_sentences_of_a_batch_do_not_mix():
    model = TableModel(2)
    starts, before = np.array([1, 2, 4]), np.array([0, 2, 1])
    together = beam_search(model.step, before, 3, starts, EOS, 5, width=3)
    for row in range(3):
        alone = beam_search(
            model.step, before[row : row + 1], 1, starts[row : row + 1], EOS, 5, width=3
        )
        np.testing.assert_array_equal(together.ids[row, :, : alone.ids.shape[-1]], alone.ids[0])
        np.testing.assert_allclose(together.scores[row], alone.scores[0])


def test_all_beams_of_all_sentences_go_through_one_call():
    model = TableModel(1)
    found = search(model, batch=7, width=5, max_length=6)
    assert model.calls == found.ids.shape[-1] <= 6


def test_it_stops_when_all_have_ended():
    def step(previous, state):  # 5, then the end
        scores = np.full((len(previous), 6), -50.0)
        scores[np.arange(len(previous)), np.where(previous == 5, EOS, 5)] = 0.0
        return scores, state

    found = beam_search(step, None, 1, 1, EOS, max_length=1000, width=1)
    assert found.best.tolist() == [[5, EOS]]


def test_after_the_end_stands_padding():
    found = search(TableModel(3), max_length=6, width=5, pad_id=0)
    for row in found.ids[0]:
        assert not row[len(without_padding(row)) :].any()


def test_length_normalisation_prefers_the_longer_of_two():
    def step(previous, state):
        table = np.full((5, 5), 1e-9)
        table[1] = [1e-9, 1e-9, 1e-9, 0.4, 0.6]  # the end at once, or go on
        table[4] = [1e-9, 1e-9, 0.6, 1e-9, 0.4]
        table[2, EOS] = 1.0
        return np.log(table)[previous], state

    by_penalty = {
        alpha: without_padding(
            beam_search(step, None, 1, 1, EOS, 5, width=5, length_penalty=alpha).best[0]
        )
        for alpha in (0.0, 1.0)
    }
    # log 0.4 = -0.92 against log 0.36 = -1.02, or -0.34 for each of three symbols
    assert by_penalty == {0.0: (EOS,), 1.0: (4, 2, EOS)}


def test_where_there_are_few_sentences_the_rest_are_minus_infinity():
    def step(previous, state):
        scores = np.full((len(previous), 5), -np.inf)
        scores[:, [EOS, 4]] = [[0.0, 1.0]]
        return scores, state

    found = beam_search(step, None, 1, 1, EOS, max_length=2, width=6)
    assert np.isfinite(found.scores[0]).tolist() == [True] * 3 + [False] * 3
    assert not found.ids[0, 3:].any()


def test_the_state_may_be_a_nest_of_the_backends_tensors():
    model = TableModel(5)

    def step(previous, state):
        before = ops.convert_to_numpy(state["before"][0])
        count = state["count"] + 1
        scores, before = model.step(previous, before)
        state = {"before": (ops.convert_to_tensor(before),), "count": count, "nothing": None}
        return ops.convert_to_tensor(scores), state

    first = {
        "before": (ops.convert_to_tensor(model.first_state(2)),),
        "count": np.zeros((2, 1)),
        "nothing": None,
    }
    found = beam_search(step, first, 2, 1, EOS, 4, width=3)
    expected = search(model, batch=2, width=3)
    np.testing.assert_array_equal(found.ids, expected.ids)


def test_the_state_of_each_beam_follows_it():
    # The state remembers all that was written; the scores depend on it alone.
    rng = np.random.default_rng(0)
    weights = rng.normal(size=(4, 6))

    def step(previous, state):
        state = np.concatenate([state[:, 1:], previous[:, None].astype("float64")], axis=1)
        return np.sin(state @ weights), state

    found = beam_search(step, np.zeros((2, 4)), 2, 1, None, 6, width=4)
    for row, score in zip(found.ids[1], found.scores[1], strict=True):
        state, total, previous = np.zeros((1, 4)), 0.0, np.array([1])
        for symbol in row:
            scores, state = step(previous, state)
            total += scores[0, symbol] - np.log(np.exp(scores).sum())
            previous = np.array([symbol])
        assert score == pytest.approx(total, rel=1e-5)


def test_scores_in_half_precision_are_taken():
    model = TableModel(1)

    def step(previous, state):
        scores, state = model.step(previous, state)
        return ops.cast(scores, "bfloat16"), state

    assert beam_search(step, model.first_state(1), 1, 1, EOS, 3).scores.dtype == "float64"


def test_an_empty_batch_gives_an_empty_result():
    found = search(TableModel(0), batch=0, width=3)
    assert (found.ids.shape, found.scores.shape) == ((0, 3, 0), (0, 3))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"width": 0}, "width=0"),
        ({"max_length": 0}, "max_length=0"),
        ({"length_penalty": -1.0}, "length_penalty=-1.0"),
    ],
)
def test_settings_out_of_range_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        search(TableModel(0), **settings)


def test_a_state_without_a_batch_is_refused():
    with pytest.raises(ValueError, match=r"first axis is the batch\. Received: 7 in the state"):
        beam_search(TableModel(0).step, {"count": 7}, 1, 1, EOS, 3)


def test_scores_that_are_no_numbers_are_refused():
    def step(previous, state):
        return np.full((len(previous), 5), np.nan), state

    with pytest.raises(ValueError, match="Received: NaN"):
        beam_search(step, None, 1, 1, EOS, 3)


def test_it_runs_on_the_keras_backend_in_use():
    layer = keras.layers.GRUCell(5)
    layer.build((None, 6))

    def step(previous, state):
        _, state = layer(ops.one_hot(previous, 6), state)
        return ops.pad(state[0], [[0, 0], [0, 1]]), state

    found = beam_search(step, [ops.zeros((2, 5))], 2, 1, 5, 4, width=3)
    assert found.ids.shape[:2] == (2, 3)
