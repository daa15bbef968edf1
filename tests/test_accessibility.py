"""The accessibility statement says what the tests test, no more and no less."""

import re

import test_browser
import test_controls
import test_ledger_tool
import test_marks
import test_paper
import test_wide
from built import ROOT
from chromium import DESKTOP, PHONE

STATEMENT = (ROOT / "book" / "accessibility.md").read_text(encoding="utf-8")
LINES = STATEMENT.splitlines()

# What a line of the statement rests on: words of it, and the test.
TESTED = {
    "No page scrolls sideways": test_browser.test_page_does_not_scroll_sideways,
    "finds no violation": test_browser.test_page_is_accessible,
    "A wide table keeps its first column": test_wide.test_first_column_and_head_stay_in_view,
    "its edge is shaded": test_wide.test_a_table_that_is_cut_shows_that_it_scrolls,
    "the last column of every table": (
        test_paper.test_paper_has_the_last_column_of_every_table_and_no_pale_text
    ),
    "Pages ask no other host": test_browser.test_page_loads_without_error_and_without_another_host,
    "Marks of a figure have a contrast": (
        test_marks.test_marks_and_words_of_figures_can_be_told_from_the_ground
    ),
    "Each dot, bar and cell": test_marks.test_every_dot_and_bar_has_a_name_and_values,
    "within five presses": test_controls.test_controls_are_near_their_heading,
    "No axis of an explorer moves": (
        test_controls.test_axes_stay_where_they_are_unless_they_say_another_unit
    ),
    "is set by keyboard": test_browser.test_controls_work_by_keyboard,
    "has an address": test_browser.test_an_address_opens_at_its_setting,
    "the setting it begins with": test_browser.test_without_javascript_the_default_is_shown,
    "The questions of a self-check": (
        test_browser.test_a_self_check_answers_by_keyboard_and_without_javascript
    ),
    "The ledger opens table by table": (
        test_ledger_tool.test_without_javascript_every_table_opens_by_itself
    ),
}


def test_each_line_of_the_statement_has_its_test():
    for words, test in TESTED.items():
        assert any(words in line for line in LINES), words
        assert callable(test)


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
