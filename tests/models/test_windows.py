"""A long text in windows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnnkit.models import windows


@given(st.integers(1, 5), st.integers(1, 6), st.integers(0, 30))
def test_streams_go_on_from_window_to_window(batch: int, window: int, extra: int) -> None:
    text = np.arange(batch * window + 1 + extra)
    pairs = windows(text, batch, window)
    inputs = np.concatenate([pair[0] for pair in pairs], axis=1)
    targets = np.concatenate([pair[1] for pair in pairs], axis=1)
    np.testing.assert_array_equal(targets, inputs + 1)
    np.testing.assert_array_equal(inputs.ravel(), text[: inputs.size])
    assert len(text) - 1 - inputs.size < batch * window


@pytest.mark.parametrize("length", [0, 5, 6])
def test_short_text_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match="at least batch"):
        windows(range(length), batch=2, window=3)


@pytest.mark.parametrize(("batch", "window"), [(0, 3), (2, 0)])
def test_empty_windows_are_refused(batch: int, window: int) -> None:
    with pytest.raises(ValueError, match="batch and window >= 1"):
        windows(range(100), batch, window)
