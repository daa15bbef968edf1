"""The ledger: complete, committed as computed, and what the README says."""

import pandas as pd
import pytest

from lib import ledger as books
from lib import ledger_page
from lib.papers import ledger, papers
from lib.paths import ROOT
from lib.published import OTHER_DATA, PRINT, RUNS, VERDICTS, Answer, cells, compare, judge, read


@pytest.fixture(scope="module")
def now():
    return ledger()


def test_every_published_row_has_its_line(now):
    assert len(now) == len(read())
    assert not now.duplicated(["paper", "place", "row", "column"]).any()
    assert set(now["verdict"]) <= set(VERDICTS)


def test_the_committed_ledger_is_the_computed_one(now):
    pd.testing.assert_frame_equal(now.astype(str), books.committed())


def test_page_readme_and_landing_page_say_what_the_ledger_says(now):
    assert (ROOT / "book" / "ledger.md").read_text(encoding="utf-8") == ledger_page.page(now)
    for name in ("README.md", "book/intro.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert ledger_page.with_summary(text, now) == text, name


def test_a_difference_names_its_cause(now):
    """Or shows the comparison that does not come out as the paper says."""
    differing = now[now["verdict"] == "differs"]
    unsaid = (differing["cause"] == "") & (differing["estimate"] == "")
    assert not unsaid.any(), differing[unsaid]


def test_what_cannot_be_told_shows_its_interval(now):
    rows = now[now["verdict"] == "inconclusive"].astype(
        {"estimate": float, "low": float, "high": float}
    )
    assert len(rows) and (rows["low"] <= rows["estimate"]).all()
    assert (rows["estimate"] <= rows["high"]).all()


def test_every_row_that_was_computed_says_what_it_rests_on(now):
    known = ~now["verdict"].isin(["data not public", "not testable", "not yet"])
    assert (now.loc[known, "evidence"] != "").all()
    assert (now.loc[~known, "evidence"] == "").all()


def test_only_what_was_computed_from_data_counts_as_reproduced(now):
    counted = books.counted_as(now)
    of_data = now["evidence"].isin([RUNS, OTHER_DATA])
    reproduced = counted == "reproduced"
    assert of_data[reproduced].all()
    assert (counted[now["evidence"] == PRINT].isin(["print agrees", "print differs"])).all()
    assert books.totals(now).loc["all", "all"] == len(now)


def test_every_verdict_that_changed_is_listed_with_its_reason(now):
    """The verdicts of commit 58c0608 against today's: the files beside it say why each changed."""
    folder = ROOT / "tests" / "ledger"
    old = pd.read_csv(folder / "58c0608.csv", keep_default_na=False, dtype=str)
    key = ["paper", "place", "row", "column"]
    both = old.merge(now[[*key, "verdict"]], on=key, how="outer", suffixes=("_old", "_new"))
    both = both.fillna("")
    both = both[both["verdict_old"] != both["verdict_new"]]
    found = set(both[[*key, "verdict_old", "verdict_new"]].itertuples(index=False, name=None))
    listed = pd.concat(
        [
            pd.read_csv(folder / f"{name}.csv", keep_default_na=False, dtype=str).assign(paper=name)
            for name in papers()
        ]
    )
    assert (listed["why"].str.len() > 10).all(), listed[listed["why"].str.len() <= 10]
    told = set(listed[[*key, "before", "after"]].itertuples(index=False, name=None))
    assert found == told


def test_every_anchor_is_a_heading_of_the_papers_chapter(now):
    texts = "".join(
        p.read_text(encoding="utf-8") for p in sorted((ROOT / "chapters").glob("*.ipynb"))
    )
    for anchor in set(now["anchor"]) - {""}:
        assert f"({anchor})=" in texts, anchor


def test_what_is_markup_in_a_table_is_escaped():
    text = ledger_page._cell("a|b *c* <d> `e` $f$ @g [h] -1")
    assert text == r"a\|b \*c\* \<d\> \`e\` \$f\$ \@g \[h\] " + "\u22121"


@pytest.mark.parametrize(
    ("printed", "value", "error", "verdict"),
    [
        ("0.50", 0.5049, 0.0, "reproduced"),
        ("0.50", 0.5051, 0.0, "differs"),
        ("0.50", 0.5051, 0.0001, "within Monte-Carlo error"),
        ("0.50", 0.495, 0.0, "reproduced"),  # exactly half a digit: rounds to it
        ("129", 129, 0.0, "reproduced"),
        ("129", 130, 0.0, "differs"),
        ("-0.017", -0.0168, 0.0, "reproduced"),
        ("yes", True, 0.0, "reproduced"),
        ("yes", False, 0.0, "differs"),
        ("0.50", None, 0.0, "not yet"),
    ],
)
def test_verdicts_follow_the_printed_precision(printed, value, error, verdict):
    assert judge(printed, Answer(value, error))[2] == verdict


def test_cells_that_we_lack_are_not_yet():
    ours = cells([("P@1", "AP", 0.386)])
    assert compare("thom2007", "Table 1", ours)["verdict"].tolist() == ["reproduced"]
    result = compare("thom2007", "Table 1", ours, missing=True)["verdict"]
    assert result.value_counts().to_dict() == {"reproduced": 1, "not yet": 2, "data not public": 4}
