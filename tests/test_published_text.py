"""The published numbers in data/published: their form, and that the papers print them.

The schema tests always run. The others read the papers' own texts, which are not part of this
project: set MEASURES_ORIGINALS to the folder that holds ``papers/``, or they are skipped.
"""

import csv
import os
import re
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

PUBLISHED = Path(__file__).parents[1] / "data" / "published"
HEADER = ["paper", "kind", "place", "row", "column", "printed", "statement", "evidence", "cause"]
TEXTS = {
    "webber2008": "webber2008-precision-at-ten.md",
    "thom2007": "thom2007-comparison-of-measures.md",
    "tomlinson2006": "tomlinson2006-early-precision.txt",
    "webber2010": "webber2010-pooling-depth.md",
}
# What a verdict can rest on, after the two reasons why there can be none.
EVIDENCE = [
    "data not public",
    "not testable",
    "recomputed from runs",
    "other data",
    "arithmetic on printed numbers",
    "constant or definition",
]
NUMBER = r"[-+]?(\d{1,3}(,\d{3})+|\d+|(?=\.))(\.\d+)?%?"

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
    """The paper's text, or skip when the papers are not at hand."""
    folder = os.environ.get("MEASURES_ORIGINALS")
    if not folder or not Path(folder, "papers").is_dir():
        pytest.skip("the papers are not at hand: set MEASURES_ORIGINALS")
    text = Path(folder, "papers", TEXTS[paper]).read_text(encoding="utf-8")
    return text.replace("1.081-r", "1.08^(1-r)")  # in a scan an exponent runs into its base


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
    rows = rows_of(paper)
    raw = (PUBLISHED / f"{paper}.csv").read_bytes()
    assert raw.startswith((",".join(HEADER) + "\n").encode()) and b"\r" not in raw
    keys = Counter((row["place"], row["row"], row["column"]) for row in rows)
    assert [key for key, times in keys.items() if times > 1] == []
    for row in rows:
        assert None not in row and None not in row.values(), f"wrong number of fields: {row}"
        assert row["paper"] == paper, row
        assert row["kind"] in {"table", "figure", "text"}, row
        assert row["place"] and row["row"] and row["column"], row
        assert all(value == value.strip() for value in row.values()), row
        assert (row["kind"] == "table") == (row["statement"] == ""), row
        is_claim = row["column"] in {"claim", "starred"}
        assert re.fullmatch("yes" if is_claim else NUMBER, row["printed"]), row
        assert row["evidence"] in EVIDENCE, row
        assert not row["cause"] or row["evidence"] in EVIDENCE[:2], row


@each_paper
def test_places_and_numbers_occur_in_the_paper(paper):
    text = text_of(paper)
    everywhere = numbers_in(text)
    missing = []
    for row in rows_of(paper):
        place, printed = row["place"], row["printed"]
        named = place.startswith("Section ") or place.lower() in text.lower()
        if not (named and part(text, place)):
            missing.append(place)
        elif printed != "yes" and OWN not in row["statement"]:
            number = str(Decimal(printed.replace(",", "").rstrip("%")))
            of_text = row["column"] == "value"
            if number not in (numbers_in(part(text, place)) if of_text else everywhere):
                missing.append((place, row["row"], row["column"], printed))
    assert missing == []
