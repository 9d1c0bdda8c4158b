"""American English of twenty genres with parts of speech: MASC, as NLTK packs it."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rnnkit.data.download import RemoteFile, fetch, on_github
from rnnkit.data.reading import numbered_lines, odd_line, unzip_texts
from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import check_split, part_of

_FILE = RemoteFile(
    name="masc_tagged.zip",
    folder="nltk_data",
    address=on_github(
        "nltk/nltk_data",
        "5db857e6f7df11eabb5e5665836db9ec8df07e28",
        "packages/corpora/masc_tagged.zip",
    ),
    sha256="678a5141cf3381bedb1839c58a330507337be07c7c71603279c0ef5337032304",
    stands_in="tagged_sentences",
)
_LIST_OF_GENRES = "categories.txt"
_NOT_IN_THE_LIST = "other"
# The Penn Treebank's tags for words and for signs, then four signs that MASC tags as themselves.
_WORD_TAGS = (
    "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNP NNPS NNS PDT POS PRP PRP$ RB RBR RBS RP SYM TO "
    "UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB"
)
_SIGN_TAGS = "# $ . , : ( ) `` '' - ... \" '"
_TAGS = frozenset([*_WORD_TAGS.split(), *_SIGN_TAGS.split()])
# Tags of the file that are none, and what is meant: 23 words in all.
_SLIPS = {
    "PP": "PRP",
    "PRN": "PRP",
    "LRB": "NN",  # the word "INT" of a film script
    "one-time": "NN",  # the word "provision"
    "UH`": "UH",
    "VBG|NN": "VBG",
    ";": ":",
    "--": "SYM",
    "*": "SYM",
    "/": "SYM",
}


class TaggedTexts(NamedTuple):
    """Sentences with one tag for each word, and where each sentence is from.

    Args:
        words: The words of each sentence: ``[["I", "saw", "it"], ...]``.
        tags: The tags of each sentence, as many as its words.
        genres: The genre of each sentence: ``["letters", ...]``.
    """

    words: list[list[str]]
    tags: list[list[str]]
    genres: list[str]


@register(
    DataInfo(
        name="masc",
        kind="download",
        description="spoken and written American English of 20 genres with parts of speech (MASC)",
        size="34,525 sentences (592,514 words) of 392 texts, 1.6 MB",
        licence="may be used for the purposes of linguistic education, research, and "
        "development, including commercial development",
        source="Nancy Ide, American National Corpus, www.anc.org; in github.com/nltk/nltk_data",
        stands_in="tagged_sentences",
    )
)
def masc(split: str = "train") -> TaggedTexts:
    """Load the Manually Annotated Sub-Corpus of the American National Corpus.

    Talk, letters, e-mail (much of it spam), tweets, fiction, jokes, newspapers,
    travel guides and more, with the tags of the Penn Treebank and four of
    MASC's own: "-", "..." and two for quotation marks. A sentence is one line of the
    file, and some are no more than a name or a number. Whole texts go to one
    split: of each ten, eight to train on, one for validation, one for test.
    Taught in unit 07, sections s31 and s35.

    Args:
        split: "train", "valid" or "test".

    Returns:
        The sentences, their tags and their genres. Three texts that the file's
        list of genres leaves out are of the genre "other".

    Raises:
        ValueError: There is no such split.
        DataError: The file cannot be had, or has a line that is not of its form.
    """
    check_split(split)
    path = fetch(_FILE)
    texts = unzip_texts(path, _LIST_OF_GENRES, (".txt",))
    genres = _read_genres(path, texts.pop(_LIST_OF_GENRES))
    chosen = TaggedTexts([], [], [])
    for place, name in enumerate(sorted(texts)):
        if part_of(place) == split:  # the file has no parts of its own
            for words, tags in _sentences(path, name, texts[name]):
                chosen.words.append(words)
                chosen.tags.append(tags)
                chosen.genres.append(genres.get(name, _NOT_IN_THE_LIST))
    return chosen


def _read_genres(path: Path, text: str) -> dict[str, str]:
    genres = {}
    for number, line in numbered_lines(text):
        name, _, genre = line.strip().partition(" ")
        if not genre:
            expected = f"{_LIST_OF_GENRES} with a text's name, a space, and its genre in each line"
            raise odd_line(path, number, expected, line)
        genres[name] = genre
    return genres


def _sentences(path: Path, name: str, text: str) -> Iterator[tuple[list[str], list[str]]]:
    """The sentences of a text, each as its words and their tags.

    A few words of the file hold white space: "M. B._NN", and over the end of a
    line "intervie=" and "w_NN". Their parts are words here, each with the tag
    of the whole. Tags without a word, such as "_UH", are left out.
    """
    words: list[str] = []
    tags: list[str] = []
    for number, line in numbered_lines(text):
        for item in line.split():
            word, mark, tag = item.rpartition("_")
            if not mark:
                words.append(item)  # the tag stands behind the word's last part
                continue
            tag = _SLIPS.get(tag, tag)
            if tag not in _TAGS:
                raise odd_line(path, number, f"{name} with words such as the_DT", line)
            if word:
                words.append(word)
            tags += [tag] * (len(words) - len(tags))
        if words and len(tags) == len(words):
            yield words, tags
            words, tags = [], []
    if words:
        raise odd_line(path, number, f"{name} with a tag behind its last word", line)
