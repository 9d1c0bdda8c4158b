"""A curve that grows while a model is trained."""

import os
import sys
import time
import uuid

import keras
from matplotlib.ticker import MaxNLocator

from rnnkit.plots.figure import FONT_SIZE, LINE_STYLES, CourseFigure

_SECONDS_BETWEEN_DRAWINGS = 0.5


class TrainingCurve(keras.callbacks.Callback):
    """Draws the loss after each epoch, in one figure that stays in its place.

    In a notebook that someone has open (JupyterLab, Colab, VS Code) the figure
    is drawn again after each epoch. Where nobody watches (a script, nbgrader,
    nbconvert) nothing is drawn, and one line of text says at the end how the
    training went. Nothing is written to stderr. Pass ``verbose=0`` to ``fit``.

    Used in units 02 to 07.

    Args:
        title: Stands above the curve.

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

    def __init__(self, title: str = "Training") -> None:
        super().__init__()
        self.title = title
        self.history: dict[str, list[float]] = {}

    def on_train_begin(self, logs: dict | None = None) -> None:
        """Forget an earlier training."""
        self.history = {}
        self._display_id: str | None = None
        self._drawn_at = -_SECONDS_BETWEEN_DRAWINGS
        self._watched = someone_watches()

    def on_epoch_end(self, epoch: int, logs: dict | None = None) -> None:
        """Keep the epoch's numbers, and draw them."""
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(float(value))
        if self._watched and time.monotonic() - self._drawn_at >= _SECONDS_BETWEEN_DRAWINGS:
            self._draw()

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
            A figure with the loss, and the validation loss where there is one,
            against epochs.
        """
        figure = CourseFigure(height=3.2)
        axes = figure.subplots()
        losses = {name: self.history.get(name, []) for name in ("loss", "val_loss")}
        for style, (name, values) in zip(LINE_STYLES, losses.items(), strict=False):
            if values:
                label = "training" if name == "loss" else "validation"
                epochs = range(1, len(values) + 1)
                axes.plot(epochs, values, label=label, linewidth=2, markersize=5, **style)
        axes.set_title(self.title, fontsize=FONT_SIZE)
        axes.set_xlabel("epoch", fontsize=FONT_SIZE)
        axes.set_ylabel("loss", fontsize=FONT_SIZE)
        axes.tick_params(labelsize=FONT_SIZE)
        axes.set_xlim(0.5, max(2, *(len(values) for values in losses.values())) + 0.5)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        axes.grid(alpha=0.3)
        if losses["val_loss"]:
            axes.legend(fontsize=FONT_SIZE)
        figure.rnnkit_alt = self._summary()
        return figure

    def _summary(self) -> str:
        epochs = len(next(iter(self.history.values()), []))
        last = ", ".join(f"{name} {values[-1]:.4f}" for name, values in self.history.items())
        return f"{self.title}: {epochs} epoch{'' if epochs == 1 else 's'}, {last}"

    def _draw(self) -> None:
        from IPython.display import display

        first = self._display_id is None
        self._display_id = self._display_id or uuid.uuid4().hex
        display(self.figure(), display_id=self._display_id, update=not first)
        self._drawn_at = time.monotonic()


def someone_watches() -> bool:
    """Whether this process belongs to a notebook that someone has open.

    A kernel that nbgrader or nbclient started to run a notebook from top to
    bottom looks like one that JupyterLab started, but for the name of the
    session that the server gives its kernels.
    """
    if "NBGRADER_EXECUTION" in os.environ:
        return False
    if "google.colab" in sys.modules:
        return True
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    shell = get_ipython()
    if not hasattr(shell, "kernel"):  # none, or one in a terminal
        return False
    return "JPY_SESSION_NAME" in os.environ or "__vsc_ipynb_file__" in shell.user_ns
