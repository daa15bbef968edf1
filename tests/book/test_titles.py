"""What somebody typed into titles of figures, held against the tables and the marks below them.

Where the words of a title are computed they change with their figure, and a chapter that is run
again is compared with what it stored, in each setting.
"""

import re
from html import unescape
from statistics import median
from typing import NamedTuple

import numpy as np
import pytest
from built import ROOT
from cells import code_cells

from chapters.thom2007.tables import MEASURE_PAIRS

DRAWING = '<figure class="measures drawing">'
# Titles that say how to read their figure, and nothing of what came out.
READING = {"00-foundations#tau-figure", "02-audit#tree", "04-audit#figure3"}


class Shown(NamedTuple):
    """A drawing: its title, the names of its marks, the table behind it."""

    title: str
    marks: list[tuple[str, str]]
    heads: list[str]
    rows: list[list[str]]

    def column(self, head):
        """Return a column of the table as numbers."""
        place = self.heads.index(head) - len(self.heads)
        return [number(row[place]) for row in self.rows]


def plain(markup):
    """Return the text of a piece of HTML."""
    return " ".join(unescape(re.sub("<[^>]+>", "", markup)).split())


def number(text):
    """Return the first number of a text."""
    return float(re.search(r"[+\-−]?\d[\d,]*(\.\d+)?", text)[0].replace("−", "-").replace(",", ""))


def falls(values):
    return all(a >= b for a, b in zip(values, values[1:]))


def drawings(path):
    """Yield the first drawing of each cell of a notebook, by the notebook and the cell."""
    for cell in code_cells(path):
        text = "".join(out["data"].get("text/html", "") for out in cell.outputs if "data" in out)
        for part in text.split(DRAWING)[1:2]:
            title = re.search("(?s)<figcaption><strong>(.*?)</strong>", part)[1]
            rows = [
                [plain(each) for each in re.findall("(?s)<t[hd][^>]*>(.*?)</t[hd]>", row)]
                for row in re.findall("(?s)<tr.*?</tr>", part.split("<table>")[-1])
            ] or [[]]
            marks = [plain(one).partition(": ")[::2] for one in re.findall("<title>(.*?)<", part)]
            yield f"{path.stem}#{cell.id}", Shown(plain(title), marks, rows[0], rows[1:])


FOUND = dict(one for path in sorted((ROOT / "chapters").glob("*.ipynb")) for one in drawings(path))
HELD = {}


def says(place, words):
    """Register words with which the title of a figure begins, and when they are true."""

    def register(function):
        HELD[place] = words, function

    return register


@says("00-foundations#weights", "P@10 counts ten ranks alike, nDCG and RBP each rank less than")
def _(shown):
    precision = shown.column("P@10")
    alike = len(set(precision[:10])) == 1 and set(precision[10:]) == {0}
    return alike and all(falls(shown.column(h)) for h in shown.heads if re.match("nDCG|RBP", h))


@says("00-foundations#top-figure", "The best systems change places with the measure.")
def _(shown):
    return shown.column("AP") == sorted(shown.column("AP")) != shown.column("nDCG")


@says("02-audit#figures-terabyte", "Most manual runs (triangles) lie above the line of AP and RR.")
def _(shown):
    ap, rr = shown.column("AP"), shown.column("RR")
    slope, start = np.polyfit(ap, rr, 1)
    manual = [y - slope * x for x, y, row in zip(ap, rr, shown.rows) if row[-1] == "manual"]
    return median(manual) > start


@says("02-audit#figures-trec8", "On TREC-8 some of the seven clouds are curved")
def _(shown):
    fits = [np.polyfit(*map(shown.column, pair), 2, cov=True) for pair in MEASURE_PAIRS]
    curved = [abs(fit[0]) > 4 * error[0, 0] ** 0.5 for fit, error in fits]
    return len(fits) == 7 and 2 <= sum(curved) < 7


@says("03-blind-feedback#relevant", "AP gains where topics have many relevant documents, and not")
def _(shown):
    rows = [(row[1], number(row[-2]) > 0) for row in shown.rows if row[2] == "AP"]
    gains = {group: [rises for of, rises in rows if of == group] for group, _ in rows}
    return all(gains["41 or more"]) and not any(gains["1 to 3"])


@says(
    "03-blind-feedback#query-moves", "Five other pages rise, and simpson, which is relevant, falls"
)
def _(shown):
    moves = [(number(after) - number(before), yes) for _, before, after, yes in shown.rows]
    risen = [yes for change, yes in moves if change < 0]
    return risen == [""] * 5 and any(change > 0 for change, yes in moves if yes)


@says("05-elsewhere#finding", "With few topics AP predicts the P@10 ranking better than P@10 does")
def _(shown):
    leads = {}
    for name, *_, lead, _, _, _ in shown.rows:
        leads.setdefault(name, []).append(number(lead))
    return len(leads) == 3 and all(own[0] > 0 > own[-1] for own in leads.values())


@says(
    "05-elsewhere#law-misses", "Where a machine judged (hollow) the law foretells too deep a fall"
)
def _(shown):
    by = {"P@10": [], "RR": []}
    for lead, name, miss, *_ in shown.rows:
        if "machine" in name:
            by[lead.removeprefix("AP for ")].append(number(miss))
    return max(by["P@10"] + by["RR"]) < 0 and np.mean(by["RR"]) < np.mean(by["P@10"])


@says(
    "05-elsewhere#new-picture",
    "Three new collections do not repeat what older ones hinted about AP.",
)
def _(shown):
    older, new = (
        [number(high) for _, on, *_, high in shown.rows if on == of]
        for of in ("older ones", "the three")
    )
    return max(older) < 0 < min(new)


@says("05-audit#restricted-picture", "Judging ten ranks hardly changes AP's lead on TREC-5 and")
def _(shown):
    judged = {(row[0], row[2]): row for row in shown.rows if row[1] == "pools"}
    ten = (judged[name, "10"] for name in ("TREC-5", "TREC-8"))
    little = all(number(row[-2]) < 0 < number(row[-1]) for row in ten)
    return little and number(judged["TREC-5", "2"][-1]) < 0


@says("06-left-out#by-hand", "d3 leaves the pool, and C falls from")
def _(shown):
    ((inside, outside),) = ([number(x) for x in row[1:3]] for row in shown.rows if row[0] == "C")
    return outside < inside


@says("08-spending-judgements#placed", "A shallow pool flatters the systems in it")
def _(shown):
    own = [number(row[2]) - number(row[3]) for row in shown.rows if row[0] == "TREC-8"]
    twenty = own[4]
    return own[0] > 0 and twenty < own[0] / 3


@says("08-spending-judgements#ways-figure", "Choosing documents cleverly helps on")
def _(shown):
    gains = [number(cell) for row in shown.rows for cell in row[1:]]
    return min(gains) < 0 < max(gains)


@pytest.mark.parametrize("place", HELD)
def test_what_a_title_says_in_typed_words_its_figure_shows(place):
    words, holds = HELD[place]
    assert FOUND[place].title.startswith(words)
    assert holds(FOUND[place]), FOUND[place]


def test_a_title_that_is_typed_as_a_whole_is_held():
    """One that says how to read its figure is among those of READING."""
    sources = [
        path.read_text(encoding="utf-8")
        for top in ("lib", "chapters")
        for path in (ROOT / top).rglob("*.py")
    ]
    for path in (ROOT / "chapters").glob("*.ipynb"):
        sources += [cell.source for cell in code_cells(path)]
    code = re.sub(r'"\s*\n\s*f?"', "", "\n".join(sources))  # strings go on in the next line
    typed = {place for place, shown in FOUND.items() if f"{shown.title} " in code}
    assert typed - HELD.keys() == READING
