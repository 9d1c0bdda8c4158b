"""One label for each token."""

import keras
import numpy as np
import pytest

from rnnkit.models import TokenTagger


def test_tags_stand_on_real_tokens_only() -> None:
    model = TokenTagger(9, tags=4, units=6, embedding=4)
    tags = model.tag(np.array([[5, 4, 8], [7, 0, 0], [0, 0, 0]]))
    assert [len(row) for row in tags] == [3, 1, 0]


def test_tag_of_padding_is_never_given() -> None:
    model = TokenTagger(9, tags=4, units=6, embedding=4)
    kernel, _ = model.to_logits.get_weights()
    model.to_logits.set_weights([np.zeros_like(kernel), np.array([9.0, 0.0, 1.0, 0.0])])
    assert model.tag(np.array([[5, 4, 0]])) == [[2, 2]]


def test_right_context_decides_in_both_directions_only() -> None:
    generator = np.random.default_rng(0)
    ids = generator.integers(1, 3, (96, 2))
    ids[:, 0] = 3  # says nothing: its tag is that of the word after it
    tags = np.column_stack([ids[:, 1], ids[:, 1]])
    accuracy = {}
    for directions in ("forward", "both"):
        keras.utils.set_random_seed(3)
        model = TokenTagger(4, tags=3, units=8, embedding=4, cell="elman", directions=directions)
        model.compile(keras.optimizers.Adam(0.03))
        model.fit(ids, tags, epochs=12, verbose=0)
        accuracy[directions] = np.mean([row[0] for row in model.tag(ids)] == tags[:, 0])
    assert accuracy["both"] == 1.0
    assert accuracy["forward"] < 0.7


def test_one_tag_is_refused() -> None:
    with pytest.raises(ValueError, match="tags=1"):
        TokenTagger(9, tags=1)
