"""The networks of the course that read one text, unrolled over time."""

from collections.abc import Sequence
from typing import Literal, get_args

from rnnkit.plots.draw_network import draw_network
from rnnkit.plots.figure import CourseFigure
from rnnkit.plots.network_parts import Link, Network, Row

Kind = Literal["acceptor", "encoder", "transducer", "language model", "biLM"]
_Parts = tuple[list[Row], list[Link]]


def network(
    kind: Kind,
    words: Sequence[str],
    outputs: Sequence[str] | None = None,
    layers: int = 1,
    bidirectional: bool = False,
    path: tuple[int, int] | None = None,
    title: str | None = None,
) -> CourseFigure:
    """Draw a recurrent network that reads one text, with one column for each word.

    Used in units 01 (section s1), 03 (s8), 04 (s14, s15, s17) and 07 (s31, s32).
    Other networks are drawn from a `Network` by `draw_network`, and
    encoder-decoders by `unrolled`.

    Args:
        kind: `"transducer"` gives an output at each word, `"acceptor"` one at
            the end, `"encoder"` the vector that the end leaves;
            `"language model"` gives the next word at each word, `"biLM"` the
            next and the previous one, from two networks that never meet (ELMo's).
        words: What it reads: a string or a list. A language model reads `BOS`
            first.
        outputs: What it gives: one for each word (transducer), or one
            (acceptor). By default `y`. Language models give the words
            themselves.
        layers: How many recurrent layers stand one on another.
        bidirectional: Each layer reads both ways, and the layer above reads
            both results joined. Language models cannot.
        path: `(input position, output position)`, from 0: the shortest way
            from one to the other is drawn strong, and its arrows are counted.
        title: Stands above the drawing, in place of the count.

    Returns:
        The figure.

    Raises:
        ValueError: There is no such kind, there are no words or too many, the
            outputs do not fit, or there is no such path.

    Example:

    >>> from rnnkit.plots import alt_text, network
    >>> print(alt_text(network("transducer", "abc", layers=2, path=(0, 2))))
    RNN as a transducer, 2 layers, over a b c. Outputs: y y y.
    From input 'a' to output 'y': 5 arrows.
    """
    description = describe_network(kind, words, outputs, layers, bidirectional)
    way = (("x", path[0]), ("y", path[1])) if path else None
    return draw_network(description, way, title)


def describe_network(
    kind: Kind,
    words: Sequence[str],
    outputs: Sequence[str] | None = None,
    layers: int = 1,
    bidirectional: bool = False,
) -> Network:
    """The description that `network` draws: rows of nodes, and arrows by rule.

    Args:
        kind: As in `network`.
        words: As in `network`.
        outputs: As in `network`.
        layers: As in `network`.
        bidirectional: As in `network`.

    Returns:
        The description; `shortest_path` counts ways in it.

    Raises:
        ValueError: As in `network`.

    Example:

    >>> from rnnkit.plots import describe_network
    >>> both = describe_network("transducer", "abcde", bidirectional=True)
    >>> len(both.shortest_path(("x", 4), ("y", 0)))  # the last word reaches the first output
    7
    """
    _check(kind, words, outputs, layers, bidirectional)
    if kind == "biLM":
        return _bidirectional_language_model(words, layers)
    given = _outputs(kind, words, outputs)
    if kind == "language model":
        words = ["BOS", *words]
    every_word = kind in ("transducer", "language model")
    rows, links = _stack(len(words), layers, bidirectional, top_joined=every_word)
    end_rows, end_links = _end(kind, given, len(words), layers, bidirectional)
    name = "Language model" if kind == "language model" else f"RNN as {_article(kind)}"
    return Network(
        [Row("x", "input", words, look="word"), *rows, *end_rows],
        [*links, *end_links],
        f"{'Bidirectional ' if bidirectional else ''}{name}, "
        f"{layers} layer{'' if layers == 1 else 's'}, over {' '.join(words)}. "
        + ("It leaves one vector, c." if kind == "encoder" else f"Outputs: {' '.join(given)}."),
    )


def _check(
    kind: str, words: Sequence[str], outputs: Sequence[str] | None, layers: int, both: bool
) -> None:
    if kind not in get_args(Kind):
        raise ValueError(f"kind must be one of {[*get_args(Kind)]}. Received: {kind!r}")
    if not words:
        raise ValueError("a network needs a word to read. Received: none")
    if layers < 1:
        raise ValueError(f"layers must be 1 or more. Received: {layers}")
    if both and kind in ("language model", "biLM"):
        raise ValueError(
            f"a {kind} must not read the words that it predicts: leave bidirectional out. "
            "Received: bidirectional=True"
        )
    wanted = {"transducer": len(words), "acceptor": 1}.get(kind, 0)
    if outputs is not None and len(outputs) != wanted:
        raise ValueError(
            f"outputs must hold {wanted} for this {kind} of {len(words)} words"
            f"{'; it names them itself' if wanted == 0 else ''}. Received: {len(outputs)} outputs"
        )


def _outputs(kind: str, words: Sequence[str], outputs: Sequence[str] | None) -> list[str]:
    if outputs is not None:
        return [*outputs]
    by_default = {
        "transducer": ["y"] * len(words),
        "acceptor": ["y"],
        "encoder": ["c"],
        "language model": [*words, "EOS"],
    }
    return by_default[kind]


def _article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "ae" else f"a {kind}"


def _stack(length: int, layers: int, bidirectional: bool, top_joined: bool) -> _Parts:
    """The recurrent layers, the first above row x; row h1, h2, … is what each gives.

    Where only the ends of the top layer are used, its directions are not joined at each word.
    """
    rows: list[Row] = []
    links: list[Link] = []
    below = "x"
    for layer in range(1, layers + 1):
        number = f" {layer}" if layers > 1 else ""
        above = f"h{layer}"
        if bidirectional:
            rows += [
                Row(f"f{layer}", f"forward{number}", "→" * length, side=-1),
                Row(f"b{layer}", f"backward{number}", "←" * length, side=1),
            ]
            links += _direction(below, f"f{layer}", "next")
            links += _direction(below, f"b{layer}", "before")
            if layer < layers or top_joined:
                rows.append(Row(above, f"joined{number}", ";" * length, look="vector"))
                links += [Link(f"f{layer}", above, "up"), Link(f"b{layer}", above, "up")]
        else:
            rows.append(Row(above, f"layer{number}" if number else "state", "h" * length))
            links += _direction(below, above, "next")
        below = above
    return rows, links


def _direction(below: str, key: str, rule: Literal["next", "before"]) -> list[Link]:
    return [Link(below, key, "up"), Link(key, key, rule)]


def _end(kind: str, outputs: list[str], length: int, layers: int, bidirectional: bool) -> _Parts:
    """What stands above the last layer."""
    top = f"h{layers}"
    if kind in ("transducer", "language model"):
        name = "next word" if kind == "language model" else "output"
        return [Row("y", name, outputs, look="word")], [Link(top, "y", "up")]
    column = (length - 1) / 2 if bidirectional else length - 1
    look: Literal["word", "vector"] = "vector" if kind == "encoder" else "word"
    row = Row("y", "vector" if kind == "encoder" else "output", outputs, look=look, column=column)
    if not bidirectional:
        return [row], [Link(top, "y", "last to first")]
    # Each direction has read everything where it ends: forward at the last
    # word, backward at the first.
    links = [
        Link(f"f{layers}", "y", "last to first"),
        Link(f"b{layers}", "y", "first to first"),
    ]
    return [row], links


def _bidirectional_language_model(words: Sequence[str], layers: int) -> Network:
    length = len(words)
    rows = [
        Row("x", "word", words, look="word"),
        Row("t", "token layer", "x" * length, look="vector"),
    ]
    links = [Link("x", "t", "up")]
    for layer in range(1, layers + 1):
        rows.append(Row(f"f{layer}", f"forward {layer}", "→" * length, side=-1))
        links += _direction(f"f{layer - 1}" if layer > 1 else "t", f"f{layer}", "next")
    for layer in range(1, layers + 1):
        rows.append(Row(f"b{layer}", f"backward {layer}", "←" * length, side=1))
        links += _direction(f"b{layer - 1}" if layer > 1 else "t", f"b{layer}", "before")
    rows += [
        Row("y", "next word", [*words[1:], "EOS"], look="word", side=-1),
        Row("z", "word before", ["BOS", *words[:-1]], look="word", side=1),
    ]
    links += [Link(f"f{layers}", "y", "up"), Link(f"b{layers}", "z", "up")]
    return Network(
        rows,
        links,
        f"Bidirectional language model, {layers} layer{'' if layers == 1 else 's'} each way, over "
        f"{' '.join(words)}. The forward layers give the next word, the backward layers the word "
        "before; no arrow joins the two directions.",
    )
