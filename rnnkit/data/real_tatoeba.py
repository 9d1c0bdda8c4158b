"""Short English sentences and their translations, by Tatoeba's contributors."""

from pathlib import Path
from typing import NamedTuple

from rnnkit.data.download import DataError, RemoteFile, fetch, on_github
from rnnkit.data.reading import numbered_lines, odd_line, read_text
from rnnkit.data.registry import DataInfo, register

_FRENCH = RemoteFile(
    name="eng-fra.txt",
    folder="tatoeba_eng_fra",
    address=on_github(
        "NJUxlj/seq2seq-attention-translation",
        "b20755b1c81f2d82526ab967dbc8ec6465f22f14",
        "data/eng-fra.txt",
    ),
    sha256="d952b56a181da5270b7bb4ded3f3bbe61e67a9b1de0e0fbc1d46438c71fb55a7",
    stands_in="dates",
)
_GERMAN_SHA256 = {
    "eng": "eb9cc83a42f2c4b22f310d05311207e41abb56c2a084666cac3ee0f84d2d0b84",
    "deu": "edfa6f75a42554df388f45891735d5e4214158a99def4b73b5908af4a3054551",
}
_GERMAN = {
    language: RemoteFile(
        name=f"tatoeba.deu-eng.{language}",
        folder="tatoeba_laser",
        address=on_github(
            "facebookresearch/LASER",
            "74bc6ae7ffb7cba670fe0f428d0ede9f666fb821",
            f"data/tatoeba/v1/tatoeba.deu-eng.{language}",
        ),
        sha256=sha256,
        stands_in="dates",
    )
    for language, sha256 in _GERMAN_SHA256.items()
}


class Translations(NamedTuple):
    """Sentences and their translations.

    Args:
        sources: Sentences in English. One may come several times, with
            different translations.
        targets: Their translations, as many.
        credits: Who wrote each pair, to be named where it is shown. For German,
            where the file names nobody, "Tatoeba (CC BY 2.0 FR)".
    """

    sources: list[str]
    targets: list[str]
    credits: list[str]


@register(
    DataInfo(
        name="tatoeba",
        kind="download",
        description="short English sentences with French or German translations",
        size="5,000 pairs (fr), 1,000 pairs (de), 0.7 MB",
        licence="CC BY 2.0 FR: name the authors",
        source="tatoeba.org, in github.com/NJUxlj/seq2seq-attention-translation (fr) and "
        "github.com/facebookresearch/LASER (de)",
        stands_in="dates",
    )
)
def tatoeba(language: str = "fr") -> Translations:
    """Load English sentences with their translations.

    French pairs are in the order of their length, from one word to three, and
    neighbours often share their source: put all pairs of a source in one part
    when you split them. German pairs are longer and in no order. Taught in
    unit 05, section s24, and unit 06, section s28.

    Args:
        language: "fr" or "de".

    Returns:
        The pairs and who wrote them.

    Raises:
        ValueError: There is no such language.
        DataError: A file cannot be had, or has a line that is not of its form.
    """
    if language == "fr":
        return _read_pairs(fetch(_FRENCH))
    if language == "de":
        return _read_side_by_side(fetch(_GERMAN["eng"]), fetch(_GERMAN["deu"]))
    raise ValueError(f"language must be fr or de. Received: {language!r}")


def _read_pairs(path: Path) -> Translations:
    pairs = Translations([], [], [])
    for number, line in numbered_lines(read_text(path)):
        fields = line.split("\t")
        if len(fields) != 3 or not all(field.strip() for field in fields):
            expected = "a sentence, a tab, its translation, a tab, and who wrote them"
            raise odd_line(path, number, expected, line)
        for column, field in zip(pairs, fields, strict=True):
            column.append(field.strip())
    return pairs


def _read_side_by_side(english: Path, other: Path) -> Translations:
    sources, targets = _sentences(english), _sentences(other)
    if len(sources) != len(targets):
        raise DataError(
            f"as many lines in {english.name} as in {other.name}",
            f"{len(sources)} and {len(targets)}",
            f"delete both files in {english.parent} and run this again",
        )
    return Translations(sources, targets, ["Tatoeba (CC BY 2.0 FR)"] * len(sources))


def _sentences(path: Path) -> list[str]:
    lines = read_text(path).rstrip("\n").split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            raise odd_line(path, number, "one sentence in each line", line)
    return [line.strip() for line in lines]
