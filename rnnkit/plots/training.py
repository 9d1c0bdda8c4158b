"""A curve that grows while a model is trained."""

import time
import uuid

import keras
import numpy as np
from matplotlib.ticker import LogFormatter, MaxNLocator

from rnnkit.plots.figure import FONT_SIZE, LINE_STYLES, CourseFigure
from rnnkit.plots.watching import someone_watches

_SECONDS_BETWEEN_DRAWINGS = 0.5
_MOST_MARKERS = 20  # on a line


class TrainingCurve(keras.callbacks.Callback):
    """Draws the loss while a model is trained, in one figure that stays in its place.

    In a notebook that someone has open (JupyterLab, Colab, VS Code) the figure
    is drawn again after each epoch. Where nobody watches (a script, nbgrader,
    nbconvert) nothing is drawn, and one line of text says at the end how the
    training went. Nothing is written to stderr. Pass ``verbose=0`` to ``fit``.

    Used in units 02 to 07.

    Args:
        title: Stands above the curve.
        perplexity: Draw the perplexity, ``exp(loss)``, on a logarithmic scale;
            for language models, whose loss is the mean cross-entropy of a
            symbol in nats.
        every: Draw a point of the training loss after so many batches, where
            epochs are few and long: the mean of these batches. Each epoch by
            default.

    Example:

    >>> import keras
    >>> from rnnkit.plots import TrainingCurve
    >>> keras.utils.set_random_seed(0)
    >>> model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="zeros")])
    >>> model.compile("sgd", "mse")
    >>> x = keras.ops.zeros((4, 1))
    >>> _ = model.fit(x, x, epochs=2, verbose=0, callbacks=[TrainingCurve("Zeros")])
    Zeros: 2 epochs, loss 0.0000
    """

    def __init__(
        self, title: str = "Training", perplexity: bool = False, every: int | None = None
    ) -> None:
        super().__init__()
        if every is not None and every < 1:
            raise ValueError(f"every must be 1 batch or more, or None. Received: {every}")
        self.title = title
        self.perplexity = perplexity
        self.every = every
        self._start()

    def _start(self) -> None:
        self.history: dict[str, list[float]] = {}
        # (batches or epochs up to here, loss)
        self._training: list[tuple[int, float]] = []
        self._validation: list[tuple[int, float]] = []
        self._batches = 0  # in earlier epochs
        self._in_epoch = 0  # batches of this one
        self._display_id: str | None = None
        self._drawn_at = -_SECONDS_BETWEEN_DRAWINGS

    def on_train_begin(self, logs: dict | None = None) -> None:
        """Forget an earlier training."""
        self._start()
        self._watched = someone_watches()

    def on_epoch_begin(self, epoch: int, logs: dict | None = None) -> None:
        """Begin a new mean: Keras gives the mean loss since the epoch began."""
        self._in_epoch = 0
        self._sum_at_point, self._batches_at_point = 0.0, 0

    def on_train_batch_end(self, batch: int, logs: dict | None = None) -> None:
        """Add a point, where one is due."""
        self._in_epoch = batch + 1
        new = self._in_epoch - self._batches_at_point
        if self.every is None or new < self.every:
            return
        total = float((logs or {})["loss"]) * self._in_epoch
        mean = (total - self._sum_at_point) / new
        self._training.append((self._batches + self._in_epoch, mean))
        self._sum_at_point, self._batches_at_point = total, self._in_epoch
        self._draw_now_and_then()

    def on_epoch_end(self, epoch: int, logs: dict | None = None) -> None:
        """Keep the epoch's numbers, and draw them."""
        logs = logs or {}
        for name, value in logs.items():
            self.history.setdefault(name, []).append(float(value))
        self._batches += self._in_epoch
        epochs = len(self.history.get("loss", []))
        place = self._batches if self.every else epochs
        if "val_loss" in logs:  # not in each epoch, with validation_freq
            self._validation.append((place, float(logs["val_loss"])))
        if "loss" in logs and not self.every:
            self._training.append((place, float(logs["loss"])))
        self._draw_now_and_then()

    def on_train_end(self, logs: dict | None = None) -> None:
        """Draw the whole curve, or print one line."""
        if not self.history:
            return
        if self._watched:
            self._draw()
        else:
            print(self._summary())

    def figure(self) -> CourseFigure:
        """The curve up to now.

        Returns:
            A figure with the training loss, and the validation loss where
            there is one, against epochs or batches.
        """
        figure = CourseFigure(height=3.2)
        axes = figure.subplots()
        if self.perplexity:
            axes.set_yscale("log")
            for which in (axes.yaxis.set_major_formatter, axes.yaxis.set_minor_formatter):
                which(LogFormatter(minor_thresholds=(2, 0.5)))
        lines = {"training": self._training, "validation": self._validation}
        for style, (label, points) in zip(LINE_STYLES, lines.items(), strict=False):
            if points:
                places, losses = zip(*points, strict=True)
                values = [_exp(loss) for loss in losses] if self.perplexity else losses
                look = {"linewidth": 2, "markersize": 5, **style}
                every = max(1, len(points) // _MOST_MARKERS)
                axes.plot(places, values, label=label, markevery=every, **look)
        axes.set_title(self.title, fontsize=FONT_SIZE)
        axes.set_xlabel("step (batches)" if self.every else "epoch", fontsize=FONT_SIZE)
        axes.set_ylabel("perplexity" if self.perplexity else "loss", fontsize=FONT_SIZE)
        axes.tick_params(labelsize=FONT_SIZE, which="both")
        if not self.every:
            axes.set_xlim(0.5, max(2, len(self._training)) + 0.5)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        axes.grid(alpha=0.3)
        if self._validation:
            figure.legend(loc="outside lower center", ncols=2, fontsize=FONT_SIZE, frameon=False)
        figure.rnnkit_alt = self._summary()
        return figure

    def _summary(self) -> str:
        if not self.history and self._training:
            place, loss = self._training[-1]
            return f"{self.title}: {place} batches, loss {loss:.4f}"
        epochs = len(next(iter(self.history.values()), []))
        last = {name: values[-1] for name, values in self.history.items()}
        told = [f"{name} {value:.4f}" for name, value in last.items()]
        if self.perplexity:
            told += [
                f"{name.replace('loss', 'perplexity')} {_exp(last[name]):.2f}"
                for name in ("loss", "val_loss")
                if name in last
            ]
        return f"{self.title}: {epochs} epoch{'' if epochs == 1 else 's'}, {', '.join(told)}"

    def _draw_now_and_then(self) -> None:
        if self._watched and time.monotonic() - self._drawn_at >= _SECONDS_BETWEEN_DRAWINGS:
            self._draw()

    def _draw(self) -> None:
        from IPython.display import display

        first = self._display_id is None
        self._display_id = self._display_id or uuid.uuid4().hex
        display(self.figure(), display_id=self._display_id, update=not first)
        self._drawn_at = time.monotonic()


def _exp(loss: float) -> float:
    """The perplexity; infinite where the loss is too high for a float."""
    with np.errstate(over="ignore"):
        return float(np.exp(loss))
