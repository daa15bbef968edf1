"""The SVG of a drawing as a page needs it: with the page's colours and font, and tooltips on marks.

A tooltip is a title, which browsers show under the pointer; on a page of the book ``tooltips.js``
shows it by keyboard and touch too, and lights all marks of one name in a figure.
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np
from matplotlib.artist import Artist
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D
from matplotlib.transforms import Bbox

# Colours that a page names, since it has others in the dark; and ink, the colour of its text.
_TOKENS = {"#2f86cb": "ap", "#6a54d5": "ndcg", "#ca4b83": "rr", "#0b3d8b": "rbp", "#69344a": "gs10"}
FONT = 9.5  # points, of most texts: the page says it once
_APART = ": "  # between a name and its values
_NAMED = "measures_marks"  # the attribute of an artist that keeps its tooltips


def add_tooltips(
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
        What else is told of each; none by default.

    Raises
    ------
    ValueError
        If there are not as many names as marks, or a name is not to be told from its values.

    Examples
    --------
    >>> from lib.display.figures import subplots, svg
    >>> with subplots() as (figure, axes):
    ...     dots = axes.plot([1, 2], [0.2, 0.5], "o")
    ...     add_tooltips(dots, ["A", "B"], tell="y", words=["", "new"])
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
    if apart := [name for name in called if _APART in name]:
        raise ValueError(f"{apart[0]!r} is no name of a mark: {_APART!r} stands before its values")
    for artist, end, count in zip(artists, np.cumsum(counts), counts):
        part = slice(end - count, end)
        setattr(artist, _NAMED, (called[part], further[part], tell))


def _count(artist: Any) -> int:
    """Return how many marks an artist draws."""
    if isinstance(artist, Line2D):
        return len(np.asarray(artist.get_xydata()))
    if isinstance(artist, QuadMesh):
        cells: Any = artist.get_array()
        return len(np.ravel(cells))
    return 1


def tooltips(figure: Canvas) -> dict[str, list[str]]:
    """Return the tooltips of a figure whose axes are final, by the identifier given to each artist.

    A mark at no finite place is not drawn.
    """
    texts = {}
    for number, artist in enumerate(figure.findobj(lambda one: hasattr(one, _NAMED))):
        artist.set_gid(f"marks-{number}")
        texts[f"marks-{number}"] = _texts(artist)
    return texts


def mark_columns(figure: Canvas) -> None:
    """Say of a figure whose layout is final where each column of axes stands.

    So a page can show the columns below each other where they do not fit side by side.  An axes
    gets the box of its column, or of its row there if each has a scale of its own; a legend or
    label of all axes gets its own.  If other columns have the rows of the first, their labels
    do so, too.
    """
    shown: list[Any] = [*filter(Artist.get_visible, figure.axes)]
    around = Bbox.union([axes.get_tightbbox() for axes in shown])
    low, high = around.intervaly
    columns = _bands(shown, 0, figure.bbox.intervalx)
    rows = [(shown, low, high)]
    if all(axes.xaxis.get_tick_params()["labelbottom"] for axes in shown):
        rows = _bands(shown, 1, around.intervaly)
    for (column, left, right), (row, lower, upper) in product(columns, rows):
        for axes in set(column).intersection(row):
            axes.set_gid(_boxed("column", figure, Bbox.from_extents(left, lower, right, upper)))
    if any(not axes.yaxis.get_tick_params()["labelleft"] for axes in shown):
        first, *_ = columns[0]
        labels = Bbox.from_extents(0, low, max(axes.bbox.x0 for axes in first), high)
        for axes in first:
            axes.yaxis.set_gid(_boxed("labels", figure, labels))
    for kind, artists in ("strip", figure.texts), ("key", figure.legends):
        for artist in artists:
            artist.set_gid(_boxed(kind, figure, artist.get_window_extent()))


def _bands(axes: list[Any], side: int, ends: Any) -> list[tuple[list[Any], float, float]]:
    """Return the columns (side 0) or rows (1) of axes between two ends, cut amid their gaps."""
    bands: list[list[Any]] = []
    for one in sorted(axes, key=lambda one: one.bbox.min[side]):
        if not bands or one.bbox.min[side] >= max(other.bbox.max[side] for other in bands[-1]):
            bands.append([])
        bands[-1].append(one)
    boxes = [Bbox.union([one.get_tightbbox() for one in band]) for band in bands]
    cuts = [(one.max[side] + other.min[side]) / 2 for one, other in pairwise(boxes)]
    return [*zip(bands, [ends[0], *cuts], [*cuts, ends[1]])]


def _boxed(kind: str, figure: Canvas, box: Bbox) -> str:
    """Return a kind of part with the corner and the size of its box, in points from above."""
    box = Bbox(box.get_points() * 72 / figure.dpi)
    top = figure.get_figheight() * 72 - box.y1
    return f"{kind} {box.x0:.1f} {top:.1f} {box.width:.1f} {box.height:.1f}"


def _texts(artist: Any) -> list[str]:
    """Return the tooltips of one artist's marks."""
    called, further, tell = getattr(artist, _NAMED)
    if not isinstance(artist, Line2D):
        return [_joined(*each) for each in zip(called, further)]
    labels = {side: _label(artist.axes, side) for side in tell}
    texts = []
    for point, name, words in zip(np.asarray(artist.get_xydata()), called, further):
        if np.isfinite(point).all():
            at = dict(zip("xy", point))
            values = [f"{labels[side]} {_number(at[side])}".strip() for side in tell]
            texts.append(_joined(name, *values, words))
    return texts


def _label(axes: Any, side: str) -> str:
    """Return the label of an axis, or of the one that it shares its scale with."""
    siblings = getattr(axes, f"get_shared_{side}_axes")().get_siblings(axes)
    labels = [getattr(one, f"get_{side}label")() for one in (axes, *siblings)]
    labels.append(getattr(axes.figure, f"get_sup{side}label")())
    return next(filter(None, labels), "").replace("\n", " ")


def _number(value: float) -> str:
    """Return a value as it is told.

    >>> _number(0.46921), _number(12_345.0), _number(-0.5), _number(0.00002)
    ('0.469', '12,345', '−0.500', '2.0e−05')
    """
    small = f"{value:.3f}" if abs(value) >= 0.0005 else f"{value:.1e}"
    return (f"{value:,.0f}" if value == round(value) else small).replace("-", "\u2212")


def _joined(name: str, *values: str) -> str:
    text = ", ".join(filter(None, values))
    return f"{name}{_APART}{text}" if text else name


def minify_svg(root: Element, texts: Mapping[str, list[str]]) -> str:
    """Return what stands within an SVG element, as a page needs it.

    Numbers are rounded to a tenth of a point, black and white become the colours of the page, and
    identifiers that other elements refer to begin with a digest of the drawing; `texts` holds the
    :func:`tooltips`.

    >>> minify_svg(ElementTree.fromstring('<svg><metadata/><path d="M 1.04 2.0"/></svg>'), {})
    '<path d="M1 2" />\\n'
    """
    return _named("".join(ElementTree.tostring(part, "unicode") for part in _minify(root, texts)))


def with_image(svg: str) -> str:
    """Return a drawing with an image of it, which stands where the drawing cannot.

    Of a notebook that it does not trust JupyterLab drops the tags of SVG, whose texts would stay,
    and all styles: the image is then seen, and what is hidden stays so; ``lab.css`` reverses it.

    >>> with_image('<svg viewBox="0 0 9 9" aria-label="A dot."></svg>')[:37]
    '<img class="instead" alt="A dot." src'
    """
    head, body = svg.split(">", 1)
    ((width, height),) = re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', head)
    (alt,) = re.findall(r'aria-label="([^"]*)"', head)
    file = (
        f'{head} xmlns="http://www.w3.org/2000/svg" width="{width}pt" height="{height}pt"'
        f' font-family="sans-serif"><rect width="100%" height="100%" fill="white"/>{body}'
    )
    data = base64.b64encode(file.encode()).decode()
    return (
        f'<img class="instead" alt="{alt}" src="data:image/svg+xml;base64,{data}">'
        f'<div hidden="hidden">{svg}</div>'
    )


def _minify(element: Element, texts: Mapping[str, Sequence[str]]) -> list[Element]:
    """Return the children of an SVG element as a page needs them, marks with their tooltips.

    Left out are metadata, matplotlib's style sheet (it would style the whole page), what is not
    painted, and groups that say nothing.
    """
    kept: list[Element] = []
    for child in element:
        child.tag = child.tag.rpartition("}")[2]
        if child.tag in ("metadata", "style") or child.attrib.get("style") == "fill: none":
            continue
        if child.tag == "path" and not child.attrib.get("d", "").strip():  # bars of no interval
            continue
        values = {key.rpartition("}")[2]: value for key, value in child.items()}
        child.attrib = {key: _minify_value(key, value) for key, value in values.items()}
        child[:] = _minify(child, texts)
        if child.tag not in ("text", "tspan"):
            child.text = None
        if child.tag == "text":
            child = _placed(child)
        child.tail = None if child.tag == "tspan" else "\n"
        if child.tag == "defs":
            for part in child.iter("path"):  # a mark, in the style of what refers to it
                part.attrib.pop("style", None)
                part.set("class", "mark")
        if child.tag == "g":
            _minify_group(child, texts)
        if child.tag == "g" and not child.attrib:
            kept += child
        elif child.tag not in ("g", "defs") or len(child):
            kept.append(child)
    return kept


def _placed(text: Element) -> Element:
    """Return what stands where a text stood: of one that is turned or moved, a group around it.

    So a page can scale every text about its own place.
    """
    way = text.attrib.pop("transform", "")
    moved = re.match(r"translate\((\S+) (\S+)\)", way)
    turn = re.search(r"rotate\((-[1-9]\d*)", way)
    if not moved and not turn:
        return text
    x, y = moved.groups() if moved else (text.attrib.pop("x"), text.attrib.pop("y"))
    if turn:
        text.set("transform", f"rotate({turn[1]})")
    group = Element("g", {"transform": f"translate({x} {y})"})
    group.append(text)
    return group


def _minify_group(group: Element, texts: Mapping[str, Sequence[str]]) -> None:
    """Write a group's style once; give tooltips to its marks; draw the grid of an axis as one."""
    name = group.attrib.pop("id", "")
    _share_style(group)
    name, _, box = name.partition(" ")
    if box:
        group.set("class", name)
        group.set("data-box", box)
    if name in texts:
        _give_titles(group, texts[name])
    if name.startswith(("matplotlib.axis", "labels")):
        _trim(group)
    if name.startswith("legend"):
        group.set("class", "key")  # its marks stand for others


def _share_style(group: Element) -> None:
    """Move a style that all parts of a group have to the group.

    Not what applies to a group as one, nor the end at which a text stands, by which pages scale it.
    """
    styles = {part.get("style", "") for part in group}
    if len(group) > 1 == len(styles) and "" not in styles and "style" not in group.attrib:
        (shared,) = styles
        if not re.search(r"(^|;)(opacity|text-anchor):", shared):
            group.set("style", shared)
            for part in group:
                part.attrib.pop("style", None)


def _give_titles(group: Element, texts: Sequence[str]) -> None:
    """Give each mark in a group its tooltip."""
    drawn = [*group.iter("use")] or [*group.iter("path")]
    if len(drawn) != len(texts):
        raise ValueError(f"{len(drawn)} marks were drawn, {len(texts)} are named")
    for mark, text in zip(drawn, texts):
        ElementTree.SubElement(mark, "title").text = text
        mark.tail = None


def _trim(axis: Element) -> None:
    """Say once how the ticks of an axis are painted, and draw its grid as one path."""
    for part in axis.iter():
        if part.tag == "use":
            part.attrib.pop("style", None)
        elif "id" in part.attrib:
            part.set("style", "stroke:currentColor")
    grid = axis.findall("path")
    for line in grid[1:]:
        grid[0].set("d", grid[0].attrib["d"] + line.attrib["d"])
        axis.remove(line)


def in_page_colours(style: str) -> str:
    """Return a style whose colours are those of the page.

    >>> in_page_colours("stroke: #000000; fill: #2f86cb")
    'stroke: currentColor; fill: var(--ap,#2f86cb)'
    """
    style = re.sub("#000000|#1b1f24", "currentColor", style)  # black, and ink
    style = re.sub("|".join(_TOKENS), lambda m: f"var(--{_TOKENS[m[0]]},{m[0]})", style)
    return style.replace("#ffffff", "var(--pst-color-background, Canvas)")


def _minify_value(name: str, value: str) -> str:
    """Return the value of an attribute: numbers to a tenth, the colours and font of the page."""
    if name == "style":
        value = in_page_colours(re.sub(r"font-family: [^;]*(; )?", "", value))
        value = value.replace(f"font-size: {FONT}px; ", "")
        return value.replace("; ", ";").replace(": ", ":")
    if name in ("d", "x", "y", "width", "height", "transform"):
        value = re.sub(r"-?\d+\.\d+", lambda m: f"{round(float(m.group()), 1) + 0:g}", value)
        return re.sub(r"\s*([MLHVQCz])\s*", r"\1", value.strip()) if name == "d" else value
    return value


def _named(text: str) -> str:
    """Return SVG with identifiers only where they are referred to, unlike any other drawing's."""
    text = text.replace(' space="preserve"', "")
    used = dict.fromkeys(re.findall(r'(?:href="|url\()#([^")]+)', text))

    def renamed(prefix: str) -> str:
        names = {name: f"{prefix}-{number}" for number, name in enumerate(used, start=1)}
        kept = re.sub(
            r' id="([^"]+)"', lambda m: f' id="{names[m[1]]}"' if m[1] in names else "", text
        )
        return re.sub(r'(href="|url\()#([^")]+)', lambda m: f"{m[1]}#{names[m[2]]}", kept)

    # matplotlib names some parts by where they stand in memory: no digest of that.
    digest = base64.b32encode(hashlib.sha256(renamed("").encode()).digest()).decode()
    return renamed(f"f{digest[:5].lower()}")
