"""Figures: the same bytes each time, the page's colours, and numbers that nbval can compare."""

import base64
import configparser
import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from lib.display.figures import (
    INK,
    Figure,
    colour,
    draw_band,
    draw_dots,
    draw_line,
    draw_lines,
    draw_pieces,
    draw_row,
    draw_rows,
    label_lines,
    log_axis,
    measure_style,
    panels,
    subplots,
    svg,
)
from lib.paths import ROOT


def draw(values=(0.2, 0.5, 0.6), color="black"):
    """Return a figure with what the book's figures have: lines, points, areas, text."""
    with subplots() as (figure, axes):
        axes.plot([1, 2, 3], values, "o-", color=colour("AP"), label="AP & <P@10>")
        axes.scatter([1, 2, 3], values, c=color)
        axes.fill_between([1, 3], [0, 0], [0.1, 0.1], alpha=0.3)
        axes.bar([2], [0.1], color="white", edgecolor="black")
        axes.set(xlabel="topics", ylabel="tau-b", title="One <title>")
        label_lines(axes)
    return figure


def parsed(figure):
    """Return a figure's SVG as a tree, which fails if it is not well formed."""
    return ElementTree.fromstring(svg(figure, alt="A rising line & more."))


def test_same_drawing_gives_the_same_bytes():
    figure = draw()
    assert svg(figure, alt="x") == svg(figure, alt="x") == svg(draw(), alt="x")


def test_what_the_solver_of_the_layout_leaves_to_chance_is_rounded_away():
    """It goes through its variables in the order of their addresses: its last digits differ."""
    with subplots(1, 2, width="wide", sharey=True) as (figure, panels):
        panels[0].set(ylabel="tau-b", xlabel="topics")
        figure.colorbar(panels[1].scatter([1, 2], [1, 2], c=[0.1, 0.2]))
    svg(figure, alt="x")
    places = np.array([axes.get_position(original=True).extents for axes in figure.axes])
    assert len(places) == 3
    np.testing.assert_array_equal(places, places.round(5))
    assert places[0, 2] != 0.775  # matplotlib's own place, were nothing laid out


def test_the_drawing_takes_the_page_s_font_and_colours_and_nothing_of_the_page_takes_its():
    text, root = svg(draw(), alt="A rising line & more."), parsed(draw())
    assert (root.tag, root.get("aria-label")) == ("svg", "A rising line & more.")
    assert re.fullmatch(r"0 0 295\.2 230\.4", root.get("viewBox"))
    texts = {"".join(part.itertext()): part for part in root.iter("text")}
    assert {"topics", "tau-b", "AP & <P@10>"} <= set(texts)
    title = texts["One <title>"].get("style")
    assert "font-weight:700" in title and "font-size:10px" in title
    assert not re.search("font-family|#000000|#ffffff| (width|height)=.*viewBox", text)
    assert "currentColor" in text and "var(--pst-color-background" in text
    assert not re.search("<style|<metadata|<!--|<[?]xml|xmlns|xlink|date", text)
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids)) > 0
    assert set(ids) == set(re.findall(r'(?:href="|url\()#([^")]+)', text))
    assert not set(ids) & set(re.findall(r' id="([^"]+)"', svg(draw([3, 2, 1]), alt="x")))


def test_a_path_is_where_matplotlib_draws_it():
    figure = draw()
    (axes,) = figure.axes
    root = parsed(figure)
    color = colour("AP")
    colored = [p for p in root.iter("path") if color in p.get("style", "")]
    (line,) = (p for p in colored if p.get("clip-path") and p.get("d").count("L") == 2)
    drawn = np.array(re.findall(r"-?[\d.]+", line.get("d")), float).reshape(-1, 2)
    pixels = axes.transData.transform(np.column_stack([[1, 2, 3], [0.2, 0.5, 0.6]]))
    expected = pixels * 72 / figure.dpi
    expected[:, 1] = 230.4 - expected[:, 1]  # SVG counts downwards
    np.testing.assert_allclose(drawn, expected, atol=0.06)  # a tenth, rounded


def test_shared_styles_reach_every_point():
    """A group's style replaces those of its parts only where they are all the same."""
    with subplots() as (figure, axes):
        axes.scatter([1, 2, 3], [1, 2, 3], c=[colour("P@10")] * 3)
        axes.scatter([1, 2], [3, 3], c=[colour("nDCG"), colour("RR")])
    root = parsed(figure)
    parents = {child: parent for parent in root.iter() for child in parent}
    fills = [
        re.search(
            r"fill:(?:var\(--\w+,)?(#\w+|currentColor)",
            use.get("style") or parents[use].get("style"),
        )
        for use in root.iter("use")
    ]
    assert [m[1] for m in fills if m] == ["currentColor"] * 3 + [colour("nDCG"), colour("RR")]


# Labels at the ends of lines.


def test_what_all_panels_share_has_a_box_around_its_words():
    with panels(["one", "two"], xlabel="topics") as (figure, axes):
        axes[1].plot([1, 2], [1, 2], label="a long label")
        figure.legend(loc="outside upper center")
    found = re.findall('class="(strip|key)" data-box="(.*?)"', svg(figure, alt="Two panels."))
    (strip, key) = (dict(found)[kind].split() for kind in ("strip", "key"))
    width, height = figure.get_figwidth() * 72, figure.get_figheight() * 72
    for (x, y, wide, high), middle, at in (strip, 36, height - 8), (key, 75, 12):
        assert abs(float(x) + float(wide) / 2 - width / 2) < 20  # both in the middle
        assert abs(float(y) + float(high) / 2 - at) < 8 and middle / 2 < float(wide) < 2 * middle
    assert len(found) == 2


@pytest.mark.parametrize(("shared", "boxes"), [("col", 2), (False, 3)])
def test_panels_below_each_other_have_a_box_in_common_where_they_share_a_scale(shared, boxes):
    titles, shape = ["one", "two", "three"], {"sharex": shared, "sharey": False}
    with panels(titles, columns=2, **shape) as (figure, _):
        found = re.findall('data-box="(.*?)"', svg(figure, alt="Three panels."))
    assert len(set(found)) == boxes


def test_labels_keep_the_order_of_the_lines_and_their_distance():
    with subplots() as (figure, axes):
        for i, end in enumerate([0.5, 0.51, 0.1, 0.505, 0.9]):
            axes.plot([0, 1], [0, end], label=str(i))
        label_lines(axes)
        figure.draw_without_rendering()
        ends = [axes.transData.transform(label.xy)[1] * 72 / figure.dpi for label in axes.texts]
    assert [label.get_text() for label in axes.texts] == ["2", "0", "3", "1", "4"]
    places = np.add(ends, [label.xyann[1] for label in axes.texts])  # in points
    assert np.all(np.diff(places) >= 1.15 * 9.5 - 0.3)


@pytest.mark.parametrize("end", [0, 1])
def test_labels_of_lines_that_end_at_an_edge_stay_within_the_axes(end):
    with subplots() as (figure, axes):
        axes.set(ylim=(0, 1))
        for i in range(4):
            axes.plot([0, 1], [0.5, end], label=str(i))
        label_lines(axes)
        figure.draw_without_rendering()
        ends = [axes.transData.transform(label.xy)[1] * 72 / figure.dpi for label in axes.texts]
        low, high = axes.get_window_extent().intervaly * 72 / figure.dpi
    places = np.add(ends, [label.xyann[1] for label in axes.texts])
    np.testing.assert_allclose(np.diff(places), 1.15 * 9.5, atol=0.3)
    assert low < places[0] < places[-1] < high + 1
    far = [label.xyann[0] for label in axes.texts if label.arrow_patch is not None]
    assert far == [16] * len(far) and 0 < len(far) < 4
    assert {label.anncoords for label in axes.texts} == {"offset points"}


# Figures of the book.


def test_figure_holds_drawing_caption_and_numbers():
    data = pd.DataFrame({"topics": [1, 2, 3], "tau": [0.2, 0.5, 0.6]})
    caption = "Tau <rises>. Lines: of 1.5 topics"
    figure = Figure(draw(), caption=caption, alt="A rising line.", data=data)
    page = BeautifulSoup(figure._repr_html_(), "html.parser")
    title, rest = page.figure.figcaption.stripped_strings  # what it found is its title
    assert (title, rest) == ("Tau <rises>.", "Lines: of 1.5 topics")
    assert page.figure.svg["aria-label"] == "A rising line."
    assert [d.text for d in page.select("details td")] == ["0.200", "0.500", "0.600"]
    assert repr(figure) == f"Figure: {caption}"


def untrusted(page):
    """Return what JupyterLab shows of HTML that it does not trust: no styles, no tags of SVG."""
    tree = BeautifulSoup(page, "html.parser")
    for tag in tree.select("style, script"):
        tag.decompose()
    for tag in tree.select("svg, svg *"):
        tag.unwrap()
    for tag in tree.select("[hidden=hidden]"):
        tag.decompose()
    return tree


def test_a_figure_in_a_notebook_that_is_not_trusted_is_an_image(monkeypatch):
    figure = Figure(draw(), caption="Tau rises.", alt='A "rising" line.')
    assert "tau-b" in untrusted(figure._repr_html_()).text  # the page's, a wall of labels
    monkeypatch.delenv("MEASURES_STATIC")
    shown = untrusted(figure._repr_html_())
    assert "tau-b" not in shown.text and "Tau rises." in shown.text
    (image,) = shown.select("img")
    assert image["alt"] == 'A "rising" line.'
    file = base64.b64decode(image["src"].removeprefix("data:image/svg+xml;base64,"))
    root = ElementTree.fromstring(file)
    assert "tau-b" in "".join(root.itertext()) and root.attrib["width"] == "295.2pt"
    assert figure.svg in figure._repr_html_()  # for a notebook that is


@pytest.mark.parametrize("missing", ["caption", "alt"])
def test_figure_without_words_is_refused(missing):
    words = {"caption": "Tau.", "alt": "A line."} | {missing: " "}
    with pytest.raises(ValueError, match=missing):
        Figure(draw(), **words)


def nbval_sees(figure):
    """Return what nbval compares of a figure, by the rules of nbval.cfg."""
    rules = configparser.ConfigParser(interpolation=None, delimiters=(":",))
    rules.read(ROOT / "tests" / "nbval.cfg")
    text = figure._repr_html_()
    for name in rules.sections():
        text = re.sub(rules[name]["regex"], rules[name]["replace"], text)
    return text


def test_nbval_compares_the_numbers_and_not_the_drawing():
    words = {"caption": "Tau.", "alt": "A line."}
    seen = [
        nbval_sees(Figure(draw(v), data=pd.DataFrame({"tau": d}, ["x"]), **words))
        for v, d in [([1, 2, 3], [0.5]), ([3, 2, 1], [0.5]), ([1, 2, 3], [0.6])]
    ]
    assert seen[0] == seen[1] != seen[2]
    assert "<svg" not in seen[0] and "viewBox" not in seen[0]


def test_nbval_compares_the_texts_of_a_drawing():
    def seen(label, at=1.2, told="", alt="A dot."):
        with subplots() as (figure, axes):
            draw_dots(axes, [at], [2.0], ["A"], words=[told])
            axes.set(xlabel=label, xlim=(0, 3), ylim=(0, 3))
        return nbval_sees(Figure(figure, caption="Tau.", alt=alt))

    assert "|topics|" in seen("topics") != seen("documents")
    assert seen("topics") != seen("topics", told="new")
    assert "|A dot.|" in seen("topics") != seen("topics", alt="A dash.")
    assert seen("topics") == seen("topics", at=1.2001)


# Forms that drawings share.


def test_lines_of_a_table_and_pieces_of_one_path():
    with subplots() as (_, axes):
        draw_lines(axes, pd.DataFrame({"AP": [0.2, 0.4], "RR": [0.1, 0.3]}, [10, 100]), tell="y")
        draw_pieces(axes, [[0, 1], [2, 3]], [[4, 5], [6, 7]], color="red")
        draw_pieces(axes, np.empty((0, 2)), np.empty((0, 2)))
    one, other, pieces, none = axes.lines
    assert (one.get_label(), other.get_color()) == ("AP", measure_style("RR")["color"])
    assert other.get_xydata().tolist() == [[10, 0.1], [100, 0.3]]
    gap = [np.nan, np.nan]
    np.testing.assert_array_equal(pieces.get_xydata(), [[0, 4], [1, 5], gap, [2, 6], [3, 7], gap])
    assert len(none.get_xydata()) == 0


def test_a_band_is_stretched_with_its_line_and_no_mark_that_keeps_its_shape():
    with subplots() as (figure, axes):
        draw_line(axes, [0, 1, 2], [1, 2, 3], "AP")
        draw_band(axes, [0, 2], 0.5, [2, 4], INK)
    (band,) = axes.patches
    assert band.get_xy().tolist() == [[0, 0.5], [2, 0.5], [2, 4], [0, 2], [0, 0.5]]
    marks = re.findall(r'<path (?=[^>]*class="mark")[^>]*\bd="([^"]*)"', svg(figure, alt="x"))
    assert marks and all(abs(float(n)) < 9 for n in re.findall(r"-?[\d.]+", "".join(marks)))


def test_lines_rows_and_dots_say_what_they_stand_for_and_lie_where_they_should():
    with panels(["a", "b", "c"], sharey=False) as (figure, (left, middle, right)):
        draw_line(left, [10, 100], [0.2, 0.4], "AP", tell="y")
        log_axis(left, [10, 100], form=",")
        table = pd.DataFrame([[0.5, 0.25, 0.75], [0.6, 0.5, 0.8]], [("P@10", "all"), "RR"])
        draw_rows(middle, table, [{"color": "red"}, {}], at=0.4)
        draw_row(middle, 1, "half", (0.1, 0, 0.2), words="{:.1f} of {}, {}".format)
        draw_dots(right, [1, 2], [3, 4], ["s", "t"], color="red")
    told = re.findall("<title>([^<]*)", svg(figure, alt="x"))
    rows = ["P@10, all: +0.500 [+0.250, +0.750]", "RR: +0.600 [+0.500, +0.800]"]
    rows += ["half: 0.1 of 0, 0.2"]
    assert told == ["AP: 0.200", "AP: 0.400", *rows, "s: 1, 3", "t: 2, 4"]
    assert left.get_xscale() == "log" and left.lines[0].get_color() == measure_style("AP")["color"]
    at, line, dot, *_ = (line.get_xydata().tolist() for line in middle.lines)
    assert at == [[0.4, 0], [0.4, 1]] and line == [[0.25, 0], [0.75, 0]] and dot == [[0.5, 0]]
    assert [line.get_color() for line in middle.lines[1:4]] == ["red", "red", INK]
    assert middle.get_ylim() == (1.5, -0.5)  # the first row on top
    assert [label.get_text() for label in middle.get_yticklabels()] == ["P@10, all", "RR"]


def test_rows_of_measures_have_their_signs_and_are_hollow_where_the_line_is_within():
    table = pd.DataFrame([[0.2, 0.1, 0.3], [-0.1, -0.3, 0.0]], ["AP", "RR, the first"])
    with panels(["a", "b"], sharey=False) as (figure, (numbered, bare)):
        draw_rows(numbered, table, at=0, form="+.2f")
        draw_rows(bare, table)
    first, second = (numbered.lines[place] for place in (2, 4))
    assert (first.get_marker(), second.get_marker()) == ("o", "^")
    assert first.get_color() == first.get_markerfacecolor() == measure_style("AP")["color"]
    assert second.get_color() == measure_style("RR")["color"]
    assert second.get_markerfacecolor() == "white"
    assert [text.get_text() for text in numbered.texts] == ["+0.20", "−0.10"]
    assert bare.lines[3].get_markerfacecolor() == measure_style("RR")["color"]
    assert not bare.texts
