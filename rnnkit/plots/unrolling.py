"""An encoder-decoder, unrolled over time."""

from collections.abc import Sequence

from rnnkit.plots.draw_network import draw_network
from rnnkit.plots.figure import CourseFigure
from rnnkit.plots.network_parts import Link, Network, Row

_MOST_SYMBOLS = 16


def unrolled(
    encoder_symbols: Sequence[str],
    decoder_symbols: Sequence[str],
    attention: bool = True,
    path: tuple[int, int] | None = None,
    title: str | None = None,
    loss: bool = False,
) -> CourseFigure:
    """Draw an encoder-decoder with one column for each step.

    Used in units 05 and 06.

    Args:
        encoder_symbols: The source symbols: a string or a list.
        decoder_symbols: The output symbols: a string or a list.
        attention: Draw the arrows of attention: from each encoder state to
            each context.
        path: ``(source position, output position)``, both from 0: the shortest
            way from one to the other is drawn strong, and its arrows are
            counted. Gradients take the same way back.
        title: Stands above the drawing, in place of the count.
        loss: Draw the loss of each output too; the path goes on to it.

    Returns:
        The figure.

    Raises:
        ValueError: A list of symbols is empty, there are more than 16 symbols together,
            or ``path`` points to none.

    Example:

    >>> from rnnkit.plots import alt_text, unrolled
    >>> print(alt_text(unrolled("abc", "cba", attention=False, path=(0, 2))))
    Encoder over a b c, decoder giving c b a, without attention.
    From input 'a' to output 'a': 7 arrows.
    """
    _check(encoder_symbols, decoder_symbols, path)
    network = _encoder_decoder(encoder_symbols, decoder_symbols, attention, loss)
    way = (("x", path[0]), ("loss" if loss else "y", path[1])) if path else None
    return draw_network(network, way, title)


def _check(source: Sequence[str], target: Sequence[str], path: tuple[int, int] | None) -> None:
    if not source or not target or len(source) + len(target) > _MOST_SYMBOLS:
        raise ValueError(
            "encoder_symbols and decoder_symbols need a symbol each, and at most "
            f"{_MOST_SYMBOLS} together. Received: {len(source)} and {len(target)} symbols"
        )
    if path and not (0 <= path[0] < len(source) and 0 <= path[1] < len(target)):
        raise ValueError(
            f"path must be (0 to {len(source) - 1}, 0 to {len(target) - 1}). Received: {path}"
        )


def _encoder_decoder(
    source: Sequence[str], target: Sequence[str], attention: bool, loss: bool
) -> Network:
    right = len(source)  # the decoder stands to the right of the encoder
    rows = [
        Row("x", "input", source, look="word"),
        Row("h", "encoder", "h" * len(source)),
        Row("c", "context", "c" * len(target), look="vector", column=right),
        Row("s", "decoder", "s" * len(target), column=right),
        Row("y", "output", target, look="word", column=right),
        Row("loss", "loss", "L" * len(target), look="vector", column=right),
    ]
    links = [
        Link("x", "h", "up"),
        Link("h", "h", "next"),
        Link("h", "s", "last to first"),
        Link("s", "s", "next"),
        Link("s", "y", "up"),
        Link("y", "loss", "up"),
        Link("h", "c", "all"),
        Link("c", "s", "up"),
    ]
    left_out = ([] if attention else ["c"]) + ([] if loss else ["loss"])
    return Network(
        [row for row in rows if row.key not in left_out],
        [link for link in links if not {link.begin, link.end} & {*left_out}],
        f"Encoder over {' '.join(source)}, decoder giving {' '.join(target)}, "
        f"{'with' if attention else 'without'} attention.",
    )
