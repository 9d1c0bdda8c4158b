import keras
import numpy as np
import pytest

from rnnkit.plots import TrainingCurve, alt_text, training


def train(curve, epochs=3, validation=True, every=1):
    x = np.ones((4, 1), "float32")
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse", run_eagerly=True)
    data = (x, x) if validation else None
    settings = {"validation_data": data, "validation_freq": every, "verbose": 0}
    model.fit(x, x, epochs=epochs, callbacks=[curve], **settings)


@pytest.fixture
def unwatched(monkeypatch):
    monkeypatch.setattr(training, "someone_watches", lambda: False)


@pytest.fixture
def displayed(monkeypatch):
    """What the notebook was told to display: (figure, id, update) each time."""
    pytest.importorskip("IPython")
    calls = []
    monkeypatch.setattr(training, "someone_watches", lambda: True)
    monkeypatch.setattr(training, "_SECONDS_BETWEEN_DRAWINGS", 0.0)
    monkeypatch.setattr(
        "IPython.display.display",
        lambda figure, display_id, update: calls.append((figure, display_id, update)),
    )
    return calls


def test_where_nobody_watches_one_line_is_printed(unwatched, capsys):
    train(TrainingCurve("Dates"), epochs=3)
    printed = capsys.readouterr()
    assert printed.out.startswith("Dates: 3 epochs, loss ")
    assert "val_loss" in printed.out
    assert printed.out.count("\n") == 1


def test_nothing_is_written_to_stderr(unwatched, capfd):
    train(TrainingCurve(), epochs=1)
    assert capfd.readouterr().err == ""


def test_no_line_without_an_epoch(unwatched, capsys):
    curve = TrainingCurve()
    curve.on_train_begin()
    curve.on_train_end()
    assert capsys.readouterr().out == ""


def test_a_notebook_shows_one_figure_that_is_drawn_again(displayed, capsys):
    train(TrainingCurve(), epochs=3)
    assert len({display_id for _, display_id, _ in displayed}) == 1
    assert [update for _, _, update in displayed] == [False, True, True, True]
    assert capsys.readouterr().out == ""


def test_the_last_drawing_has_all_epochs(displayed):
    train(TrainingCurve("Dates"), epochs=3)
    assert alt_text(displayed[-1][0]).startswith("Dates: 3 epochs")


def test_quick_epochs_are_not_each_drawn(displayed, monkeypatch):
    monkeypatch.setattr(training, "_SECONDS_BETWEEN_DRAWINGS", 3600.0)
    train(TrainingCurve(), epochs=5)
    assert len(displayed) == 2  # the first epoch, and the whole curve at the end


def test_a_second_training_gets_a_figure_of_its_own(displayed):
    curve = TrainingCurve()
    train(curve, epochs=1)
    train(curve, epochs=1)
    assert len({display_id for _, display_id, _ in displayed}) == 2
    assert len(curve.history["loss"]) == 1


def test_the_figure_has_a_line_for_training_and_one_for_validation(unwatched):
    curve = TrainingCurve()
    train(curve, epochs=2)
    lines = curve.figure().axes[0].lines
    drawn = {line.get_label(): line.get_ydata().tolist() for line in lines}
    assert drawn == {"training": curve.history["loss"], "validation": curve.history["val_loss"]}


def test_an_epoch_without_validation_gets_no_point_of_it(unwatched):
    curve = TrainingCurve("Dates")
    train(curve, epochs=5, every=2)
    places = {
        line.get_label(): list(line.get_xdata()) for line in curve.figure().axes[0].get_lines()
    }
    assert places == {"training": [1, 2, 3, 4, 5], "validation": [2, 4]}


def test_without_validation_there_is_one_line(unwatched):
    curve = TrainingCurve()
    train(curve, epochs=1, validation=False)
    assert len(curve.figure().axes[0].lines) == 1


def train_on_batches(curve, targets, epochs=1, validation=None):
    """A model that gives 0 and never learns: the loss of a batch is its target's square."""
    y = np.array(targets, "float32")[:, np.newaxis]
    x = np.ones_like(y)
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, kernel_initializer="zeros")])
    model.compile(keras.optimizers.SGD(0.0), "mse", run_eagerly=True)
    settings = {"batch_size": 1, "shuffle": False, "verbose": 0, "callbacks": [curve]}
    data = None if validation is None else (x[:1], np.array([[validation]], "float32"))
    model.fit(x, y, epochs=epochs, validation_data=data, **settings)


def points(curve):
    lines = curve.figure().axes[0].lines
    return {line.get_label(): line.get_xydata().tolist() for line in lines}


def test_in_a_long_epoch_each_point_is_the_mean_of_its_batches(unwatched):
    curve = TrainingCurve(every=2)
    train_on_batches(curve, [1, 3, 5, 5, 9], epochs=2)
    places, losses = zip(*points(curve)["training"], strict=True)
    assert places == (2, 4, 7, 9)  # the fifth batch of an epoch is in no point
    np.testing.assert_allclose(losses, [5, 25, 5, 25], rtol=1e-5)
    assert curve.figure().axes[0].get_xlabel() == "step (batches)"


def test_in_a_long_epoch_the_validation_stands_at_its_end(unwatched):
    curve = TrainingCurve(every=2)
    train_on_batches(curve, [1, 1, 1], epochs=2, validation=2)
    assert points(curve)["validation"] == [[3.0, 4.0], [6.0, 4.0]]


def test_a_long_epoch_is_drawn_before_it_ends(displayed):
    train_on_batches(TrainingCurve("Text", every=1), [1, 2])
    assert alt_text(displayed[0][0]) == "Text: 1 batches, loss 1.0000"
    assert len(displayed) == 4  # two batches, the epoch, and the whole curve


def test_language_models_show_their_perplexity(unwatched, capsys):
    curve = TrainingCurve("Text", perplexity=True)
    train_on_batches(curve, [2], validation=1)
    assert points(curve) == {
        "training": [[1.0, pytest.approx(np.exp(4))]],
        "validation": [[1.0, pytest.approx(np.exp(1))]],
    }
    axes = curve.figure().axes[0]
    assert (axes.get_ylabel(), axes.get_yscale()) == ("perplexity", "log")
    assert "perplexity 54.60, val_perplexity 2.72" in capsys.readouterr().out


def test_a_loss_too_high_for_a_perplexity_is_still_drawn(unwatched, capfd):
    curve = TrainingCurve(perplexity=True)
    train_on_batches(curve, [1, 1000], epochs=1)
    assert curve.figure()._repr_mimebundle_()[0]["image/png"]
    assert "perplexity inf" in capfd.readouterr().out


def test_the_legend_lies_outside_the_curves(unwatched):
    curve = TrainingCurve()
    train_on_batches(curve, [1], validation=1)
    figure = curve.figure()
    assert figure.axes[0].get_legend() is None
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["training", "validation"]


def test_a_point_after_no_batch_is_refused():
    with pytest.raises(ValueError, match=r"1 batch or more, or None. Received: 0"):
        TrainingCurve(every=0)
