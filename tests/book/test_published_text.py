"""The published numbers in data/published against a second, independent reading of the papers.

The schema tests always run. The others read the papers' own texts, which are not part of this
project: set MEASURES_ORIGINALS to the folder that holds ``papers/``, or they are skipped.
"""

import csv
import os
import re
from decimal import Decimal
from itertools import groupby
from pathlib import Path

import pytest

PUBLISHED = Path(__file__).parents[2] / "data" / "published"
TEXTS = {
    "webber2008": "webber2008-precision-at-ten.md",
    "thom2007": "thom2007-comparison-of-measures.md",
    "tomlinson2006": "tomlinson2006-early-precision.txt",
    "webber2010": "webber2010-pooling-depth.md",
}
NO_VERDICT = {"data not public", "not testable"}  # reasons why there can be none

# Where the scan garbles a number: (what is wrong, pattern, replacement, times it occurs).
REPAIRS = {
    "tomlinson2006": [
        (
            "Table 1, clarit: two Diff values stand before the word Diff",
            r"(clarit Base.*? BF(?: \S+){4})((?: \S+){2}) Diff",
            r"\1 Diff\2",
            1,
        ),
        (
            "Table 2, rows 9, 14, 18: the row number and its star stand after the row "
            "(so 9* runs into row 10)",
            r"((?:P5|I20|I70) -?\d\.\d+ \([^)]*\)) (9|14|18) ?\*",
            r"\2* \1",
            3,
        ),
        ("Section 4: the exponent of GS10 runs into its base", r"\b(1\.08)(1-r)\b", r"\1^(\2)", 1),
    ],
    "webber2010": [
        ("Table 2, row RBP .8: the point is lost", r"^RBP8\t", "RBP .8\t", 1),
        (
            "Table 3, row 100/100 aAP: shifted one column left",
            r"^(100\t100\taAP)(\t.*)\t$",
            r"\1\t\2",
            1,
        ),
    ],
}
# The papers' labels where the data uses another name.
NAMES = {
    "MAP": "AP",
    "MRR": "RR",
    "RP": "Rprec",
    "P10": "P@10",
    "RBP.95": "RBP(p=0.95)",
    "RBP .8": "RBP(p=0.8)",
    "RBP .9977": "RBP(p=0.9977)",
    "RBP, $p=0.8$": "RBP(p=0.8)",
    "RBP, $p=0.95$": "RBP(p=0.95)",
    "T5 AH": "TREC-5 ad hoc",
    "T8 AH": "TREC-8 ad hoc",
    "T01 Web": "TREC 2001 Web",
    "T04 Rob": "TREC 2004 Robust",
    "T05 TB": "TREC 2005 Terabyte",
}
# Numbers that a paper spells out.
WORDS = {
    "half a percent": "0.5",
    "second": "2",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "seven": "7",
}
# A value whose statement says this is not printed in the text, so it is not looked for there.
OWN = "our arithmetic"

each_paper = pytest.mark.parametrize("paper", TEXTS)


def rows_of(paper):
    """Rows of data/published/<paper>.csv as dictionaries."""
    with open(PUBLISHED / f"{paper}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def text_of(paper):
    """The paper's text with the scan repaired, or skip when the papers are not at hand."""
    folder = os.environ.get("MEASURES_ORIGINALS")
    if not folder or not Path(folder, "papers").is_dir():
        pytest.skip("the papers are not at hand: set MEASURES_ORIGINALS")
    text = Path(folder, "papers", TEXTS[paper]).read_text(encoding="utf-8")
    for reason, pattern, replacement, times in REPAIRS.get(paper, []):
        text, done = re.subn(pattern, replacement, text, flags=re.M)
        assert done == times, f"{paper}: repair applied {done} times, not {times}: {reason}"
    return text


def name(label):
    label = re.sub(" ?@ ?", "@", label.strip())
    return NAMES.get(label, label)


def markdown_tables(text):
    """Blocks of tab-separated lines, cells without mark-up, in the order of the paper."""
    text = re.sub(r"</?b>", "", text)
    blocks = groupby(text.splitlines(), key=lambda line: "\t" in line)
    return [[line.split("\t") for line in block] for is_table, block in blocks if is_table]


def matrix(place, columns, rows):
    """Printed cells of a table whose rows are a label followed by the cells; blanks left out."""
    return {
        (place, name(row), name(column)): cell
        for row, *cells in rows
        for column, cell in zip(columns, cells, strict=True)
        if cell
    }


def webber2008(text):
    (header, *first), (same, *second) = markdown_tables(text)
    return matrix("Table 1", header[1:], first) | matrix("Table 2", same[1:], second)


def thom2007(text):
    ((_, *rows),) = markdown_tables(text)
    return {("Table 1", name(first), name(second)): tau for first, second, tau in rows}


def tomlinson2006(text):
    cells = {}
    columns = re.search(r"Retrieval Measures\) (\w+) (\w+) (\w+) (\w+) albany", text).groups()
    four = r"((?: -?\d\.\d+){4})"
    for system, *lines in re.findall(rf"(\w+) Base{four} BF{four} Diff{four}", text):
        for line, numbers in zip(["base", "feedback", "difference"], lines, strict=True):
            cells |= matrix("Table 1", columns, [[f"{system} {line}", *numbers.split()]])
    found = re.findall(r"(\d+) ?(\*?) ([A-Za-z][\w-]*) (-?\d\.\d+) \(([\d, ]+)\)", text)
    assert [int(number) for number, *_ in found] == list(range(1, 31))
    columns = ["difference", "ns", "no", "z", "po", "ps"]
    for _, star, measure, difference, counts in found:
        numbers = zip(columns, [difference, *counts.split(", ")], strict=True)
        cells |= {("Table 2", measure, column): number for column, number in numbers}
        cells |= {("Table 2", measure, "starred"): "yes"} if star else {}
    return cells


def webber2010(text):
    (top, bottom, *first), (header, *second), (pools, depths, metrics, *third) = markdown_tables(
        text
    )
    columns = [f"{a} {b}" for a, b in zip(top, bottom, strict=True)]
    cells = matrix("Table 1", columns[1:], first) | matrix("Table 2", header[1:], second)
    columns, block = [], ""
    for pool, depth, metric in zip(pools[3:], depths[3:], metrics[3:], strict=True):
        block = f"{pool}/{depth}".replace("Pool@", "").replace("Eval@", "") if pool else block
        columns.append(f"{block} {metric}")
    for pool, depth, metric, *row in third:
        block = f"{pool}/{depth}" if pool else block
        cells |= matrix("Table 3", columns, [[f"{block} {metric}", *row]])
    order = ["shallow", "extended", "deep"]
    for *pair, tau in re.findall(r"between (\w+) and (\w+)\b[^\d.]+(\d\.\d{3})", text):
        cells["Figure 2", *sorted(pair, key=order.index)] = tau
    return cells


READERS = {reader.__name__: reader for reader in (webber2008, thom2007, tomlinson2006, webber2010)}


def part(text, place):
    """The section a place names, with its subsections; all but the references for other places.

    The scan of Tomlinson 2006 has no marked headings and mixes its columns: always all of it.
    """
    body = re.split(r"^#+ References", text, flags=re.M)[0]
    _, *pieces = re.split(r"^#+ \**(\d(?:\.\d)?)\.? ", body, flags=re.M)
    if not pieces or not place.startswith("Section "):
        return body
    sections = zip(pieces[::2], pieces[1::2], strict=True)
    return " ".join(s for n, s in sections if f"Section {n}.".startswith(f"{place}."))


def numbers_in(text):
    """Numbers of a text, digits as printed, spelt out ones too, without 'Table 1' and the like."""
    text = re.sub(r"(table|figure|section|equation)s? \d(\.\d)?\b", "", text.lower())
    text = re.sub(r"(\d),(\d{3})\b", r"\1\2", text)
    for word, digits in WORDS.items():
        text = re.sub(rf"\b{word}\b", digits, text)
    return {str(Decimal(n)) for n in re.findall(r"(?<![\d.])(?:(?<!\w)[-+])?\d*\.?\d+", text)}


@each_paper
def test_schema(paper):
    """What the package's schema cannot say; frictionless holds the rows to that: test_packages."""
    assert b"\r" not in (PUBLISHED / f"{paper}.csv").read_bytes()
    for row in rows_of(paper):
        assert all(value == value.strip() for value in row.values()), row
        assert (row["kind"] == "table") == (row["statement"] == ""), row
        assert (row["column"] in {"claim", "starred"}) == (row["printed"] == "yes"), row
        assert not row["cause"] or row["evidence"] in NO_VERDICT, row


@each_paper
def test_table_cells_are_those_of_the_paper(paper):
    read = READERS[paper](text_of(paper))
    kept = {
        (row["place"], row["row"], row["column"]): row["printed"]
        for row in rows_of(paper)
        if row["column"] not in {"value", "claim"}
    }
    assert kept == read


@each_paper
def test_places_and_numbers_of_figures_and_text_occur_in_the_paper(paper):
    text = text_of(paper)
    missing = []
    for row in rows_of(paper):
        place, printed = row["place"], row["printed"]
        named = place.startswith("Section ") or place.lower() in text.lower()
        if not (named and part(text, place)):
            missing.append(place)
        elif row["column"] == "value" and OWN not in row["statement"]:
            number = str(Decimal(printed.replace(",", "").rstrip("%")))
            if number not in numbers_in(part(text, place)):
                missing.append((place, row["row"], printed))
    assert missing == []
