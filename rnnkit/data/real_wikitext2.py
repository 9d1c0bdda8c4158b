"""Articles of Wikipedia as running text."""

from typing import NamedTuple

from rnnkit.data.download import RemoteFile, fetch, on_github
from rnnkit.data.reading import read_text
from rnnkit.data.registry import DataInfo, register
from rnnkit.data.splits import check_split

_SHA256 = {
    "train": None,  # not known: recorded at the first download
    "valid": "f0737ed31fc1329026e95cb8b98e19c2a182c39c240ab909dc31abf2f8af58e8",
    "test": "d790b833ef8cf03a90db7bf1271b7520b83c45ce07ba3c1a9699df81e239eca0",
}
_FILES = {
    split: RemoteFile(
        name=f"{split}.txt",
        folder="wikitext-2",
        address=on_github(
            "pytorch/examples",
            "77f55b912142e11fcfdf5b530231fb9c52f181e8",
            f"word_language_model/data/wikitext-2/{split}.txt",
        ),
        sha256=sha256,
        stands_in="agreement",
    )
    for split, sha256 in _SHA256.items()
}


class WikiText(NamedTuple):
    """Running text, its words apart by spaces, rare ones written "<unk>".

    Args:
        text: The text. A paragraph or a heading ("= Title =") is one line.
    """

    text: str

    def tokens(self) -> list[str]:
        """Words as papers count them: "<eos>" ends each line, empty ones too.

        Example:

        >>> WikiText(" the cat \\n \\n").tokens()
        ['the', 'cat', '<eos>', '<eos>']
        """
        lines = self.text.removesuffix("\n").split("\n") if self.text else []
        return [token for line in lines for token in [*line.split(), "<eos>"]]


@register(
    DataInfo(
        name="wikitext2",
        kind="download",
        description="good articles of Wikipedia as running text (WikiText-2)",
        size="2,088,628 words to train on, 217,646 valid, 245,569 test",
        licence="CC BY-SA 3.0",
        source="Merity and others (2016), in github.com/pytorch/examples",
        stands_in="agreement",
    )
)
def wikitext2(split: str = "train") -> WikiText:
    """Load running text for language models. Taught in unit 03, section s8.

    Args:
        split: "train", "valid" or "test".

    Returns:
        The text, and its words by ``tokens()``.

    Raises:
        ValueError: There is no such split.
        DataError: The file cannot be had.
    """
    check_split(split)
    return WikiText(read_text(fetch(_FILES[split])))
