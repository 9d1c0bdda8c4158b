import sys

import pytest

# The modules; the package offers the functions by the same names.
from rnnkit.text import script_words  # noqa: F401 (so that the modules are loaded)

USERS = ("normalise", "words", "script_words", "word_pieces")


def use_tensorflow_text(monkeypatch, module):
    for name in USERS:
        monkeypatch.setattr(sys.modules[f"rnnkit.text.{name}"], "tensorflow_text", lambda: module)


@pytest.fixture
def in_plain_python(monkeypatch):
    use_tensorflow_text(monkeypatch, None)


@pytest.fixture(params=["with tensorflow-text", "in plain Python"])
def either_way(request, monkeypatch):
    """Runs a test twice: with tensorflow-text, and as if it were not installed."""
    if request.param == "in plain Python":
        use_tensorflow_text(monkeypatch, None)
    else:
        use_tensorflow_text(monkeypatch, pytest.importorskip("tensorflow_text"))
