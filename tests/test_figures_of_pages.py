"""Figures and tables of the chapters: a number, a link to itself, and files that say the same."""

import re
from collections import Counter
from functools import cache
from io import StringIO
from urllib.parse import unquote
from xml.etree import ElementTree

import pandas as pd
import pytest
from bs4 import BeautifulSoup
from built import CHAPTERS, HTML, name, needs_book
from chromium import PHONE, address, opened
from playwright.sync_api import expect

pytestmark = needs_book

SVG = "{http://www.w3.org/2000/svg}"
each_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=name)


@cache
def page(path):
    """Return the parsed article of a chapter."""
    return BeautifulSoup(path.read_text("utf-8"), "html.parser").article


def shown(path):
    """Return what must have a number, in order: all but the parts of something larger."""
    return [
        tag
        for tag in page(path).select("figure.measures, .measures.scroll:has(caption)")
        if not tag.find_parent("figure")
    ]


def caption(tag):
    """Return the caption of a figure or table."""
    return tag.select_one("figcaption, caption")


def links(tag):
    """Return the links beneath a figure or table: {ending of the file's name: link}."""
    line = tag.select(".files")[-1] if tag.name == "figure" else tag.find_next_sibling()
    assert line.name == "p" and line["class"] == ["files"]
    return {link["href"].rpartition(".")[2]: link for link in line.select("a[aria-label]")}


def file(path, link):
    """Return the text that a link leads to."""
    return (path.parent / link["href"]).resolve(strict=True).read_text("utf-8")


def records(table):
    """Return the rows of a table of the page, head and body, each cell as its words."""

    def words(cell):
        cell = BeautifulSoup(str(cell), "html.parser")
        for sign in cell.select("[aria-hidden=true]"):
            sign.decompose()
        return " ".join(cell.get_text().split())

    rows = [
        [words(cell) for cell in row.select("td, th") for _ in range(int(cell.get("colspan", 1)))]
        for row in table.select("tr")
    ]
    return rows[: len(table.select("thead tr"))], rows[len(table.select("thead tr")) :]


def same(said, kept):
    """Return whether a file keeps what a cell says: the number, or the very words."""
    typed = said.replace("−", "-").replace("∞", "inf")
    if re.fullmatch(r"[+-]?[\d,]*\.?\d+|[+-]?inf", typed):
        return float(typed.replace(",", "")) == float(kept)
    return kept == ("" if said == "–" else typed) or kept.replace("-", "−") == said


def assert_same_table(frame, table):
    head, body = records(table)
    assert [len(frame.columns), *frame.shape] == [len(head[-1]), len(body), len(head[-1])]
    assert all(level in str(column) for column, level in zip(frame.columns, head[-1]) if level)
    for (_, kept), said in zip(frame.iterrows(), body):
        assert all(map(same, said, kept)), (said, list(kept))


def read(text):
    """Return a CSV file as words."""
    return pd.read_csv(StringIO(text), dtype=str, keep_default_na=False)


@each_chapter
def test_numbers_run_from_one_within_the_chapter(path):
    chapter = str(int(path.name[:2]) or "F")
    count = {"Figure": 0, "Table": 0}
    places = {tag["id"]: tag for tag in page(path).find_all(id=True)}
    for tag in shown(path):
        kind = "Figure" if tag.name == "figure" else "Table"
        count[kind] += 1
        label = f"{kind} {chapter}.{count[kind]}."
        assert caption(tag).get_text().lstrip().startswith(f"{label} ")
        (number,) = tag.select(".number")  # what stands in its folds and panels has none
        assert number.get_text() == label
        here = label.lower().strip(".").replace(" ", "-").replace(".", "-")
        assert places[here] is (number if "explore" in tag["class"] else tag)
        assert len(tag.select(f'a[href="#{here}"]')) == 1
    assert min(count.values()) > 3
    assert len(page(path).select(".number")) == sum(count.values())


@each_chapter
def test_identifiers_are_unique(path):
    everywhere = Counter(re.findall(r'<[a-z][^<>]* id="([^"]+)"', path.read_text("utf-8")))
    own = [re.sub("[ .]", "-", n.get_text().lower()[:-1]) for n in page(path).select(".number")]
    assert {everywhere[name] for name in own} == {1}


@each_chapter
def test_a_file_of_numbers_says_what_the_table_says(path):
    compared = 0
    for tag in shown(path):
        table = tag.find("table")
        if "explore" in tag["class"]:
            continue
        assert ("csv" in links(tag)) == bool(table)
        if table:
            assert_same_table(read(file(path, links(tag)["csv"])), table)
            compared += 1
    assert compared > 10


def test_numbers_are_numbers_to_who_reads_a_file():
    text = (HTML / "_static" / "figures" / "figure-4-1.csv").read_text("utf-8")
    frame = pd.read_csv(StringIO(text), index_col=0)
    assert set(map(str, frame.dtypes)) == {"float64"} and frame.notna().all(axis=None)


@pytest.mark.parametrize(
    ("said", "kept", "is_so"),
    [
        ("−0.5", "-0.5", True),
        ("1,200", "1200", True),
        ("+0.050", "+0.050", True),
        ("–", "", True),
        ("−0.1 [−0.2, 0.1]", "-0.1 [-0.2, 0.1]", True),
        ("0.5", "0.6", False),
        ("−0.5", "0.5", False),
        ("AP", "RR", False),
    ],
)
def test_the_comparison_sees_a_difference(said, kept, is_so):
    assert same(said, kept) == is_so


@each_chapter
def test_controls_give_the_numbers_of_every_setting(path):
    explorers = [tag for tag in shown(path) if "explore" in tag["class"]]
    for tag in explorers:
        assert "svg" in links(tag)
        panels = [panel for panel in tag.select("[data-at]") if panel.find("table")]
        assert ("csv" in links(tag)) == bool(panels)
        if not panels:
            continue
        frame = read(file(path, links(tag)["csv"]))
        checked = 0
        for panel in panels:
            for setting in panel["data-at"].split(" "):
                pairs = [pair.split("=", 1) for pair in unquote(setting).split("&")]
                part = frame
                for key, value in pairs:
                    part = part[part[key] == value]
                head, _ = records(panel.table)
                assert list(frame.columns[: len(pairs)]) == [key for key, _ in pairs]
                own = part.iloc[:, len(pairs) :]
                own = own[[c for c in own.columns if c in head[-1] or c.endswith(f" / {c}")]]
                assert_same_table(own[head[-1]], panel.table)
                checked += len(part)
        assert checked == len(frame)
    assert explorers


@each_chapter
def test_a_picture_is_a_file_that_stands_alone(path):
    for tag in (tag for tag in shown(path) if tag.name == "figure"):
        panel = tag.select_one("[data-at]:not([hidden])") or tag
        drawing = panel.select_one("svg")
        text = file(path, links(tag)["svg"])
        root = ElementTree.fromstring(text)
        assert root.tag == f"{SVG}svg"
        assert f"{root.find(f'{SVG}title').text}." == tag.select_one(".number").get_text()
        assert root.find(f"{SVG}desc").text == drawing["aria-label"]
        words = ["".join("".join(text.itertext()).split()) for text in root.iter(f"{SVG}text")]
        assert words == ["".join(text.get_text().split()) for text in drawing.find_all("text")]
        assert len(list(root.iter(f"{SVG}path"))) == len(drawing.find_all("path"))
        assert "currentColor" not in text and "var(" not in text  # these mean something in a page
        named = set(re.findall(r'(?:href="|url\()#([^")]+)', text))
        assert named <= {part.get("id") for part in root.iter()}


@each_chapter
def test_links_have_names_of_their_own(path):
    names = [link["aria-label"] for link in page(path).select(".files a[aria-label]")]
    assert len(set(names)) == len(names) > 10
    for link in page(path).select(".files a[aria-label]"):
        assert link.get_text() in link["aria-label"]  # who says what they see reaches it


def test_every_file_is_linked():
    linked = {
        (path.parent / link["href"]).resolve()
        for path in CHAPTERS
        for link in page(path).select(".files a[aria-label]")
    }
    assert linked == {path.resolve() for path in (HTML / "_static" / "figures").iterdir()}


def test_a_number_is_reached_by_keyboard_and_leads_to_its_figure(browser):
    chapter = next(path for path in CHAPTERS if path.stem.startswith("04-"))
    with opened(browser, address(chapter), java_script_enabled=False, viewport=PHONE) as window:
        figure = window.locator("#figure-4-1")
        figure.locator(".canvas").focus()
        window.keyboard.press("Tab")
        expect(figure.locator("a.number")).to_be_focused()
        window.keyboard.press("Enter")
        assert window.url.endswith("#figure-4-1")
        expect(figure).to_be_in_viewport()
        expect(figure.get_by_role("link", name="Figure 4.1: CSV")).to_be_visible()


def test_a_picture_can_be_seen_by_itself(browser):
    with opened(browser, address(HTML / "_static" / "figures" / "figure-4-1.svg")) as window:
        box = window.locator("svg > path").first.bounding_box()
        assert box["height"] > 50
        expect(window.get_by_text("nDCG", exact=True)).to_be_visible()


def test_paper_has_the_numbers_and_no_links_to_files(browser):
    chapter = next(path for path in CHAPTERS if path.stem.startswith("04-"))
    with opened(browser, address(chapter)) as window:
        window.emulate_media(media="print")
        expect(window.locator("#table-4-1 a.number")).to_be_visible()
        expect(window.locator(".files:visible")).to_have_count(0)
