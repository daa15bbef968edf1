"""Names on marks: what each dot and bar of a figure stands for, with its values.

In the drawing each is a title, which browsers show under the pointer; on a page of the book
``marks.js`` shows it by keyboard and touch too, and lights all marks of one name in a figure.
"""

from collections.abc import Iterable, Sequence
from typing import Any
from xml.etree import ElementTree

import numpy as np
from matplotlib.artist import Artist
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D

__all__ = ["give_titles", "name_marks", "titles"]

APART = ": "  # between a name and its values
NAMED = "measures_marks"  # the attribute of an artist that keeps its names


def name_marks(
    marks: Artist | Iterable[Artist],
    names: str | Iterable[object],
    *,
    tell: str = "xy",
    words: Iterable[str] = (),
) -> None:
    """Say what marks stand for.

    Parameters
    ----------
    marks : Artist or iterable of Artist
        What ``Axes.plot``, ``bar``, ``barh``, ``fill`` or ``pcolormesh`` return; the cells of the
        last are told row by row.
    names : str or iterable
        The name of all, or of each: a run, a measure, a collection, a topic.
    tell : {"xy", "x", "y", ""}
        Which coordinates of a dot are told, with the labels of their axes.
    words : iterable of str
        What else is told of each.

    Raises
    ------
    ValueError
        If there are not as many names as marks, or a name is not to be told from its values.

    Examples
    --------
    >>> from lib.display.figures import style, subplots, svg
    >>> with style():
    ...     figure, axes = subplots()
    ...     name_marks(axes.plot([1, 2], [0.2, 0.5], "o"), ["A", "B"], tell="y", words=["", "new"])
    ...     _ = axes.set(ylabel="AP")
    >>> "<title>A: AP 0.200</title>" in svg(figure, alt="Two dots.")
    True
    """
    artists = [marks] if isinstance(marks, Artist) else list(marks)
    counts = [_count(artist) for artist in artists]
    total = sum(counts)
    called = [names] * total if isinstance(names, str) else list(map(str, names))
    further = list(words) or [""] * total
    if not len(called) == len(further) == total:
        raise ValueError(f"{total} marks, {len(called)} names and {len(further)} words for them")
    if apart := [name for name in called if APART in name]:
        raise ValueError(f"{apart[0]!r} is no name of a mark: {APART!r} stands before its values")
    for artist, end, count in zip(artists, np.cumsum(counts), counts):
        part = slice(end - count, end)
        setattr(artist, NAMED, (called[part], further[part], tell))


def _count(artist: Any) -> int:
    """Return how many marks an artist draws."""
    if isinstance(artist, Line2D):
        return len(np.asarray(artist.get_xydata()))
    if isinstance(artist, QuadMesh):
        cells: Any = artist.get_array()
        return len(np.ravel(cells))
    return 1


def titles(figure: Canvas) -> dict[str, list[str]]:
    """Return what the marks of a figure say, by the identifier that each artist is given.

    Called when the labels of the axes are final; a mark at no finite place is not drawn.
    """
    said = {}
    for number, artist in enumerate(figure.findobj(lambda one: hasattr(one, NAMED))):
        artist.set_gid(f"marks-{number}")
        said[f"marks-{number}"] = _said(artist)
    return said


def _said(artist: Any) -> list[str]:
    """Return what the marks of one artist say."""
    called, further, tell = getattr(artist, NAMED)
    if not isinstance(artist, Line2D):
        return [_joined(*each) for each in zip(called, further)]
    labels = {side: _label(artist.axes, side) for side in tell}
    found = []
    for point, name, words in zip(np.asarray(artist.get_xydata()), called, further):
        if np.isfinite(point).all():
            at = dict(zip("xy", point))
            values = [f"{labels[side]} {_number(at[side])}".strip() for side in tell]
            found.append(_joined(name, *values, words))
    return found


def _label(axes: Any, side: str) -> str:
    """Return the label of an axis, or of the one that it shares its scale with."""
    siblings = getattr(axes, f"get_shared_{side}_axes")().get_siblings(axes)
    every = [axes, *siblings, axes.figure]
    names = [f"get_{side}label"] * (len(every) - 1) + [f"get_sup{side}label"]
    found = (getattr(one, name)() for one, name in zip(every, names))
    return next(filter(None, found), "").replace("\n", " ")


def _number(value: float) -> str:
    """Return a value as it is told.

    >>> _number(0.46921), _number(12_345.0), _number(-0.5), _number(0.00002)
    ('0.469', '12,345', '−0.500', '2.0e−05')
    """
    small = f"{value:.3f}" if abs(value) >= 0.0005 else f"{value:.1e}"
    return (f"{value:,.0f}" if value == round(value) else small).replace("-", "\u2212")


def _joined(name: str, *values: str) -> str:
    told = ", ".join(filter(None, values))
    return f"{name}{APART}{told}" if told else name


def give_titles(group: ElementTree.Element, said: Sequence[str]) -> None:
    """Give each mark in a group of an SVG drawing what it says."""
    drawn = [*group.iter("use")] or [*group.iter("path")]
    if len(drawn) != len(said):
        raise ValueError(f"{len(drawn)} marks were drawn, {len(said)} are named")
    for mark, text in zip(drawn, said):
        ElementTree.SubElement(mark, "title").text = text
        mark.tail = None
