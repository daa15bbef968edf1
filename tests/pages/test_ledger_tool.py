"""The page of the ledger as a tool: filtered, addressed, kept as a file, and read on a phone."""

import re

import pandas as pd
import pytest
from built import HTML, needs_book, soup
from chromium import DESKTOP, PHONE, file_and_server, opened
from playwright.sync_api import expect

from chapters.ledger.page import address, kinds
from chapters.ledger.papers import papers
from chapters.ledger.rows import committed

pytestmark = needs_book

PAGE = HTML / "book" / "ledger.html"
ALL = committed().assign(kind=lambda table: kinds(table).str.partition(" (")[0])
ROWS = pd.concat(rows for _, rows in ALL.groupby(["paper", "place"], sort=False))  # as on the page
SHOWN = "table.ledger tbody tr:not([hidden])"


def ids(page):
    """Return the addresses of the rows that the filter leaves."""
    return page.locator(SHOWN).evaluate_all("rows => rows.map(row => row.id)")


def addresses(rows):
    """Return the addresses of rows of the ledger."""
    return [address(row) for row in rows.itertuples()]


def test_every_row_of_the_ledger_has_an_address_and_all_are_a_file():
    found = [row["id"] for row in soup(PAGE).select("tr[id]")]
    assert found == addresses(ROWS) and len(set(found)) == len(found)
    (link,) = [a for a in soup(PAGE).select("article a.download") if "ledger.csv" in a.get_text()]
    text = (PAGE.parent / link["href"]).resolve().read_text(encoding="utf-8")
    assert text == committed().to_csv(index=False, lineterminator="\n")


@file_and_server
def test_rows_are_filtered_by_paper_verdict_evidence_and_words(browser, start):
    with opened(browser, f"{start}/book/ledger.html", viewport=DESKTOP) as page:
        form = page.locator("#ledger-filter")
        for verdict in ROWS["kind"].unique():
            form.get_by_label("Verdict").select_option(verdict)
            wanted = ROWS[ROWS["kind"] == verdict]
            assert ids(page) == addresses(wanted)
            expect(form.get_by_role("status")).to_have_text(f"{len(wanted)} of 904 rows.")
            counts = page.locator("summary .count:visible").all_inner_texts()
            assert sum(int(text.partition(" ")[0]) for text in counts) == len(wanted)
        form.get_by_label("Verdict").select_option("inconclusive")
        form.get_by_label("Paper").select_option(papers()["webber2010"].title)
        form.get_by_label("Rests on").select_option("recomputed from runs")
        form.get_by_label("Words").fill("depth nDCG")
        asked = {"kind": "inconclusive", "paper": "webber2010", "evidence": "recomputed from runs"}
        texts = {
            row["id"]: row["id"] + row.get_text(" ").lower() for row in soup(PAGE).select("tr[id]")
        }
        shown = addresses(ROWS[(ROWS[[*asked]] == [*asked.values()]).all(axis=1)])
        wanted = [one for one in shown if "depth" in texts[one] and "ndcg" in texts[one]]
        assert ids(page) == wanted and 0 < len(wanted) < len(shown)
        assert page.locator(f"{SHOWN}:visible").count() == len(wanted)
        page.reload()  # the address keeps by what
        assert ids(page) == wanted
        form.get_by_role("button", name="Show all").click()
        expect(page.locator(SHOWN)).to_have_count(len(ROWS))


# Long: on a screen; the same on a phone notices most of it.
@pytest.mark.parametrize(
    "size", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.long)], ids=["phone", "desktop"]
)
def test_an_address_opens_its_row_in_sight(browser, size):
    for name in addresses(ROWS)[::300]:
        with opened(browser, f"{PAGE.as_uri()}#{name}", viewport=size) as page:
            row = page.locator(f"#{name} th")
            expect(row).to_be_in_viewport()
            x, y, *_ = row.bounding_box().values()
            at = "([x, y]) => document.elementFromPoint(x, y).closest('tr')?.id"
            assert page.evaluate(at, [x + 9, y + 4]) == name  # below the head of its table


def test_a_row_opens_as_a_card_to_copy_and_to_cite(browser):
    with opened(browser, PAGE.as_uri(), viewport=DESKTOP) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        details = page.locator("details:has(table.ledger)").first
        details.locator("svg.strip").click(position={"x": 3, "y": 3})  # the square of its first row
        card = page.locator("dialog.statement")
        expect(card.locator("h2")).to_have_text("P@10, P@10")
        page.keyboard.press("ArrowRight")
        expect(card.locator("h2")).to_have_text("P@10, RR")
        for button, ending in (("Copy link", ""), ("Copy citation", "P@10, RR. ")):
            card.get_by_role("button", name=button).click()
            copied = page.evaluate("navigator.clipboard.readText()")
            assert re.search(rf"{ending}file:.*ledger.html#{addresses(ROWS)[1]}$", copied)
        card.get_by_role("button", name="Close").click()
        expect(page.locator(f"#{addresses(ROWS)[1]}")).to_be_in_viewport()


def test_without_javascript_every_table_opens_by_itself(browser):
    with opened(browser, PAGE.as_uri(), java_script_enabled=False) as page:
        expect(page.locator("#ledger-filter")).to_be_hidden()
        tables = page.locator("details:has(table.ledger)")
        assert tables.count() > 20
        tables.last.locator("summary").click()
        expect(tables.last.locator("tbody tr").first).to_be_visible()
        assert re.match("Open a table below", page.locator("noscript").last.inner_text())
