"""The page of the ledger as a tool: filtered, addressed, kept as a file, and read on a phone."""

import re

import pandas as pd
import pytest
from bs4 import BeautifulSoup
from built import HTML, needs_book
from chromium import DESKTOP, PHONE, file_and_server, opened
from playwright.sync_api import expect

from chapters.ledger.page import address
from chapters.ledger.papers import papers
from chapters.ledger.rows import ROW_KINDS, committed, counted_as

pytestmark = needs_book

PAGE = HTML / "book" / "ledger.html"
ALL = committed().assign(kind=lambda table: counted_as(table))
ROWS = pd.concat(rows for _, rows in ALL.groupby(["paper", "place"], sort=False))  # as on the page
SHOWN = "table.ledger tbody tr:not([hidden])"


def ids(page):
    """Return the addresses of the rows that the filter leaves."""
    return page.locator(SHOWN).evaluate_all("rows => rows.map(row => row.id)")


def addresses(rows):
    """Return the addresses of rows of the ledger."""
    return [address(row) for row in rows.itertuples()]


def soup():
    """Return the page, parsed."""
    return BeautifulSoup(PAGE.read_text(encoding="utf-8"), "html.parser")


def test_every_row_of_the_ledger_has_an_address_and_all_are_a_file():
    found = [row["id"] for row in soup().select("tr[id]")]
    assert found == addresses(ROWS) and len(set(found)) == len(found)
    (link,) = [a for a in soup().select("article a.download") if "ledger.csv" in a.get_text()]
    text = (PAGE.parent / link["href"]).resolve().read_text(encoding="utf-8")
    assert text == committed().to_csv(index=False, lineterminator="\n")


@file_and_server
def test_rows_are_filtered_by_paper_verdict_evidence_and_words(browser, start):
    title = {name: paper.title for name, paper in papers().items()}
    with opened(browser, f"{start}/book/ledger.html", viewport=DESKTOP) as page:
        form = page.locator("#ledger-filter")
        for verdict in (kind for kind in ROW_KINDS if (ROWS["kind"] == kind).any()):
            form.get_by_label("Verdict").select_option(verdict)
            wanted = ROWS[ROWS["kind"] == verdict]
            assert ids(page) == addresses(wanted)
            expect(form.get_by_role("status")).to_have_text(f"{len(wanted)} rows.")
        form.get_by_label("Verdict").select_option("inconclusive")
        form.get_by_label("Paper").select_option(title["webber2010"])
        form.get_by_label("Rests on").select_option("recomputed from runs")
        form.get_by_label("Words").fill("depth nDCG")
        shown = ROWS[
            (ROWS["kind"] == "inconclusive")
            & (ROWS["paper"] == "webber2010")
            & (ROWS["evidence"] == "recomputed from runs")
        ]
        texts = {row["id"]: row.get_text(" ").lower() for row in soup().select("tr[id]")}
        wanted = [
            name
            for name in addresses(shown)
            if "depth" in name + texts[name] and "ndcg" in name + texts[name]
        ]
        assert ids(page) == wanted and 0 < len(wanted) < len(shown)
        assert page.locator(f"{SHOWN}:visible").count() == len(wanted)
        form.get_by_role("button", name="Show all").click()
        expect(page.locator(SHOWN)).to_have_count(len(ROWS))


# Long: on a screen; the same on a phone notices most of it.
@pytest.mark.parametrize(
    "size", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.long)], ids=["phone", "desktop"]
)
def test_an_address_opens_its_row(browser, size):
    for name in addresses(ROWS)[::500]:
        with opened(browser, f"{PAGE.as_uri()}#{name}", viewport=size) as page:
            expect(page.locator(f"#{name}")).to_be_in_viewport()
            expect(page.locator(f"#{name} th")).to_be_visible()


def test_without_javascript_every_table_opens_by_itself(browser):
    with opened(browser, PAGE.as_uri(), java_script_enabled=False) as page:
        expect(page.locator("#ledger-filter")).to_be_hidden()
        tables = page.locator("details:has(table.ledger)")
        assert tables.count() > 20
        tables.last.locator("summary").click()
        expect(tables.last.locator("tbody tr").first).to_be_visible()
        assert re.match("Open a table below", page.locator("noscript").last.inner_text())
