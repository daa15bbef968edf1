"""The page of a report in a browser: on a phone, on a screen, on paper, and its controls."""

import pytest
from chromium import DESKTOP, PHONE, assert_none, look, look_at_paper, opened, violations, watched

from lib.reporting.page import report

TABLES = """[...document.querySelectorAll("table")].filter(one => !one.closest(".explore"))"""
# Long: larger collections; the first notices most of it.
NAMES = ["dl19", *(pytest.param(name, marks=pytest.mark.long) for name in ("trec8", "trec-covid"))]


@pytest.fixture(scope="module", params=NAMES)
def made(request, tmp_path_factory):
    """The folder of a report, as an address."""
    folder = tmp_path_factory.mktemp("reports") / request.param
    report(request.param, folder)
    return folder.as_uri()


def test_a_report_on_paper_on_a_phone_and_on_a_screen(browser, made):
    faults = []
    with watched(browser, made, "index.html", faults, color_scheme="dark") as page:
        faults += look_at_paper(page)
        faults += look(page, PHONE, "dark")
        faults += look(page, DESKTOP, "light")
        faults += violations(page)
    assert_none(faults, f"the report of {made.rpartition('/')[2]}")


def test_its_tables_fold_and_its_controls_work_from_the_file(browser, made):
    hidden = f"() => {TABLES}.filter(table => !table.checkVisibility()).length"
    with opened(browser, f"{made}/index.html") as page:
        folded = page.locator("details:not(.explore details)").count()
        assert 10 < folded == page.evaluate(hidden)
        page.locator("summary:not(.explore summary)").first.click()
        assert page.evaluate(hidden) == folded - 1
        figure = page.locator("#explore-phi")
        before = figure.locator("svg").first.get_attribute("aria-label")
        figure.locator("select").first.select_option(index=1)
        shown = figure.locator("[data-at]:not([hidden]) svg").first
        assert shown.get_attribute("aria-label") != before
