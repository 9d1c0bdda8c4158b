"""What a copy may change without changing what it does is not in the tokens."""

import pytest

from rnnkit.grading.answer_tokens import code_runs, word_runs

CODE = """\
def masked(scores, mask):
    \"\"\"Weights.\"\"\"
    weights = np.where(mask, scores, -1e9)
    for row in weights:
        row -= row.max()
    return np.exp(weights) / np.exp(weights).sum(1, keepdims=True)
"""
RENAMED = """\
def attend( s,m ):  # mine
    w=np.where( m,s,
        -1e9 )
    for zeile in w:

        zeile -= zeile.max()
    return (np.exp(w)/np.exp(w).sum(1,keepdims=True))
"""


def test_renamed_and_laid_out_anew_is_the_same():
    assert code_runs(CODE) == code_runs(RENAMED)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("np.where", "ops.where"),
        ("-1e9", "-1e30"),
        ("for row in weights", "while weights"),
        ("max", "min"),
    ],
)
def test_other_work_is_not_the_same(old, new):
    assert code_runs(CODE) != code_runs(CODE.replace(old, new))


@pytest.mark.parametrize(
    "source",
    [
        "x = [",
        "%matplotlib inline\nx = 1",
        "!ls",
        "",
        "\x00",
        "((" * 5000,
        "x = " + "-" * 20_000 + "1",
        "async def f(x): await x",
    ],
    ids=range(8),
)
def test_any_text_gives_runs_without_an_error(source):
    assert isinstance(code_runs(source), frozenset)


def test_magic_does_not_hide_the_code_below_it():
    assert code_runs("%time\n" + CODE) == code_runs("\n" + CODE)


def test_annotations_and_texts_do_not_count():
    plain = "def f(x):\n    y = 's'\n    return y + x"
    typed = "def f(x: int) -> str:\n    y: str = 'other'\n    return y + x"
    assert code_runs(plain) == code_runs(typed)


def test_code_that_is_shorter_than_a_run_gives_one():
    assert code_runs("return_value = a") == {("v", "=", "a")}


def test_words_do_not_depend_on_case_and_spelling_of_accents():
    assert word_runs("Die  Schlu\u0308ssel sind\nalle gleich.") == word_runs(
        "die schl\u00fcssel sind alle gleich"
    )
