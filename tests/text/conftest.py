import sys

import pytest

import rnnkit.text  # noqa: F401 (so that the modules below are loaded)


def use_tensorflow_text(monkeypatch, module):
    # The package offers functions by the names of some of these modules.
    for name in ("normalise", "words", "script_words", "word_pieces"):
        monkeypatch.setattr(sys.modules[f"rnnkit.text.{name}"], "tensorflow_text", lambda: module)


@pytest.fixture
def in_plain_python(monkeypatch):
    """As if tensorflow-text were not installed."""
    use_tensorflow_text(monkeypatch, None)


@pytest.fixture(params=["with tensorflow-text", "in plain Python"])
def either_way(request, monkeypatch):
    """Runs a test twice: with tensorflow-text, and without."""
    if request.param == "in plain Python":
        use_tensorflow_text(monkeypatch, None)
    else:
        use_tensorflow_text(monkeypatch, pytest.importorskip("tensorflow_text"))


@pytest.fixture(scope="session")
def both_ways():
    """Calls a function with tensorflow-text and without; returns both results."""
    library = pytest.importorskip("tensorflow_text")

    def call(function, texts):
        results = []
        for module in (library, None):
            with pytest.MonkeyPatch.context() as patch:
                use_tensorflow_text(patch, module)
                results.append(function(texts))
        return results

    return call
