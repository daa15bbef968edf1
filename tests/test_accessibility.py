"""The accessibility statement names the widths, windows and findings that the tests test."""

import re

import test_browser
from built import ROOT
from chromium import DESKTOP, PHONE

STATEMENT = (ROOT / "book" / "accessibility.md").read_text(encoding="utf-8")
LINES = STATEMENT.splitlines()


def test_the_statement_names_the_widths_and_the_windows_of_the_tests():
    (line,) = [line for line in LINES if line.startswith("- No page scrolls sideways")]
    said = re.search(r"windows of ([\d, and]+) px", line).group(1)
    widths = tuple(int(width.replace(",", "")) for width in re.split(", | and ", said))
    assert widths == test_browser.WIDTHS
    (light, dark) = test_browser.test_page_is_accessible.pytestmark[-1].args[1]
    assert (light, dark) == (("light", DESKTOP), ("dark", PHONE))
    assert "in a light theme on a large window and in a dark theme on a small one" in STATEMENT


def test_the_statement_names_what_counts():
    assert "finds no violation of any impact" in STATEMENT
    assert test_browser.IMPACTS == ("minor", "moderate", "serious", "critical")
