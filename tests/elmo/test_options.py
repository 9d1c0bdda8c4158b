"""Options files are read, checked and written as published."""

import json
from typing import Any

import pytest

from rnnkit.elmo import BiLMOptions

PUBLISHED: dict[str, Any] = {
    "lstm": {
        "use_skip_connections": True,
        "projection_dim": 512,
        "cell_clip": 3,
        "proj_clip": 3,
        "dim": 4096,
        "n_layers": 2,
    },
    "char_cnn": {
        "activation": "relu",
        "filters": [[1, 32], [2, 32], [3, 64], [4, 128], [5, 256], [6, 512], [7, 1024]],
        "n_highway": 2,
        "embedding": {"dim": 16},
        "n_characters": 262,
        "max_characters_per_token": 50,
    },
}


def changed(part: str, name: str, value: Any) -> dict[str, Any]:
    options = json.loads(json.dumps(PUBLISHED))
    if value is None:
        del options[part][name]
    else:
        options[part][name] = value
    return options


def test_the_original_sizes_are_read_and_written_again() -> None:
    options = BiLMOptions.from_dict(PUBLISHED)
    assert (options.memory, options.projection, options.layers) == (4096, 512, 2)
    assert options.filters[-1] == (7, 1024)
    assert options.to_dict() == PUBLISHED


@pytest.mark.parametrize("rows", [261, 262])
def test_a_file_for_training_is_read_and_becomes_one_for_prediction(rows: int) -> None:
    options = BiLMOptions.from_dict(changed("char_cnn", "n_characters", rows))
    assert options.to_dict()["char_cnn"]["n_characters"] == 262


@pytest.mark.parametrize("name", ["cell_clip", "proj_clip"])
def test_a_clip_that_is_not_named_is_no_clip(name: str) -> None:
    options = BiLMOptions.from_dict(changed("lstm", name, None))
    assert None in (options.memory_clip, options.output_clip)


def test_a_file_without_highway_layers_has_none() -> None:
    assert BiLMOptions.from_dict(changed("char_cnn", "n_highway", None)).highways == 0


@pytest.mark.parametrize(
    "part, name, value, message",
    [
        ("lstm", "dim", None, "no 'dim'"),
        ("lstm", "dim", "big", "lstm.dim to hold whole numbers"),
        ("lstm", "dim", True, "lstm.dim"),
        ("lstm", "n_layers", 0, "lstm.n_layers"),
        ("lstm", "cell_clip", -3, "lstm.cell_clip to be above 0"),
        ("char_cnn", "filters", None, "no 'filters'"),
        ("char_cnn", "filters", 3, "published options"),
        ("char_cnn", "filters", [[1, 2, 3]], "char_cnn.filters to hold pairs"),
        ("char_cnn", "n_characters", 300, "262, or 261"),
        ("char_cnn", "activation", "sine", "'relu' or 'tanh'"),
        ("char_cnn", "max_characters_per_token", 2, "max_characters_per_token"),
    ],
)
def test_an_impossible_value_is_named_with_the_file(tmp_path, part, name, value, message) -> None:
    path = tmp_path / "options.json"
    path.write_text(json.dumps(changed(part, name, value)))
    with pytest.raises(ValueError, match=message) as caught:
        BiLMOptions.from_file(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[1]", '"lstm"', '{"lstm": 3, "char_cnn": {}}'])
def test_another_file_is_refused(tmp_path, text: str) -> None:
    path = tmp_path / "options.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="options"):
        BiLMOptions.from_file(path)
