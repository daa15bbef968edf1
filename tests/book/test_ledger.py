"""The ledger: complete, committed as computed, and what the README says."""

import re

import numpy as np
import pytest
from built import HTML, needs_book, parsed

from chapters.ledger import page as ledger_page
from chapters.ledger import rows as books
from chapters.ledger.published import (
    FROM_RUNS,
    OTHER_DATA,
    PRINT,
    Answer,
    beside_printed,
    cells,
    judge,
)
from lib.decisions import MEANINGS
from lib.paths import ROOT

COMMITTED = books.committed()
WRITTEN = {".py", ".md", ".ipynb", ".yml"}
BROKEN = re.compile(r'"\n\s*"')  # a text that goes on in the next line of code


@pytest.mark.frozen("claims")
def test_page_and_readme_say_what_the_ledger_says():
    page = (ROOT / "book" / "ledger.md").read_text(encoding="utf-8")
    assert page == ledger_page.page(COMMITTED)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert ledger_page.with_summary(text, COMMITTED) == text


def test_what_a_verdict_means_is_written_once():
    """Pages take it from lib/decisions.py, by a role; two are generated with it."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert ledger_page.with_words(readme) == readme, "run python -m lib ledger --write"
    folders = (ROOT / top for top in ("lib", "chapters", "book"))
    files = [path for top in folders for path in top.rglob("*.*") if path.suffix in WRITTEN]
    texts = {
        path.relative_to(ROOT).as_posix(): BROKEN.sub("", path.read_text(encoding="utf-8"))
        for path in [ROOT / "README.md", *files]
    }
    for word, sentence in MEANINGS.items():
        plain = sentence.replace("*", "")
        said = {name for name, text in texts.items() if plain in text.replace("*", "")}
        assert said - {"README.md", "book/ledger.md"} == {"lib/decisions.py"}, word


@needs_book
@pytest.mark.parametrize(
    "page", ["book/intro", "book/which-measure", "book/glossary", "chapters/00-foundations"]
)
def test_pages_say_what_each_verdict_means(page):
    text = " ".join(parsed(HTML / f"{page}.html").select_one("article").get_text("").split())
    assert [word for word, said in MEANINGS.items() if said.replace("*", "") not in text] == []


def test_a_row_says_what_its_verdict_needs():
    """Of a difference the cause or the comparison; of what is inconclusive the interval."""
    assert not COMMITTED.duplicated(books.KEY).any()
    unsaid = COMMITTED.query("verdict == 'differs' and cause == '' and estimate == ''")
    assert unsaid.empty, unsaid
    open_ = COMMITTED.query("verdict == 'inconclusive'")[["low", "estimate", "high"]].astype(float)
    assert len(open_) and (np.diff(open_, axis=1) >= 0).all()
    known = ~COMMITTED["verdict"].isin(["data not public", "not testable"])
    assert ((COMMITTED["evidence"] != "") == known).all()


def test_only_what_was_computed_from_data_counts_as_reproduced():
    counted = books.counted_as(COMMITTED)
    evidence = COMMITTED["evidence"]
    assert set(evidence[counted == "reproduced"]) == {FROM_RUNS, OTHER_DATA}
    assert set(counted[evidence == PRINT]) == {"print agrees", "print differs"}
    table = books.totals(COMMITTED)
    assert table.loc["all", "all"] == len(COMMITTED)
    assert table.iloc[-1].equals(table.iloc[:-1].sum().rename("all"))
    assert table["all"].equals(table.iloc[:, :-1].sum(axis=1).rename("all"))
    for counts in (table, books.verdict_counts("webber2008")):  # their axes have no names
        assert [axis.name for axis in counts.axes] == [None, None]


def test_every_anchor_is_a_heading_of_the_papers_chapter():
    texts = "".join(
        p.read_text(encoding="utf-8") for p in sorted((ROOT / "chapters").glob("*.ipynb"))
    )
    missing = [x for x in set(COMMITTED["anchor"]) - {""} if f"({x})=" not in texts]
    assert missing == []


def test_what_is_markup_in_a_table_is_escaped():
    text = ledger_page._cell("a|b *c* <d> `e` $f$ @g [h] -1")
    assert text == r"a\|b \*c\* \<d\> \`e\` \$f\$ \@g \[h\] " + "\u22121"


@pytest.mark.parametrize(
    ("printed", "value", "error", "verdict"),
    [
        ("0.50", 0.5049, 0.0, "reproduced"),
        ("0.50", 0.5051, 0.0, "differs"),
        ("0.50", 0.5092, 0.001, "within Monte-Carlo error"),  # .005 and 3 * sqrt(2) errors more
        ("0.50", 0.5093, 0.001, "differs"),
        ("0.50", 0.495, 0.0, "reproduced"),  # exactly half a digit: rounds to it
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
    assert beside_printed("thom2007", "Table 1", ours)["verdict"].tolist() == ["reproduced"]
    found = beside_printed("thom2007", "Table 1", ours, missing=True)["verdict"].value_counts()
    assert found.to_dict() == {"reproduced": 1, "not yet": 2, "data not public": 4}
    with pytest.raises(ValueError, match="twice"):
        beside_printed("thom2007", "Table 1", cells([("P@1", "AP", 0.386)] * 2))
