"""Claims as a reader meets them: what fails in view, what holds folded beneath, none left out."""

import pandas as pd
import pytest
from bs4 import BeautifulSoup

from lib.display.tables import Folded, Note, table
from lib.ledger import committed
from lib.papers import paper
from lib.published import read

ONE = table(pd.DataFrame({"tau": [0.5]}, index=["<AP>"]), caption="")


def tree(shown):
    """Return what is shown as a tree."""
    return BeautifulSoup(shown._repr_html_(), "html.parser")


def test_what_is_folded_is_closed_and_stands_below_its_line():
    page = tree(Folded(Note("None fails."), [("1 < 2", ONE)]))
    (fold,) = page.select("details")
    assert "open" not in fold.attrs and fold.summary.text == "1 < 2"
    assert fold.select_one("tbody th").text == "<AP>"
    assert [p.text for p in page.select("p")] == ["None fails."]


def test_with_nothing_to_fold_there_is_no_line():
    assert tree(Folded(ONE)).details is None


def claims(shown):
    """Return the claims in view, and those beneath each folded line."""
    page = tree(shown)
    folds = {
        fold.summary.text: [row.th.text for row in fold.select("tbody tr")]
        for fold in page.select("details")
    }
    for fold in page.select("details"):
        fold.extract()
    return [row.th.text for row in page.select("tbody tr")], folds


@pytest.mark.parametrize("place", ["Section 4", "Section 5", "Table 1", "Table 2"])
def test_each_claim_is_shown_once_by_its_answer(place):
    tomlinson = paper("tomlinson2006")
    rows = read("tomlinson2006", place).query("column == 'claim'")
    verdict = committed("tomlinson2006").set_index(["place", "row"])["verdict"][place]
    found = pd.Series(verdict[rows["row"]].to_numpy(), rows["statement"])
    view, folds = claims(tomlinson.claimed(place, caption="Said"))
    fails = found[found.isin(["differs", "inconclusive"])]
    assert sorted(view) == sorted(fails.index)
    holds = [name for line, part in folds.items() if line.endswith("that hold") for name in part]
    assert holds == list(found[found == "reproduced"].index)
    rest = [name for line, part in folds.items() if line.endswith("be checked") for name in part]
    assert sorted([*view, *holds, *rest]) == sorted(found.index)
    assert all(line.startswith(f"{len(part)} ") for line, part in folds.items())


def test_claims_that_do_not_hold_come_first_and_are_counted():
    shown = paper("tomlinson2006").claimed("Table 1", caption="Said")
    assert shown.shown.caption == "Said: 4 of 39 do not hold, 0 are inconclusive."
    assert set(shown.shown.shown["holds"]) == {"no"}
    none = paper("tomlinson2006").claimed("Table 2", caption="Said")
    assert none.shown == Note("Said: none of 3 fails.")
