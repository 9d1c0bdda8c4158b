import matplotlib.patches
import pytest
from matplotlib.colors import to_rgba


@pytest.fixture
def arrows():
    """A function: the names of a drawing's arrows, such as "x[0] to h[0]", of one colour or all."""

    def names(figure, colour=None):
        return [
            patch.get_gid()
            for patch in figure.axes[0].patches
            if isinstance(patch, matplotlib.patches.FancyArrowPatch)
            and (colour is None or patch.get_edgecolor() == to_rgba(colour))
        ]

    return names


@pytest.fixture
def words():
    """A function: what is written in a figure's first axes."""
    return lambda figure: [text.get_text() for text in figure.axes[0].texts if text.get_text()]
