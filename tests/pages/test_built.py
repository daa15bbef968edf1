"""The built book as files: links lead somewhere; figures, tables and marks have their names."""

import json
import re
from collections import Counter, defaultdict
from functools import cache
from html import unescape
from io import StringIO
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import nbformat
import pandas as pd
import pytest
import yaml
from bs4 import BeautifulSoup
from built import (
    CHAPTERS,
    FRONT,
    HTML,
    LANDING,
    NOTEBOOKS,
    PAGES,
    ROOT,
    ids,
    metas,
    name,
    needs_book,
    soup,
)
from fontTools.ttLib import TTFont
from PIL import Image

from book.teaching import editions
from chapters.ledger import registry
from chapters.ledger.page import kinds as kinds_of
from chapters.ledger.rows import committed
from lib import load, means
from lib.display.figures import FAMILIES, colour
from lib.intervals import between, minus_signs

pytestmark = needs_book

SVG = "{http://www.w3.org/2000/svg}"
LINK = re.compile(r'<(?:a|script|link|img|iframe)\b[^>]*?\s(?:href|src)="([^"]*)"')
SCRIPT = re.compile("(?s)(<script[^>]*>).*?</script>")
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=name)


def foot(path):
    """Return the foot of a page."""
    return soup(path).select_one("footer.bd-footer-content")


def test_the_book_is_light():
    weights = {path: path.stat().st_size for path in HTML.rglob("*") if path.is_file()}
    assert {name(page): weights[page] for page in PAGES if weights[page] >= 1_200_000} == {}
    assert sum(weights.values()) < 26_000_000
    scripts = [*(ROOT / "book" / "static").glob("*.js"), *(ROOT / "lib").rglob("*.js")]
    sizes = {path.name: path.stat().st_size for path in scripts}
    assert sizes.pop("search.js") < 3_500  # stands for 26 kB of Sphinx's own
    explorer = sizes["explorer.js"]  # stands in the pages that have a control
    for page in PAGES:
        loaded = re.findall(r"_static/([a-z]+\.js)", page.read_text("utf-8"))
        size = explorer + sum(sizes.get(script, 0) for script in set(loaded))
        assert size < 30_000, (name(page), sorted(set(loaded) & sizes.keys()), size)


# Intervals that are drawn beneath their numbers.

PLACES = ("--at", "--from", "--to", "--zero")


def columns_drawn(path):
    """Return the intervals of each column that draws some: their numbers, places and classes."""
    found = defaultdict(list)
    tables = re.findall("(?s)<table.*?</table>", path.read_text("utf-8"))
    for i, table in enumerate(each for each in tables if 'class="interval' in each):
        for box in BeautifulSoup(table, "html.parser").select(".interval"):
            cell = box.find_parent(["td", "th"])
            texts = [box.text, *(one.text for one in cell.find_next_siblings("td")[:2])]
            said = texts[0] if "[" in texts[0] else " ".join(texts)
            said = re.findall(r"-?[\d.]+", said.replace("\u2212", "-"))
            numbers = map(float, said[:3])  # what follows is another cell's
            style = dict(part.split(":") for part in box["style"].split(";"))
            at = [float(style.get(key, "nan%")[:-1]) for key in PLACES]
            found[i, len(cell.find_previous_siblings())].append((*numbers, 0.0, *at, box["class"]))
    return found.values()


def test_an_interval_is_drawn_where_its_numbers_are():
    count = 0
    for path in PAGES:
        for rows in columns_drawn(path):
            known = [(x, at) for row in rows for x, at in zip(row[:4], row[4:8]) if at == at]
            ends, places = zip(*known)
            slope = (max(places) - min(places)) / (max(ends) - min(ends))
            for *numbers, kinds in rows:
                for number, place in zip(numbers[:4], numbers[4:]):
                    expected = min(places) + slope * (number - min(ends))
                    assert place != place or abs(place - expected) < 0.3, (name(path), numbers)
                holds = numbers[1] <= 0 <= numbers[2] and numbers[7] == numbers[7]
                assert ("open" in kinds) == holds, (name(path), numbers)
            count += len(rows)
    assert count > 300


# Links.


@cache
def anchors(path):
    """Return what a link may point to within a page: identifiers, and settings of controls."""
    parts = re.split('class="measures explore" id="([^"]+)"', path.read_text("utf-8"))
    settings = {
        f"{figure}:{unquote(unescape(setting))}"
        for figure, part in zip(parts[1::2], parts[2::2])
        for panel in re.findall('data-at="([^"]*)"', part)
        for setting in panel.split(" ")
    }
    return settings | ids(path) | {"", "top"}


def broken(path, address):
    """Return why an address on a page leads nowhere, or None if it leads somewhere."""
    url = urlsplit(address)
    if url.scheme or url.netloc:
        return None
    target = (path.parent / unquote(url.path)).resolve() if url.path else path
    if not target.is_relative_to(HTML):
        return "leads out of the book"
    if not target.is_file():
        return "no such file"
    known = target.suffix != ".html" or unquote(url.fragment) in anchors(target)
    return None if known else "no such anchor"


def test_every_link_leads_somewhere():
    links = [
        (path, unescape(link))
        for path in [*PAGES, *(HTML / "slides").glob("*.html")]
        for link in LINK.findall(SCRIPT.sub(r"\1", path.read_text("utf-8")))
    ]
    faults = [(name(path), link, why) for path, link in links if (why := broken(path, link))]
    assert faults == [] and len(links) > 4000


# What pages say of the project, of themselves and of other works.


def test_every_page_says_its_terms_and_leads_to_the_project():
    about = HTML / "book" / "about.html"
    for page in PAGES:
        terms = " ".join(foot(page).get_text().split())
        assert "Text and figures: CC BY 4.0; Code: MIT; Data: the terms of its sources" in terms
        links = {a["href"] for a in foot(page).select('a:not([href*=":"])')}
        files = {(page.parent / link.partition("#")[0]).resolve() for link in links}
        assert files | {page} >= {about, HTML / "book" / "data.html"}
        parts = {link.partition("#")[2] for link in links}
        assert parts >= {"run", "cite", "changes", "accessibility"}


def test_a_part_of_a_font_does_not_have_its_name():
    fonts = [*(HTML / "_static").rglob("*.ttf"), *(HTML / "_static").rglob("*.woff")]
    for font in fonts:
        names = {record.nameID: str(record) for record in TTFont(font)["name"].names}
        called = " ".join(names[number] for number in (1, 4, 6))
        assert "opyright" in names[0] or "©" in names[0], font
        assert not re.search("Awesome|Source|Plex|STIX", called), font
    assert len(fonts) > 7 and (HTML / "LICENSES" / "OFL-1.1.txt").is_file()


NOT_PRINTED = re.compile(r"(?s)<(pre|code|script|style|svg|select)\b.*?</\1>|<!--.*?-->|<[^>]*>")


def test_no_printed_character_is_missing_in_the_fonts():
    fonts = (HTML / "_static" / "fonts").glob("*.woff")
    cut = {font.stem: set(TTFont(font).getBestCmap()) for font in fonts}
    missing = defaultdict(set)
    for page in PAGES:
        text = page.read_text("utf-8")
        (article,) = re.findall("(?s)<article.*</article>", text) or [text]
        characters = set(map(ord, unescape(NOT_PRINTED.sub("", article))))
        for character in characters - {10, 0x200B, 0x2060, 0x2061, 0x2062}:
            if character not in cut["serif-400"] | cut["math"]:
                missing[chr(character)].add(name(page))
    # A registered page keeps its bytes; two of its small letters come from the reader's own fonts.
    law = {"book/registration-law.html"}
    assert {sign: of for sign, of in missing.items() if sign not in "ₘₜ" or of != law} == {}


def test_chapters_name_whose_licence_asks_for_it():
    for chapter in CHAPTERS:
        asked = chapter.name[:2] in "01 04 05 06".split()
        assert ("Julián Urbano, CC BY-SA 4.0" in foot(chapter).get_text()) == asked


def test_every_page_describes_itself():
    title, seen = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["title"], set()
    assert name(LANDING) in FRONT.read_text("utf-8")
    for page in [LANDING, *CHAPTERS, HTML / "book" / "ledger.html"]:
        tags = metas(page)
        assert 40 <= len(tags["description"]) <= 302
        assert tags.get("citation_inbook_title", tags["citation_title"]) == title
        seen.add((tags["description"], tags["citation_title"]))
        if page in (LANDING, *CHAPTERS):  # what a shared link shows
            picture = Image.open(HTML / "_static" / "pictures" / f"{page.stem}.png")
            assert picture.size == (1200, 630) and len(picture.getcolors()) > 20
    assert len(seen) == len(CHAPTERS) + 2


def test_a_claim_of_the_cover_is_shared_by_a_page_that_says_it_and_leads_to_its_place():
    claims = soup(LANDING).select(".found .claim")
    assert len(claims) > 5
    for claim in claims:
        path = (LANDING.parent / claim.select_one(".headerlink")["href"]).resolve()
        page = soup(path)
        assert (
            f"book/intro.html#{claim['id']}" in page.select_one("[http-equiv=refresh]")["content"]
        )
        said = {one["property"]: one["content"] for one in page.select("[property]")}
        assert said["og:title"] == claim.strong.get_text()
        assert "]. On " in said["og:description"]
        assert Image.open(HTML / "_static" / "pictures" / f"{path.stem}.png").size == (1200, 630)


def test_references_have_the_years_by_which_the_text_calls_them():
    works = {one["id"]: one for one in soup(HTML / "book" / "literature.html").select(".citation")}
    cited = 'a.reference.internal[href*="literature.html#id"]'
    links = [link for page in PAGES for link in soup(page).select(cited)]
    for link in links:
        work = works[link["href"].partition("#")[2]]
        assert link.get_text().rpartition(", ")[2] in work.get_text()
    assert len(links) > 40 and len(works) >= 20


@each_notebook
def test_a_notebook_can_be_downloaded_as_its_editions(path):
    for kind in editions.EDITIONS:
        links = soup(path).select(f"a.btn-download-{kind}-button")
        assert bool(links) == (kind in editions.kinds(path.stem))
        for link in links:
            said = nbformat.read(path.parent / link["href"], as_version=4).cells[0].source
            assert said.startswith(editions.NOTES[kind if path in CHAPTERS else editions.AUDIT])
    assert soup(path).select("a.btn-download-source-button") == []


def test_an_audit_and_its_chapter_lead_to_each_other():
    for audit in set(NOTEBOOKS) - set(CHAPTERS):
        (chapter,) = (path for path in CHAPTERS if path.name[:3] == audit.name[:3])
        for one, other in ((audit, chapter), (chapter, audit)):
            assert soup(one).select(f'article a.reference.internal[href^="{other.name}#"]')


def test_each_square_is_a_row_of_the_ledger_and_says_what_it_states():
    text = (HTML / "_static" / "squares-rows.js").read_text("utf-8")
    told = json.loads(text[text.index("{") : text.rindex("}") + 1])
    said = {row[-1]: row for row in told["rows"]}
    ledger, known = soup(HTML / "book" / "ledger.html"), kinds_of(committed())
    stated = {row["id"]: row for row in ledger.select("tr[id]")}
    assert said.keys() == stated.keys()
    for address, row in said.items():
        cells = stated[address].th.find(string=True), stated[address]["data-kind"]
        assert (row[1], row[5]) == cells and row[1]
    drawn = [
        (one, one.parent["href"].partition("#")[2]) for one in soup(LANDING).select(".block svg")
    ]
    drawn += [(one.svg, one.select_one("tr[id]")["id"]) for one in ledger.select("details:has(tr)")]
    for drawing, first in drawn:
        order = [*(stated if drawing["class"] == ["strip"] else said)]
        start, shapes = order.index(first), Counter()
        for path in drawing.select("path"):
            for shape in re.split(r"M[\d.]+ [\d.]+", path["d"])[1:]:
                shapes[path["class"][0], shape] += 1
        rows = order[start : start + int(drawing["data-count"])]
        assert shapes == Counter(tuple(told["squares"][said[row][5]]) for row in rows)
    legend = soup(LANDING).select_one(".cover").get_text(" ")
    for number in (len(known), *known[known.str.startswith("comes")].value_counts()):
        assert f"{number} " in legend


def test_a_mark_has_a_shape_a_word_and_leads_to_what_it_means():
    """Three shapes, so that no colour is needed; the shape names the rows."""
    shapes = {}
    for path in PAGES:
        for mark in soup(path).select("article .sure"):
            word = mark.a.text.removesuffix("†").removesuffix("s")
            shapes.setdefault(word, set()).add(mark.svg.path["d"])
            assert mark.a["href"].endswith("#foundations-answer")
            assert " on " in mark.svg["data-rows"]
    assert set(shapes) <= {"finding", "hint", "inconclusive"}
    assert len({shape for (shape,) in shapes.values()}) == len(shapes) == 3


def test_an_answer_has_its_verdicts_beside_its_lines():
    """As marks, in bold in the text of a notebook; the foundations have examples, no verdicts."""
    for path in CHAPTERS:
        source = nbformat.read(ROOT / "chapters" / f"{path.stem}.ipynb", 4).cells
        text = "\n".join(cell.source for cell in source if cell.cell_type == "markdown")
        answer = text.partition("## The answer\n")[2].partition("\n## ")[0]
        lines = soup(path).select("ul.verdicts > li")
        assert len(lines) == len(re.findall(r"^- \*\*", answer, re.M))
        assert len(lines) >= 3 or path.stem == "00-foundations"
        assert all(line.select_one(":scope > .sure:first-child") for line in lines)


def test_a_guess_stands_before_the_figure_that_answers_it():
    """The first of its section is covered, which must not be the scene's."""
    for path in CHAPTERS:
        for guess in soup(path).select(".guess"):
            first = guess.find_parent("section").select_one(".guess, figure.measures")
            assert first is guess and guess.find_next("figure", class_="drawing"), name(path)
        assert len(soup(path).select(".guess")) <= 1, name(path)


def test_what_was_found_has_number_and_word_of_the_registry():
    claims, words = soup(LANDING).select(".found .claim"), registry.known_words()
    for claim in claims:
        said = claim.select_one("strong").get_text().replace("\u2019", "'")
        at, word = (claim.select_one(one).get_text() for one in (".at", ".verdict"))
        known = [row for row in words[words["says"] == said].itertuples() if row.word in word]
        intervals = (between(row.estimate, row.low, row.high) for row in known)
        assert at in map(minus_signs, intervals), said
    assert 4 <= len(claims) <= 8


# Figures and tables: a number, an address, and files that say the same.


def shown(path):
    """Return what must have a number, in order: all but the parts of something larger."""
    found = soup(path).article.select("figure.measures, .measures.scroll:has(caption)")
    return [tag for tag in found if not tag.find_parent("figure")]


def files(path, tag):
    """Return the texts of the files beneath a figure or table: {ending of the name: text}."""
    line = tag.select(".files")[-1] if tag.name == "figure" else tag.find_next_sibling()
    assert line["class"] == ["files"]
    links = [link["href"] for link in line.select("a[aria-label]")]
    return {link.rpartition(".")[2]: (path.parent / link).read_text("utf-8") for link in links}


def rows(table):
    """Return the number of rows of a table's head, and all rows: words of cells, as in a file."""

    def words(cell):
        said = (s for s in cell.strings if not s.find_parent(attrs={"aria-hidden": "true"}))
        return plain(" ".join("".join(said).split()))

    found = [
        [words(cell) for cell in row.select("td, th") for _ in range(int(cell.get("colspan", 1)))]
        for row in table.select("tr")
    ]
    return len(table.select("thead tr")), found


def plain(text):
    """Return words without what is typeset only."""
    text = text.replace("−", "-").replace("\u2019", "'")
    return "" if text == "–" else re.sub(r"(?<=\d),(?=\d{3})", "", text)


def assert_same_table(frame, table):
    """Hold a table of a file against one of a page."""
    head, found = rows(table)
    assert all(level in plain(column) for column, level in zip(frame.columns, found[head - 1]))
    assert [[plain(cell) for cell in row] for row in frame.to_numpy()] == [
        [cell.replace("∞", "inf") if cell.strip("+-") == "∞" else cell for cell in row]
        for row in found[head:]
    ]


@each_notebook
def test_figures_and_tables_are_numbered_and_have_their_files(path):
    chapter, count = str(int(path.name[:2]) or "F"), Counter()
    chapter = chapter if path in CHAPTERS else f"A{chapter}"
    ids = Counter(tag["id"] for tag in soup(path).find_all(id=True))
    for tag in shown(path):
        kind = "Figure" if tag.name == "figure" else "Table"
        count[kind] += 1
        label = f"{kind} {chapter}.{count[kind]}"
        assert tag.select_one("figcaption, caption").get_text().lstrip().startswith(f"{label}. ")
        assert not [td for td in tag.select("td") if re.search(r"\[[+−\d][^]]*? ", td.text)]
        (number,) = tag.select(".number")  # what stands in its folds and panels has none
        here = re.sub("[ .]", "-", label.lower())
        assert (number if "explore" in tag["class"] else tag)["id"] == here and ids[here] == 1
        assert len(tag.select(f'a[href="#{here}"]')) == 1
        kept = files(path, tag)
        if "explore" in tag["class"]:
            continue
        if tag.table:
            frame = pd.read_csv(StringIO(kept["csv"]), dtype=str, keep_default_na=False)
            assert_same_table(frame, tag.table)
            assert not re.search(r"−\d|\d,\d{3}\b(?!,)", "".join(map(str, frame.iloc[:, 1:])))
        if tag.name == "figure":
            assert_same_picture(kept["svg"], label, tag)
    assert min(count.values()) > 1 or path not in CHAPTERS
    names = [link["aria-label"] for link in soup(path).select(".files a[aria-label]")]
    assert len(set(names)) == len(names)


def assert_same_picture(text, label, figure):
    """Hold the file of a figure against its drawing: it stands alone and says the same."""
    root = ElementTree.fromstring(text)
    drawing = figure.select_one("[role=img]")
    assert root.tag == f"{SVG}svg" and root.find(f"{SVG}title").text == label
    assert root.find(f"{SVG}desc").text == drawing["aria-label"]
    words = ["".join("".join(text.itertext()).split()) for text in root.iter(f"{SVG}text")]
    on_page = [
        "".join(text.get_text().split()).replace("\u2019", "'") for text in drawing.find_all("text")
    ]
    assert Counter(words) == Counter(on_page)
    assert len(list(root.iter(f"{SVG}path"))) == len(drawing.find_all("path"))
    assert "currentColor" not in text and "var(" not in text  # these mean something in a page
    named = set(re.findall(r'(?:href="|url\()#([^")]+)', text))
    assert named <= {part.get("id") for part in root.iter()}


def test_numbers_are_numbers_to_who_reads_a_file():
    path = HTML / "_static" / "figures" / "figure-4-2.csv"
    (link,) = (a for one in NOTEBOOKS for a in soup(one).select(f'a[href$="/{path.name}"]'))
    assert re.fullmatch(rf"measuring-the-measures-[\d.]+-{path.name}", link["download"])
    frame = pd.read_csv(path, index_col=0)
    assert set(map(str, frame.dtypes)) <= {"float64", "int64"} and frame.notna().all(axis=None)


# Marks of figures: each has a name and values, and a measure one colour.


@cache
def drawings(path):
    """Return the drawings of a page, those of settings not yet chosen too."""
    return soup(path).select(".measures [role=img]")


DRAWN = [path for path in PAGES if '<figure class="measures drawing">' in path.read_text("utf-8")]
STROKE = re.compile(r"M\S+ \S+L\S+ \S+")  # one straight line: a tick of an axis, the cap of a bar
BOX = re.compile(r"M(\S+ \S+)(L\S+ \S+){3}(z|L\1z?)")  # four corners: a bar, a cell, a diamond


def painted(tag):
    """Return what paints an element: its own style and those of the groups around it.

    A colour that has a name for the dark counts as what it is in the light.
    """
    found = {}
    for one in (tag, *tag.parents):
        style = re.sub(r"var\(--\w+,(#\w+)\)", r"\1", one.get("style") or "")
        pairs = (pair.split(":", 1) for pair in style.split(";") if ":" in pair)
        found = dict(pairs) | found
        if one.name == "svg":
            return found
    return found


def marks(drawing):
    """Return the marks of a drawing, by rule: dots, and shapes of four corners that are filled.

    The keys of a legend are none, nor are ticks, the caps of error bars, bands (that one sees
    through, whose edges are lines) and areas of more corners, whose dots nobody could tell apart.
    """
    shapes = {path["id"]: path["d"] for path in drawing.select("path[id]")}
    used = [use for use in drawing.find_all("use") if use["x"] != "0"]  # areas stand there
    dots = [use for use in used if not STROKE.fullmatch(shapes[use["href"][1:]])]
    boxes = [p for p in drawing.select("path:not([id])") if BOX.fullmatch(p.get("d", ""))]
    seen = [mark for mark in (*dots, *boxes) if not mark.find_parent(class_="key")]
    return [mark for mark in seen if painted(mark).get("fill-opacity", "0") == "0"]


@pytest.mark.parametrize("path", DRAWN, ids=name)
def test_every_dot_and_bar_has_a_name_and_values(path):
    for drawing in drawings(path):
        found = marks(drawing)
        assert [mark for mark in found if not mark.title] == []
        assert len(found) == len(drawing.find_all("title"))
        said = [mark.title.get_text() for mark in found]
        assert [text for text in said if not re.fullmatch(r"[^:]*[^:\s]: \S.*", text)] == []


CLIPPED = {"clip-path": True}


@pytest.mark.parametrize("path", DRAWN, ids=name)
def test_every_mark_stands_within_its_axes(path):
    """At all settings of a control; a mark that no axes clip stands within its drawing."""
    outside = []
    for drawing in drawings(path):
        clips = {clip["id"]: clip.rect for clip in drawing.find_all("clippath")}
        for mark in marks(drawing):
            clipped = mark if mark.has_attr("clip-path") else mark.find_parent(attrs=CLIPPED)
            if clipped:
                rect = clips[clipped["clip-path"][len("url(#") : -1]]
                frame = [rect[side] for side in ("x", "y", "width", "height")]
            else:
                frame = mark.find_parent("svg")["viewbox"].split()
            left, top, width, height = map(float, frame)
            places = re.findall(r"-?[\d.]+", mark.get("d", f"{mark.get('x')} {mark.get('y')}"))
            for numbers, start, length in (places[::2], left, width), (places[1::2], top, height):
                if not all(start - 0.1 <= float(at) <= start + length + 0.1 for at in numbers):
                    outside.append(mark.title.get_text())
    assert outside == []


def test_runs_say_their_ranks():
    (path,) = (path for path in CHAPTERS if path.stem.startswith("02-"))
    ranks = means(load("trec8"), ["AP", "RR"]).rank(pct=True)
    said = {title.get_text() for one in drawings(path) for title in one.find_all("title")}
    expected = {
        f"{run}: rank by AP {ap:.3f}, rank by RR {rr:.3f}" for run, ap, rr in ranks.itertuples()
    }
    assert {text.replace("1.000", "1") for text in expected} <= said


def paint(mark):
    """Return the colour of a mark: of its inside, or of its edge where it is hollow."""
    look_of = painted(mark)
    fill = "none" if "fill-opacity" in look_of else look_of.get("fill", "currentColor")
    hollow = fill == "none" or fill.startswith("var(")  # filled with the ground
    return look_of.get("stroke", fill) if hollow else fill


MEASURE = re.compile(rf"({'|'.join(FAMILIES)})(@\w+)?(\(.*\)|, p = .*)?( (itself|(of|with) .*))?")


def test_a_measure_has_one_colour_in_the_whole_book():
    """Dots by their names, lines by the legend. Bars of counts have the colours of what counts."""
    found = defaultdict(set)
    for drawing in (one for path in DRAWN for one in drawings(path)):
        for mark in drawing.select("use:has(> title)"):
            found[mark.title.get_text().partition(":")[0]].add(paint(mark))
        for key in drawing.select(".key"):
            handle = None
            for part in key.find_all(["path", "use", "text"]):
                if part.name != "text":
                    handle = part if part.find_parent("defs") is None else handle
                elif handle:
                    found["".join(part.stripped_strings)].add(paint(handle))
    of_measures = {
        text: kinds - {"currentColor"} for text, kinds in found.items() if MEASURE.fullmatch(text)
    }
    assert {"P@10", "AP", "nDCG", "RR", "RBP"} <= {text for text in of_measures if found[text]}
    assert {t: kinds for t, kinds in of_measures.items() if not kinds <= {colour(t)}} == {}


def test_a_row_of_which_measure_speaks_for_whom_its_interval_does():
    rows = soup(HTML / "book" / "which-measure.html").select(".evidence tbody tr")
    assert len(rows) > 30
    decided = [row for row in rows if "later" not in row.find_all("td")[1].text]
    assert len(decided) > 20
    for row in decided:
        choice, verdict, _, difference, _ = row.find_all("td")
        one, other = choice.strong.text, re.search(r" or (\S+)", choice.text)[1]
        _, low, high = map(float, re.findall(r"[+-]?\d\.\d+", difference.text.replace("−", "-")))
        predicts = row.find_parent("table").th.text.startswith("predict")
        least = -0.02 if predicts else 0
        word, whom = verdict.span.text, verdict.small.text
        if word == "inconclusive":
            assert low <= least and high >= 0 and not whom, row.text
        else:
            assert word in ("finding", "hint"), row.text
            sides = {"as good" if predicts else one: low >= least, other: high <= 0}
            assert sides[whom.partition(",")[0]], row.text


def test_one_line_at_zero_runs_down_which_measure():
    """Each of its rows is drawn, by one scale; all situations but four have rows."""
    page = soup(HTML / "book" / "which-measure.html")
    rows = page.select(".evidence tbody tr")
    styles = [row.select_one("td:empty, td > .interval.lined")["style"] for row in rows]
    zeros = {re.search(r"--zero:([\d.]+%)", style)[1] for style in styles}
    marks = {a["style"] for a in page.select(".evidence th .axis span") if a.text == "0"}
    assert {f"left:{zero}" for zero in zeros} == marks and len(marks) == 1
    situations = page.select("section section section")
    assert len([one for one in situations if not one.select(".evidence")]) == 4
    for situation in situations:
        advice = situation.h3.find_next_sibling("p")
        assert advice.get_text(strip=True) == advice.strong.get_text(strip=True), situation.h3.text
