"""A picture or a text to play with: a slider or a list for each choice."""

import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from numbers import Real
from typing import Any

from rnnkit.plots.figure import CourseFigure
from rnnkit.plots.watching import notebook_shell, someone_watches

Choice = int | float | str | bool
Drawn = CourseFigure | str

_PROMPT = "Choose another value, and the result appears here."


def play(draw: Callable[..., Drawn], /, show: int = 1, **choices: Sequence[Choice]) -> None:
    """Show what a function draws, and let a student change its arguments.

    At first the picture of the first value of each choice is shown, so that
    there is one on paper and in exported pages too. Below it, where someone
    has the notebook open (JupyterLab, Colab, VS Code) and ipywidgets is
    installed, stands a slider for each choice between numbers and a list for
    each choice between words; a change draws again.

    Used in all lectures.

    Args:
        draw: Called with one value of each choice, by name; returns a figure
            of `rnnkit.plots`, or a text. Should take less than a second, so
            train models beforehand.
        show: How many values of the first choice are shown at first, one
            below the other.
        choices: For each argument of `draw`, the values to choose from.

    Raises:
        ValueError: There is no choice, one has no values, or `show` is not
            between 1 and the number of values of the first choice.
        TypeError: A choice is a single text, or `draw` returned neither a
            figure of `rnnkit.plots` nor a text.

    Example:

    >>> from rnnkit.plots import play
    >>> play(lambda times, word: times * word, show=2, times=[2, 3], word=["ha", "ho"])
    times = 2, word = ha
    haha
    times = 3, word = ha
    hahaha
    """
    _check(choices, show)
    for values in _first_values(choices, show):
        print(_told(values))
        _show(_drawn(draw, values))
    if someone_watches():
        _show_widgets(draw, choices)


def _check(choices: Mapping[str, Sequence[Choice]], show: int) -> None:
    if not choices:
        raise ValueError("play needs a choice, such as temperature=[0.5, 1.0]. Received: none")
    for name, values in choices.items():
        if isinstance(values, str):
            raise TypeError(f"{name} must be a list of values. Received: {values!r}")
        if len(values) == 0:
            raise ValueError(f"{name} must have a value to choose. Received: {values!r}")
    name, values = next(iter(choices.items()))
    if not 1 <= show <= len(values):
        raise ValueError(
            f"show must be 1 to {len(values)}, the number of values of {name}. Received: {show}"
        )


def _first_values(
    choices: Mapping[str, Sequence[Choice]], show: int
) -> Iterator[dict[str, Choice]]:
    """The first values of the first choice, each with the first of every other one."""
    first, *others = choices
    rest = {name: choices[name][0] for name in others}
    for value in choices[first][:show]:
        yield {first: value, **rest}


def _drawn(draw: Callable[..., Drawn], values: Mapping[str, Choice]) -> Drawn:
    drawn = draw(**values)
    if not isinstance(drawn, CourseFigure | str):
        raise TypeError(f"draw must return a figure of rnnkit.plots or a text. Received: {drawn!r}")
    return drawn


def _told(values: Mapping[str, Choice]) -> str:
    return ", ".join(f"{_words(name)} = {_label(value)}" for name, value in values.items())


def _words(name: str) -> str:
    return name.replace("_", " ")


def _label(value: Choice) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _show(drawn: Drawn) -> None:
    if isinstance(drawn, str):
        print(drawn)
    elif notebook_shell() is None:
        print(drawn.rnnkit_alt)
    else:
        from IPython.display import display

        display(drawn)


def _show_widgets(draw: Callable[..., Drawn], choices: Mapping[str, Sequence[Choice]]) -> None:
    try:
        import ipywidgets
    except ImportError:  # the pictures above are all there is
        return
    from IPython.display import display

    controls = {name: _control(ipywidgets, name, values) for name, values in choices.items()}
    # HTML, and no Output: it takes the description of a picture, and looks the
    # same in version 7 (Colab) and version 8.
    place = ipywidgets.HTML(_PROMPT)

    def draw_again(_change: object = None) -> None:
        place.value = _as_html(draw, {name: control.value for name, control in controls.items()})

    for control in controls.values():
        control.observe(draw_again, names="value")
    display(ipywidgets.VBox([*controls.values(), place]))


def _control(ipywidgets: Any, name: str, values: Sequence[Choice]) -> Any:
    numbers = all(isinstance(value, Real) and not isinstance(value, bool) for value in values)
    options = [(_label(value), value) for value in values]
    settings = {
        "options": options,
        "value": values[0],
        "description": _words(name),
        "style": {"description_width": "initial"},
    }
    if numbers and len(values) > 1:
        return ipywidgets.SelectionSlider(continuous_update=False, **settings)
    return ipywidgets.Dropdown(**settings)


def _as_html(draw: Callable[..., Drawn], values: Mapping[str, Choice]) -> str:
    # An error would otherwise be lost in the server's log.
    try:
        drawn = _drawn(draw, values)
    except Exception as error:
        drawn = f"{type(error).__name__}: {error}"
    if isinstance(drawn, str):
        return f'<pre style="white-space: pre-wrap">{html.escape(drawn)}</pre>'
    data, _ = drawn._repr_mimebundle_()
    alt = html.escape(drawn.rnnkit_alt, quote=True)
    source = f"data:image/png;base64,{data['image/png']}"
    return f'<img src="{source}" alt="{alt}" style="max-width: 100%">'
