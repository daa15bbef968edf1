"""The registry: refused where it is wrong, decided as its rows say, and read alike everywhere."""

import re

import numpy as np
import pandas as pd
import pytest

from chapters.data_tables import read
from chapters.elsewhere.claims import question
from chapters.elsewhere.sources import sources
from chapters.ledger import deciding, papers, registry
from chapters.ledger.paper import paths
from chapters.ledger.registry import FOLDER, claim_texts, known_words, mark_of, registered
from chapters.ledger.rows import committed as ledger
from lib.collection import load_once
from lib.decisions import decide
from lib.errors import InputError
from lib.intervals import Interval
from lib.paths import ROOT

ROWS = {(row.id, row.title): row for row in registered()}
TEXT = (FOLDER / "claims.csv").read_text(encoding="utf-8")
HEAD, FIRST = TEXT.splitlines()[:2]


def test_a_committed_word_is_what_its_numbers_say():
    """Of every row: the side is that of the interval, and a finding has an adjusted p value."""
    table = known_words()
    table = table[table["says"] != ""]
    assert set(table.index) == set(ROWS)
    for key, row in table.iterrows():
        adjusted = None if np.isnan(row["adjusted"]) else row["adjusted"]
        said = decide(Interval.read(row), ROWS[key].bound, adjusted)
        # Of several differences the one is shown that decides.
        assert (row["word"], row["side"]) == (said.word, said.side), key


def test_a_word_of_the_ledger_is_that_of_its_verdict():
    rows = ledger().query("word != ''")
    assert len(rows) > 100
    open_ = rows["verdict"] == "inconclusive"
    assert (open_ == (rows["word"] == "inconclusive")).all()
    sure = rows["adjusted"].astype(float) < 0.05
    assert (sure[~open_] == (rows["word"][~open_] == "finding")).all()
    low, high = rows["low"].astype(float), rows["high"].astype(float)
    against = rows["verdict"] == "differs"
    assert (high[against] <= 0).all() and (low[open_] <= high[open_]).all()


COSTLY = ["TREC-COVID", "DL 2019", "DL 2021", "three years of Deep Learning"]


# Long: with what chapters compute that run as tests; what is quick notices most of the same.
@pytest.mark.frozen("claims")
@pytest.mark.parametrize("left", [COSTLY, pytest.param([], marks=pytest.mark.long)])
def test_what_is_committed_is_what_is_decided(left):
    rows = [row for row in deciding.checked_rows() if row.title not in left]
    again = deciding.decided(rows).to_csv(index=False, lineterminator="\n").splitlines()
    then = (FOLDER / "verdicts.csv").read_text(encoding="utf-8").splitlines()
    assert again == [line for line in then if line.split(",")[1] not in left]


@pytest.mark.frozen("claims")
def test_claims_are_answered_otherwise_without_the_group_that_the_table_names():
    group = "xj4wang"
    whole = load_once("trec-covid")
    rest = whole.select(systems=whole.systems.index[whole.systems["group"] != group])
    asked = [row for row in registered() if row.quantity.startswith(("lead_", "taus_"))]
    moved = {
        row.id
        for row in asked
        if row.population == "trec-covid"
        and deciding.side_of(row, whole) != deciding.side_of(row, rest)
    }
    assert moved == {*read("claims", "otherwise").query("without == @group")["id"]}
    assert {*known_words().query("systems == 'yes'").xs("TREC-COVID", level=1).index} >= moved


WRONG = {  # of each kind that rows of papers have too, test_claim_rows.py has more
    "no quantity": ("lead_as_predictor(RBP(p=0.95), P@10)", "glory(RBP(p=0.95), P@10)"),
    "no population": (",trec-covid,", ",trec-9,"),
    "no source": (",webber2008,", ",webber2009,"),
    "no margin": (",0.02,", ",-0.02,"),
}


@pytest.mark.parametrize("fault", [*WRONG, "twice"])
def test_a_wrong_row_is_refused_by_name_before_anything_is_computed(
    fault, tmp_path, monkeypatch, printed
):
    old, new = WRONG.get(fault, ("", ""))
    assert old in FIRST
    lines = [HEAD, FIRST.replace(old, new)] + [FIRST] * (fault == "twice")
    path = tmp_path / "claims.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setattr(deciding, "registered", lambda: registered(path))
    monkeypatch.setattr(papers, "ledger", lambda: pytest.fail("something was computed"))
    said = printed("ledger", 2).err
    assert fault in said and FIRST.split(",")[0] in said and said.count("\n") == 1


def test_a_name_that_no_row_has_is_an_error_and_no_empty_word():
    with pytest.raises(InputError, match="no-such-claim"):
        claim_texts("no-such-claim")


def test_the_rows_that_contributors_are_shown_are_rows(tmp_path, monkeypatch):
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    path = tmp_path / "claims.csv"
    path.write_text(text.partition("```csv\n")[2].partition("```")[0], encoding="utf-8")
    monkeypatch.setattr(deciding, "registered", lambda: registered(path))
    row, of_study = deciding.checked_rows()
    assert (row.title, row.call()) == ("TREC-5", ("lead_as_predictor", ["AP", "P@10"]))
    asked = question(of_study, {})
    assert (asked.section, asked.title, len(paths(asked.choices))) == ("p10", "Rprec", 24)
    (dl19,) = (source for source in sources() if source.name == "dl19")
    assert -0.2 < asked.of(dl19, number=20, for_error=0).value < 0.2


@pytest.mark.parametrize(
    ("wrong", "says"), [("p11-Rprec,", "no section 'p11'"), ("lead_under,", "no quantity")]
)
def test_a_row_that_chapter_5_cannot_ask_is_refused_by_name(wrong, says, tmp_path):
    (given,) = (line for line in TEXT.splitlines() if line.startswith("p10-nDCG,"))
    line = given.replace("p10-nDCG," if wrong.startswith("p11") else "lead_over,", wrong)
    path = tmp_path / "claims.csv"
    known = next(line for line in TEXT.splitlines() if line.startswith("ndcg-for-p10,"))
    path.write_text("\n".join([HEAD, known, line]), encoding="utf-8")
    row = registered(path)[-1]
    with pytest.raises(InputError, match=f"claims.csv, line 3, p1.*{says}"):
        question(row, {})


MARK = re.compile(r"\{mark\}`([^`\n]+)`")
MARKS = {
    "one, P": "■ finding",
    "contradicts: two, P": "◧ hint",
    "inconclusive: three, P, Q": "□ inconclusive",
    "one, P; four, P": "■ findings",
    "one, P; six, P": "■ findings†",
}
WRONG_MARKS = {
    "one, Q": "no row 'one, Q' is registered",
    "two, P": "two, P: contradicted (hint)",
    "contradicts: one, P": "one, P: supported (finding)",
    "three, P, Q": "three, P, Q: inconclusive",
    "one, P; five, P": "five, P: supported (hint)",  # two words
}


@pytest.fixture
def six_rows(monkeypatch):
    """Let the registry have six rows, of which one was not blind."""
    known = [
        ("one", "P", "finding", "supports", True),
        ("two", "P", "hint", "contradicts", True),
        ("three", "P, Q", "inconclusive", "inconclusive", True),
        ("four", "P", "finding", "supports", True),
        ("five", "P", "hint", "supports", True),
        ("six", "P", "finding", "supports", False),
    ]
    rows = pd.DataFrame(known, columns=["id", "population", "word", "side", "blind"])
    rows = rows.set_index(["id", "population"])
    monkeypatch.setattr(registry, "known_words", lambda: rows)


@pytest.mark.parametrize("text", MARKS)
def test_a_mark_has_the_word_of_its_rows(text, six_rows):
    mark = mark_of(text)
    assert str(mark) == MARKS[text]
    assert mark.told.endswith("not blind)") == ("†" in MARKS[text])


def test_the_rows_of_each_mark_in_the_book_bear_it():
    pages = [*(ROOT / "chapters").glob("*.ipynb"), *(ROOT / "book").glob("*.md")]
    found = {one for path in pages for one in MARK.findall(path.read_text(encoding="utf-8"))}
    assert len(found) > 50 and all(mark_of(one).word for one in found)


@pytest.mark.parametrize("text", WRONG_MARKS)
def test_a_sentence_that_its_rows_do_not_bear_is_refused(text, six_rows):
    with pytest.raises(InputError) as error:
        mark_of(text)
    assert WRONG_MARKS[text] in str(error.value)
