"""Tables: every number as promised, headers that a screen reader finds, verdicts in words."""

import pandas as pd
import pytest
from bs4 import BeautifulSoup

from chapters.ledger.published import VERDICTS, comparison
from lib.display.prose import glue_all, here
from lib.display.tables import Folded, table


def tree(shown):
    """Return a table's HTML as a tree."""
    return BeautifulSoup(shown._repr_html_(), "html.parser")


def rows(shown):
    """Return the texts of a table's body, row by row."""
    return [[cell.text for cell in row.select("th, td")] for row in tree(shown).select("tbody tr")]


def one(value, **options):
    """Return how a table shows one value."""
    return rows(table(pd.DataFrame({"a": [value]}, index=["x"]), caption="", **options))[0][1]


# (value, its format, how it is shown)
SHOWN = [
    (0.5, None, "0.500"),
    (0.12345, ".2f", "0.12"),
    (-0.017, ".3f", "\u22120.017"),  # a minus sign as wide as a plus, not a hyphen
    (0.017, "+.3f", "+0.017"),
    (-0.0001, ".3f", "0.000"),  # what rounds to zero has no sign
    (0.0001, "+.3f", "0.000"),
    (1e-5, ".0e", "1e\u221205"),
    (0.75, ".0%", "75%"),
    (1234567, None, "1,234,567"),
    (float("nan"), ".3f", "\u2013"),
    (None, None, "\u2013"),
    (float("inf"), ".3f", "\u221e"),
    (float("-inf"), ".3f", "\u2212\u221e"),
    (True, None, "yes"),
    ("a-b", None, "a-b"),  # a hyphen in a name stays one
    (0.25, lambda value: f"1/{1 / value:g}", "1/4"),
]


@pytest.mark.parametrize(("value", "how", "shown"), SHOWN)
def test_value(value, how, shown):
    assert one(value, formats={"a": how} if how else None) == shown


def test_all_text_is_escaped():
    frame = pd.DataFrame({"<i>": ["<u>"]}, index=pd.Index(["<s>"], name="<q>"))
    text = table(frame, caption="<b>").to_html()
    assert 'aria-label="&lt;b&gt;"' in text
    assert 'aria-label="Table"' in table(frame, caption="").to_html()
    assert not any(tag in text for tag in ("<i>", "<u>", "<s>", "<q>", "<b>"))


def test_a_frame_without_labels_is_labelled_by_its_first_column():
    frame = pd.DataFrame({"year": [2008, 2010], "tau": [0.5, 0.25]})
    shown = table(frame, caption="", highlight=[[False, True], [False, False]])
    assert rows(shown) == [["2008", "0.500"], ["2010", "0.250"]]
    assert [h.text for h in tree(shown).select("[scope=row]")] == ["2008", "2010"]
    assert [m.text for m in tree(shown).select("mark")] == ["0.500"]


def test_columns_of_one_name_keep_their_own_values():
    frame = pd.DataFrame([[1, 2]], index=["x"], columns=["a", "a"])
    assert rows(table(frame, caption="")) == [["x", "1", "2"]]


def test_refused():
    frame = pd.DataFrame({"tau": [0.5]})
    with pytest.raises(ValueError, match=r"columns that the table has not: \['rho'\]"):
        table(frame, caption="", formats={"rho": ".2f"})
    with pytest.raises(ValueError, match=r"shape \(1, 2\), the table \(1, 1\)"):
        table(frame, caption="", highlight=[[True, False]])


# Comparisons.

COMPARED = pd.DataFrame(
    {
        "row": list("abcdef"),
        "published": ["0.83", "0.700", "0.9", "12", "129", "yes"],
        "reproduced": [0.834, 0.7121, 0.85, None, 129, True],
        "difference": [0.004, 0.0121, -0.05, None, 0, None],
        "tolerance": [0.005, 0.1, 0.05, None, 0.5, None],
        "verdict": [*VERDICTS[:2], "differs", "data not public", VERDICTS[0], VERDICTS[0]],
    }
)


def test_numbers_stand_beside_the_printed_ones_with_two_more_digits():
    shown = comparison(COMPARED, caption="Table 1")
    heads = [h.text for h in tree(shown).select("thead th")]
    assert heads == ["row", "published", "reproduced", "difference", "verdict"]
    assert tree(shown).caption.text.splitlines() == [
        "Table 1",
        "6 published: 3 reproduced, 1 within Monte-Carlo error, 1 differs, 1 data not public.",
    ]
    assert [row[:4] for row in rows(shown)] == [
        ["a", "0.83", "0.8340", "+0.0040"],
        ["b", "0.700", "0.71210", "+0.01210"],
        ["c", "0.9", "0.850", "\u22120.050"],
        ["d", "12", "\u2013", "\u2013"],
        ["e", "129", "129", "0"],  # a count has no decimals
        ["f", "yes", "yes", "\u2013"],  # a claim
    ]


@pytest.mark.parametrize("verdict", VERDICTS)
def test_a_verdict_is_a_word_a_symbol_and_a_colour(verdict):
    page = tree(comparison(COMPARED.head(1).assign(verdict=verdict), caption="Table 1"))
    cell = page.select_one("tbody td:last-child")
    symbol = cell.select_one("[aria-hidden=true]").text
    assert cell.text == f"{symbol} {verdict}" and symbol
    assert {"good", "bad", "none"} & set(cell["class"])


def test_comparison_refused():
    with pytest.raises(ValueError, match="no column difference, verdict"):
        comparison(COMPARED.drop(columns=["difference", "verdict"]), caption="")
    with pytest.raises(ValueError, match="verdicts not known: .'perhaps'"):
        comparison(COMPARED.assign(verdict="perhaps"), caption="")


# What the text of a chapter names.


@pytest.mark.parametrize("static", ["1", ""])
def test_a_number_is_given_to_the_text_of_a_page_alone(static, monkeypatch):
    given = []
    monkeypatch.setattr("IPython.display.display", lambda data, **how: given.append((data, how)))
    monkeypatch.setenv("MEASURES_STATIC", static)
    glue_all({"tau": ".52", "runs": 40})
    prefix = "application/papermill.record/"
    names = [{"scrapbook": {"name": name, "mime_prefix": prefix}} for name in ("tau", "runs")]
    expected = zip(names, ("'.52'", "40"))
    expected = [({f"{prefix}text/plain": x}, {"raw": True, "metadata": m}) for m, x in expected]
    assert given == (expected if static else [])
    assert "**40** (in the book: 41)" in here("⟦runs|41⟧ runs").data  # in a notebook, too
    assert here("Tau is ⟦tau|.52⟧, and ⟦other|7⟧.") is None


# What is folded: claims that hold beneath those that fail, none left out.

ONE = table(pd.DataFrame({"tau": [0.5]}, index=["<AP>"]), caption="")


def test_what_is_folded_is_closed_and_stands_below_its_line():
    page = tree(Folded("None fails.", [("1 < 2", ONE)]))
    (fold,) = page.select("details")
    assert "open" not in fold.attrs and fold.summary.text == "1 < 2"
    assert fold.select_one("tbody th").text == "<AP>"
    assert [p.text for p in page.select("p")] == ["None fails."]
