"""The book's one figure style, and figures as vector graphics that fit any page.

A figure is drawn in black on nothing. In the page, black becomes the colour of the text and white
that of the background, so that one drawing reads in light and in dark themes.

A family of measures has one colour everywhere, with a contrast of 3 at least with white and with
the dark theme's ground.  So their lightness is much the same, and who sees few hues may take one
for another: each family has a marker as well, and lines have their names at their ends.  Anything
else has no colour: it is ink or pale, and known by its marker or its name.

A figure is drawn while `subplots` or `panels` last, from tidy tables, in one of a few forms:

- rows with intervals: `draw_rows`; where rows differ in kind, `draw_row` and `label_rows`
- lines over ranks, depths or shares: `draw_lines`, or `draw_line` for one, with `draw_band`,
  `log_axis` and `label_lines`
- dots in a plane, or side by side in their order: `draw_dots`; what joins them: `draw_pieces`

Whatever else is drawn needs its tooltips (:func:`lib.display.svg.add_tooltips`).  Forms of a single
figure stand where it is drawn.  `Figure` then adds what makes it readable alone: caption, alt text,
and the numbers.
"""

import html
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure as Canvas
from matplotlib.rcsetup import cycler
from matplotlib.transforms import Bbox
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression

from lib.display import tables
from lib.display.svg import FONT, add_tooltips, mark_columns, minify_svg, tooltips, with_image
from lib.errors import InputError, reason
from lib.intervals import between, minus_signs
from lib.paths import AnyPath

INK = "black"  # becomes the colour of the text; says nothing of a measure
PALE = "#8a8a8a"  # what stands back, and is seen in both themes

# The pattern that a family's names begin with, its colour and its marker. The hue is the reader's:
# blue to violet reads the whole list, pink looks for the first hit, and ink is the yardstick.
FAMILIES = {
    r"(a|inf)?AP\b|MAP|average precision": ("#2f86cb", "o"),
    r"P(@|\b|\d)|precision": ("#1b1f24", "s"),
    r"[aen]*DCG": ("#6a54d5", "D"),
    r"M?RR\b|reciprocal rank": ("#ca4b83", "^"),
    r"RBP": ("#0b3d8b", "p"),
    r"Bpref": (PALE, "<"),
    r"R-?prec": ("#6f8cab", ">"),
    r"Success|GS10": ("#69344a", "v"),
}

_PICTURES = (".svg", ".png", ".pdf")

_WIDTHS = {"column": 4.1, "wide": 7.4}  # inches; "column" fits a phone
_LINE = 652  # pixels of a line of the book, which a column is stretched to

_GAP = 1.15  # least distance of two labels of lines, in units of the text size
_FAR = 1.3  # text sizes that a label stands away from the end of its line, before one leads to it
_LEADER = {"arrowstyle": "-", "linewidth": 0.7, "shrinkA": 0, "shrinkB": 3, "relpos": (0, 0.5)}

REFERENCE: dict[str, Any] = {"color": INK, "linewidth": 1, "linestyle": ":"}  # as where zero is
_DOT: dict[str, Any] = {
    "linestyle": "none",
    "marker": "o",
    "markersize": 4,
    "markeredgewidth": 0.2,
    "markeredgecolor": "white",  # parts dots that overlap
}

STYLE = tables.style_of(__file__)


def measure_style(measure: str) -> dict[str, Any]:
    """Return a measure's colour and marker, as ``Axes.plot`` takes them; of no known family, ink's.

    >>> measure_style("nDCG@20 of itself")
    {'color': '#6a54d5', 'marker': 'D'}
    >>> measure_style("judged@10")
    {'color': 'black', 'marker': 'o'}
    """
    styles = (kind for pattern, kind in FAMILIES.items() if re.match(pattern, measure))
    color, marker = next(styles, (INK, "o"))
    return {"color": color, "marker": marker}


def colour(measure: str) -> str:
    """Return a measure's colour.

    >>> colour("aAP") == colour("MAP") == colour("AP(rel=2)")
    True
    """
    return str(measure_style(measure)["color"])


@contextmanager
def subplots(
    rows: int = 1, columns: int = 1, *, width: str = "column", height: float = 3.2, **options: Any
) -> Iterator[tuple[Canvas, Any]]:
    """Give a new figure and its axes, to be drawn on in the book's style while the context lasts.

    That is seaborn's style for papers, but for what a file of matplotlib's own kind says otherwise.
    The figure is not pyplot's: nothing shows it unasked, and nothing needs to close it.

    Parameters
    ----------
    rows, columns : int
        How many axes, below and beside each other.
    width : {"column", "wide"}
        Width of the figure. "wide" is for axes side by side; on phones they stand below each other.
    height : float
        Height in inches.
    **options
        Passed to ``matplotlib.figure.Figure.subplots``, such as ``sharey=True``.

    Yields
    ------
    figure : matplotlib.figure.Figure
    axes : matplotlib.axes.Axes or array of Axes

    Examples
    --------
    >>> with subplots() as (figure, axes):
    ...     _ = axes.plot([1, 2, 3], [0.2, 0.5, 0.6])
    """
    import seaborn as sns  # here: a command that draws nothing does not wait for it

    style = Path(__file__).with_suffix(".mplstyle")
    own = mpl.rc_params_from_file(style, use_default_template=False)
    look = sns.axes_style("ticks") | sns.plotting_context("paper") | own
    with mpl.rc_context(look | {"axes.prop_cycle": cycler(color=[INK])}):
        figure = Canvas(figsize=(_WIDTHS[width], height))
        yield figure, figure.subplots(rows, columns, **options)


def label_lines(axes: Axes) -> None:
    """Write each line's label beside its right end, in place of a legend.

    Labels that would overlap are moved apart up and down, in the order of the lines' ends; from
    one that is moved far, a thin line leads to its end. Call it when the limits of the axes are
    final.  Labels that begin with an underscore are left out.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.

    Examples
    --------
    >>> with subplots() as (figure, axes):
    ...     draw_lines(axes, pd.DataFrame({"AP": [0.2, 0.3], "RR": [0.5, 0.6]}, index=[5, 10]))
    ...     label_lines(axes)
    >>> [text.get_text() for text in axes.texts]
    ['AP', 'RR']
    """
    lines = [line for line in axes.get_lines() if not str(line.get_label()).startswith("_")]
    if not lines:
        return
    figure: Any = axes.figure
    figure.draw_without_rendering()  # settles the layout, on which distances depend
    ends = np.array([np.asarray(line.get_xydata())[-1] for line in lines], dtype=float)
    heights = axes.transData.transform(ends)[:, 1] * 72 / figure.dpi
    order = np.argsort(heights, kind="stable")
    size = mpl.rcParams["legend.fontsize"]
    # The nearest heights that keep the order and the gap: an isotonic regression.
    steps = np.arange(len(lines)) * _GAP * size
    places = isotonic_regression(heights[order] - steps).x + steps
    low, high = axes.get_window_extent().intervaly * 72 / figure.dpi  # beyond are other words
    places = np.maximum(np.minimum(places, high - steps[::-1]), low + size / 3 + steps)

    for i, place in zip(order, places):
        label, color = str(lines[i].get_label()), lines[i].get_color()
        if lines[i].get_marker() == "None":
            look: Any = {"color": color, "ms": 4, "clip_on": False}
            add_tooltips(axes.plot(*ends[i], "o", scalex=False, scaley=False, **look), label)
        far = abs(place - heights[i]) > _FAR * size
        axes.annotate(
            label,
            ends[i],
            (16 if far else 6, round(place - heights[i], 2)),
            textcoords="offset points",
            verticalalignment="center",
            fontsize=size,
            annotation_clip=False,
            arrowprops=_LEADER if far else None,
        )


@contextmanager
def panels(
    titles: Sequence[str],
    *,
    columns: int | None = None,
    xlabel: str = "",
    ylabel: str = "",
    **options: Any,
) -> Iterator[tuple[Canvas, list[Axes]]]:
    """Give a new figure and a panel for each title, row by row, on one vertical scale.

    Parameters
    ----------
    titles : sequence of str
        What stands above each panel.
    columns : int, optional
        Panels side by side; by default all.
    xlabel : str
        What stands beneath all panels.
    ylabel : str
        What stands left of each row.
    **options
        Those of :func:`subplots`.

    Yields
    ------
    figure : matplotlib.figure.Figure
    axes : list of matplotlib.axes.Axes
        One for each title.

    Examples
    --------
    >>> with panels(["AP", "RR"], ylabel="tau") as (figure, axes):
    ...     _ = [one.plot([1, 2], [0.2, 0.5]) for one in axes]
    >>> [one.get_title(loc="left") for one in axes]
    ['AP', 'RR']
    """
    columns = columns or len(titles)
    rows = -(-len(titles) // columns)
    shared: dict[str, Any] = {"width": "wide" if columns > 1 else "column", "sharey": True}
    with subplots(rows, columns, squeeze=False, **shared | options) as (figure, grid):
        for axes in grid[:, 0]:
            axes.set_ylabel(ylabel)
        for axes in grid.flat[len(titles) :]:
            axes.set_visible(False)
        for axes, title in zip(grid.flat, titles):
            axes.set_title(title)
        if xlabel:
            figure.supxlabel(xlabel, fontsize=10)
        yield figure, list(grid.flat[: len(titles)])


def log_axis(axes: Axes, ticks: Iterable[float], *, form: str = "", rotation: int = 0) -> None:
    """Make the horizontal axis logarithmic, with these ticks and no others."""
    axes.set_xscale("log")
    axes.set_xticks([*ticks], [format(tick, form) for tick in ticks], rotation=rotation)
    axes.minorticks_off()


def draw_line(
    axes: Axes,
    x: ArrayLike,
    y: ArrayLike,
    name: str,
    *,
    tell: str = "xy",
    words: Iterable[str] = (),
    **look: Any,
) -> None:
    """Draw a labelled line with tooltips on its marks.

    It looks as its measure does, but for `look`; `tell` and `words` are those of `add_tooltips`.
    """
    look = measure_style(name) | look
    add_tooltips(axes.plot(x, y, label=name, **look), name, tell=tell, words=words)


def draw_lines(axes: Axes, table: pd.DataFrame, **options: Any) -> None:
    """Draw a line for each column of a table over its index.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    table : DataFrame
        Its index are the horizontal places; its columns are the lines, by measure or other name.
    **options
        Those of :func:`draw_line`.

    Examples
    --------
    >>> with subplots() as (figure, axes):
    ...     draw_lines(axes, pd.DataFrame({"AP": [0.2, 0.3], "RR": [0.5, 0.6]}, index=[5, 10]))
    >>> [line.get_label() for line in axes.get_lines()]
    ['AP', 'RR']
    """
    for name, line in table.items():
        draw_line(axes, line.index, line, str(name), **options)


def draw_row(
    axes: Axes,
    place: float | str,
    name: str,
    ends: Sequence[float],
    *,
    words: Callable[..., str] = between,
    color: str = INK,
    linewidth: float = 1.4,
    **look: Any,
) -> None:
    """Draw a dot with its interval on the row at a place; :func:`label_rows` makes the rows.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    place : float or str
        Of the row: 0 for the first.
    name : str
        What the dot stands for, in its tooltip.
    ends : sequence of three float
        The middle, low and high.
    words : callable
        From the three to the text of the tooltip.
    color : str
        Of the dot and its interval.
    linewidth : float
        Of the interval, in points.
    **look
        That of the dot, as ``Axes.plot`` takes it.

    Examples
    --------
    >>> with subplots() as (figure, axes):
    ...     draw_row(axes, 0, "gain", [0.2, 0.1, 0.3])
    >>> "<title>gain: +0.200 [+0.100, +0.300]</title>" in svg(figure, alt="A dot at 0.2.")
    True
    """
    middle, *interval = ends
    axes.plot(interval, [place] * 2, color=color, linewidth=linewidth)
    dot = axes.plot([middle], [place], linestyle="none", **{"color": color, "marker": "o"} | look)
    add_tooltips(dot, name, tell="", words=[words(*ends)])


def draw_rows(
    axes: Axes,
    table: pd.DataFrame,
    looks: Iterable[Mapping[str, Any]] | None = None,
    *,
    words: Callable[..., str] = between,
    at: float | None = None,
    form: str = "",
) -> None:
    """Draw a table: of each row its name, the interval on one axis, and its number.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    table : DataFrame
        Its columns are the middles and the two ends; its index names the rows, the first on top.
    looks : iterable of mapping, optional
        The look of each row, as :func:`draw_row` takes it; by default that of the measure that its
        name begins with, hollow where the interval holds `at`.
    words : callable
        From middle, low and high to the text of a tooltip.
    at : float, optional
        Where a dotted line stands.
    form : str
        How a row's number is written at its right; by default it is not.

    Examples
    --------
    >>> table = pd.DataFrame([[0.2, 0.1, 0.3], [0.0, -0.1, 0.1]], index=["A", "B"])
    >>> with subplots() as (figure, axes):
    ...     draw_rows(axes, table, at=0, form="+.1f")
    >>> [text.get_text() for text in axes.texts]
    ['+0.2', '0.0']
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['A', 'B']
    """
    names = [", ".join([key] if isinstance(key, str) else key) for key in table.index]
    if at is not None:
        axes.axvline(at, **REFERENCE)
    rows = table.to_numpy()
    if looks is None:
        hollow = {"markerfacecolor": "white"}
        holds = [at is not None and low <= at <= high for _, low, high in rows]
        looks = [measure_style(name) | (hollow if of else {}) for name, of in zip(names, holds)]
    for place, (name, ends, look) in enumerate(zip(names, rows, looks)):
        draw_row(axes, place, name, ends, words=words, **look)
        if form:
            look = {"transform": axes.get_yaxis_transform(), "va": "center", "weight": "bold"}
            axes.text(1.03, place, minus_signs(format(ends[0], form)), **look)
    label_rows(axes, names)


def label_rows(axes: Axes, labels: Iterable[str]) -> None:
    """Make the vertical axis one of labelled rows, the first of them, at place 0, on top."""
    names = [*labels]
    axes.set(yticks=range(len(names)), yticklabels=names, ylim=(len(names) - 0.5, -0.5))


def draw_dots(
    axes: Axes,
    x: ArrayLike,
    y: ArrayLike,
    names: Iterable[object],
    *,
    tell: str = "xy",
    words: Iterable[str] = (),
    **look: Any,
) -> None:
    """Draw a dot for each of many things, with its name and coordinates as tooltip.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    x, y : array, shape (n,)
        Coordinates.
    names : iterable
        Of the n things.
    tell : {"xy", "x", "y", ""}
        Which coordinates the tooltip has.
    words : iterable of str
        What else is told of each.
    **look
        That of the dots, as ``Axes.plot`` takes it.

    Raises
    ------
    ValueError
        As :func:`lib.display.svg.add_tooltips`.

    Examples
    --------
    >>> with subplots() as (figure, axes):
    ...     draw_dots(axes, [1, 2], [0.2, 0.5], ["A", "B"], tell="")
    >>> "<title>B</title>" in svg(figure, alt="Two dots.")
    True
    """
    dots = axes.plot(x, y, **_DOT | look)
    add_tooltips(dots, [str(name) for name in names], tell=tell, words=words)


def draw_pieces(axes: Axes, x: ArrayLike, y: ArrayLike, **look: Any) -> None:
    """Draw many straight lines as one path with gaps: x and y have a row for each, of its ends."""
    gaps = (np.insert(np.asarray(ends, float), 2, np.nan, axis=1).ravel() for ends in (x, y))
    axes.plot(*gaps, **look)


def draw_band(axes: Axes, x: ArrayLike, low: ArrayLike, high: ArrayLike, color: str) -> None:
    """Fill the band between two lines, and draw them thinly: the fill alone would be too pale.

    It is a path and no mark (``fill_between`` makes one): a page stretches paths with the line that
    they fill, and keeps marks as they are.
    """
    pale = (*mpl.colors.to_rgb(color), 0.2)
    places, least, most = np.broadcast_arrays(x, low, high)
    around = np.r_[places, places[::-1]], np.r_[least, most[::-1]]
    axes.fill(*around, facecolor=pale, edgecolor=color, linewidth=0.6)


def svg(figure: Canvas, *, alt: str) -> str:
    """Return a figure as SVG to stand within HTML.

    The same figure gives the same text: no date, no random identifier, coordinates to a tenth of a
    point. Identifiers that other elements refer to begin with a digest of the drawing, so that
    several drawings share a page. Text stays text, in the page's own font.

    >>> with subplots() as (figure, axes):
    ...     _ = axes.plot([1, 2, 3], [0.2, 0.5, 0.6])
    >>> svg(figure, alt="A line that rises from 0.2 to 0.6.")[:42]
    '<svg viewBox="0 0 295.2 230.4" role="img" '
    """
    if not alt.strip():
        raise ValueError("a figure needs an alt text: what must a reader know who cannot see it?")
    _settle(figure)
    texts = tooltips(figure)
    if figure.get_figwidth() > _WIDTHS["column"]:
        mark_columns(figure)
    file = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "measures"}):
        # As ``savefig`` writes it, which would draw the figure once more to lay it out.
        FigureCanvasSVG(figure).print_svg(file, metadata={"Date": None})
    root = ElementTree.fromstring(file.getvalue())
    width, height = (float(value) for value in root.attrib["viewBox"].split()[2:])
    body = minify_svg(root, texts)
    # A point of the drawing is 1.16 px at least and 1.5 px at most: text of 11 to 15 px.
    size, kind = f"min-width:{1.16 * width:.0f}px;width:{1.5 * width:.0f}px", ""
    if figure.get_figwidth() <= _WIDTHS["column"]:  # figures.css: it fills a line, its texts stay
        size += f";aspect-ratio:{width:g}/{height:g};--tall:{1.5 * height:.0f}px"
        size += f";--narrow:{1.5 * width / _LINE:.3f}"
        kind = ' class="fills" preserveAspectRatio="none"'
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{html.escape(alt)}"'
        f' fill="currentColor" stroke-linejoin="round" stroke-linecap="butt" font-size="{FONT}"'
        f'{kind} style="{size}">\n{body}</svg>\n'
    )


def _settle(figure: Canvas) -> None:
    """Lay a figure out once and for all: what the solver leaves to chance is rounded away."""
    if engine := figure.get_layout_engine():  # alone: to draw everything for it takes longer
        engine.execute(figure)
    figure.set_layout_engine("none")  # a second layout would differ from the first by a hair
    for axes in figure.axes:
        axes.set_position(Bbox(axes.get_position(original=True).get_points().round(5)))


class Figure:
    """A figure of the book: the drawing, its caption, and the numbers behind it.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The drawing.
    caption : str
        What the figure found, in its first sentence, which stands above the drawing as its title;
        and then what it shows, so that it can be understood alone.
    alt : str
        What a reader who cannot see the figure must know.
    data : pandas.DataFrame or lib.display.tables.Table, optional
        The numbers behind the drawing. They stand below it, folded, and are what a comparison of
        outputs compares: coordinates of a drawing differ between machines.
    formats : str or mapping, optional
        How numbers are written; see `lib.display.tables.table`.

    Raises
    ------
    ValueError
        If the caption or the alt text is empty.

    Examples
    --------
    >>> with subplots() as (drawing, axes):
    ...     _ = axes.plot([1, 2], [0.2, 0.5])
    >>> Figure(drawing, caption="AP rises with depth.", alt="A line from 0.2 to 0.5.")
    Figure: AP rises with depth.
    """

    def __init__(
        self,
        figure: Canvas,
        *,
        caption: str,
        alt: str,
        data: pd.DataFrame | tables.Table | None = None,
        formats: tables.Formats | None = None,
    ):
        if not caption.strip():
            raise ValueError("a figure needs a caption that can be understood alone")
        self.caption = caption
        self.svg = svg(figure, alt=alt)
        self.drawing = figure
        if data is not None and not isinstance(data, tables.Table):
            data = tables.table(data, caption="", formats=formats)
        self.data = data

    def to_html(self) -> str:
        """Return the figure as HTML without its style, to stand within something larger.

        Returns
        -------
        str
            A ``figure`` element.

        Examples
        --------
        >>> with subplots() as (drawing, axes):
        ...     _ = axes.plot([1, 2], [0.2, 0.5])
        >>> Figure(drawing, caption="It rises.", alt="A line.").to_html().splitlines()[1]
        '<figcaption><strong>It rises.</strong></figcaption>'
        """
        numbers = self.data and (
            "<details>\n<summary>The numbers behind this figure</summary>\n"
            f"{self.data.to_html()}</details>\n"
        )
        drawing = self.svg if tables.is_static() else with_image(self.svg)
        return (
            '<figure class="measures drawing">\n'
            f"<figcaption>{tables.captioned(self.caption)}</figcaption>\n"
            f'<div class="canvas" role="group" tabindex="0" aria-label="Figure">{drawing}</div>\n'
            f"{numbers or ''}</figure>\n"
        )

    def save(self, path: AnyPath) -> None:
        """Write the drawing to a file, as its suffix says: .svg, .png, .pdf; on white.

        Parameters
        ----------
        path : str or path
            A file, which is written over.

        Raises
        ------
        InputError
            Another suffix, or a place that cannot be written.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> with subplots() as (drawing, axes):
        ...     _ = axes.plot([1, 2], [0.2, 0.5])
        >>> with TemporaryDirectory() as folder:
        ...     Figure(drawing, caption="It rises.", alt="A line.").save(Path(folder) / "rises.svg")
        ...     [path.name for path in Path(folder).iterdir()]
        ['rises.svg']
        """
        if Path(path).suffix not in _PICTURES:
            raise InputError(f"{path}: must end in {', '.join(_PICTURES)}")
        try:
            self.drawing.savefig(path, dpi=200, facecolor="white", bbox_inches="tight")
        except OSError as error:
            raise InputError(f"{path}: cannot be written ({reason(error)})") from None

    def _repr_html_(self) -> str:
        shared = tables.STYLE if self.data or not tables.is_static() else ""
        return shared + STYLE + self.to_html()

    def __repr__(self) -> str:
        return f"Figure: {self.caption}"
