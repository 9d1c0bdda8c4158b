"""Vectors as places on a map: near means alike."""

from collections.abc import Mapping, Sequence

import numpy as np

from rnnkit.plots.figure import FONT_SIZE, LINE_STYLES, CourseFigure, check_lines

Vectors = Sequence[Sequence[float]] | np.ndarray
_MOST_PANELS = 3


def word_map(
    vectors: Mapping[str, Mapping[str, Vectors]], *, title: str | None = None
) -> CourseFigure:
    """Draw vectors of several groups in a plane, one panel for each kind of vector.

    In each panel the plane is that in which the vectors spread the most (their
    two principal components). Vectors that are equal lie on each other. Panels
    have scales of their own, so compare places within a panel.

    Used in unit 07, section s36.

    Args:
        vectors: For each panel's name (`"layer 1"`) and each group's name
            (`"river"`) its vectors, `(examples, size)`. At most three panels,
            and five groups, the same in each panel.
        title: Stands above.

    Returns:
        The figure.

    Raises:
        ValueError: There are no panels or more than three, no groups or more
            than five, or panels have other groups.

    Example:

    >>> from rnnkit.plots import alt_text, word_map
    >>> river, money = [[0.0, 1.0], [0.1, 1.0]], [[1.0, 0.0], [1.0, 0.1]]
    >>> alt_text(word_map({"layer 1": {"river": river, "money": money}}))
    'Map of vectors. layer 1: of 4 vectors, 4 have a nearest one of their own group (river 2 of 2,
    money 2 of 2).'
    """
    _check(vectors)
    figure = CourseFigure(height=0.8 + 2.2 * len(vectors))
    all_axes = figure.subplots(len(vectors), squeeze=False)[:, 0]
    told = []
    for axes, (name, groups) in zip(all_axes, vectors.items(), strict=True):
        arrays = {group: np.asarray(each, dtype=float) for group, each in groups.items()}
        places = _plane(np.concatenate(list(arrays.values())))
        start = 0
        for (group, each), style in zip(arrays.items(), LINE_STYLES, strict=False):
            x, y = places[start : start + len(each)].T
            start += len(each)
            settings = {**style, "linestyle": "", "markeredgecolor": "black"}
            axes.plot(x, y, label=group, markersize=9, alpha=0.75, **settings)
        axes.set_title(name, fontsize=FONT_SIZE, loc="left")
        axes.set_xticks([])
        axes.set_yticks([])
        axes.margins(0.08)
        told.append(f"{name}: {_tell(arrays)}.")
    handles, labels = all_axes[0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside lower center", ncols=3, fontsize=FONT_SIZE, frameon=False
    )
    if title:
        figure.suptitle(title, fontsize=FONT_SIZE)
    figure.rnnkit_alt = f"{title or 'Map of vectors'}. {' '.join(told)}"
    return figure


def _check(vectors: Mapping[str, Mapping[str, Vectors]]) -> None:
    if not 1 <= len(vectors) <= _MOST_PANELS:
        raise ValueError(f"vectors must hold 1 to {_MOST_PANELS} panels. Received: {len(vectors)}")
    first = list(next(iter(vectors.values())))
    for name, groups in vectors.items():
        check_lines(name, {group: list(each) for group, each in groups.items()})
        if list(groups) != first:
            raise ValueError(
                f"each panel needs the groups {first}. Received: {list(groups)} in {name!r}"
            )


def _plane(vectors: np.ndarray) -> np.ndarray:
    """The places of vectors in the plane of their two principal components, `(examples, 2)`."""
    centred = vectors - vectors.mean(axis=0)
    left, lengths, _ = np.linalg.svd(centred, full_matrices=False)
    places = np.zeros((len(vectors), 2))
    kept = min(2, len(lengths))
    places[:, :kept] = left[:, :kept] * lengths[:kept]
    # Equal vectors differ by rounding, which a scale of its own would blow up.
    scale = float(np.linalg.norm(vectors, axis=1).max())
    return np.where(np.abs(places) < 1e-5 * scale, 0.0, places)


def _tell(groups: Mapping[str, np.ndarray]) -> str:
    """Whether like lies with like, in the full space."""
    vectors = np.concatenate(list(groups.values()))
    owners = np.repeat(np.arange(len(groups)), [len(each) for each in groups.values()])
    distances = np.linalg.norm(vectors[:, None] - vectors[None], axis=-1)
    if distances.max() < 1e-5 * np.linalg.norm(vectors, axis=1).max():
        return f"all {len(vectors)} vectors are the same"
    np.fill_diagonal(distances, np.inf)
    right = owners[distances.argmin(axis=1)] == owners
    shares = [
        f"{name} {int(right[owners == number].sum())} of {len(each)}"
        for number, (name, each) in enumerate(groups.items())
    ]
    return (
        f"of {len(vectors)} vectors, {int(right.sum())} have a nearest one of their own group "
        f"({', '.join(shares)})"
    )
