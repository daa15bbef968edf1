"""What is recomputed from data can fail: strongly altered collections go through all claims.

``altered.csv`` says which of them turn each row; it is made by `python tests/test_altered.py`,
which takes ten minutes, and `make test-long` makes it again.  On altered data a comparison is
judged by its sign alone.
"""

import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pandas as pd
import pytest
from altered import ALTERATIONS

from lib.claims import CONSTANT, PRINT, findings
from lib.collection import load
from lib.papers import paper
from lib.published import NOT_PUBLIC, NOT_TESTABLE, NOT_YET, judge, read

FILE = Path(__file__).with_name("altered.csv")
KEY = ["place", "row", "column"]
# Papers whose ledger rows rest on the hits of a collection, which their evidence takes first.
PAPERS = ("webber2008", "webber2010")
SCORES = "of the runs of Robust 2004 scores are known, and no hits that could be altered"
HARMLESS = "at the depth of evaluation a deeper pool changes R alone, and that only where R < k"
# Rows that none of them turns, and why.
UNTURNED = {
    ("webber2008", "Section 2", "halving-topics-reliable", "claim"): (
        "rests on the topics of Robust 2004, which nothing alters here"
    ),
    ("webber2008", "Conclusion", "few-systems-inconsistent", "claim"): (
        "measures that are not the same order some few systems in conflict on any data"
    ),
    ("webber2008", "Conclusion", "p10-on-many-topics-cheaper", "claim"): (
        "does not hold on TREC-8 where few topics are 20 of 25, and so on all of them"
    ),
    ("webber2010", "Section 3.2", "t-test-like-bootstrap", "claim"): (
        "with 50 topics both tests see little but the mean difference and its error"
    ),
    ("webber2010", "Section 3.3", "trec8-groups", "value"): (
        "differs from the print, and no drawing of facts happens to meet it"
    ),
    ("webber2010", "Table 1", "AP@1000", "TREC-5 ad hoc"): (
        "differs from the print, and none of them happens to meet it"
    ),
    ("webber2010", "Table 1", "P@10", "TREC 2004 Robust"): SCORES,
    ("webber2010", "Table 1", "AP@1000", "TREC 2004 Robust"): SCORES,
    ("webber2010", "Section 3.3", "trec2004-systems", "value"): SCORES,
    ("webber2010", "Section 3.3", "trec2004-topics", "value"): SCORES,
    ("webber2010", "Section 4.2", "deeper-pool-r-exceeds-k-more-often", "claim"): (
        "a deeper pool only adds relevant documents, and does on all of them"
    ),
    ("webber2010", "Figure 3", "abbreviated-ap-deeper-pool-harmless", "claim"): HARMLESS,
    ("webber2010", "Figure 3", "abbreviated-ndcg-deeper-pool-harmless", "claim"): HARMLESS,
    ("webber2010", "Figure 4", "depth-100-against-10-exceeds-metric-spread", "claim"): (
        "does not hold, on TREC-8 or on any of them"
    ),
}
# Asks for the error over topics itself, without which altered collections go.
UNASKED = {("Section 4.2", "ndcg-20-pool-difference-not-significant")}


def verdicts(name, evidence):
    """Return the verdict of each row on some evidence, judged by signs; NaN where it has none."""
    claims = paper(name).claims
    evidence.loo_replicates = ()
    rows = {}
    for place, functions in claims.rows.items():
        for slug, function in functions.items():
            single = type(claims)(evidence=claims.evidence, rows={place: {slug: function}})
            rows |= answered(name, single, evidence)
    for place, cells in claims.cells.items():
        rows |= answered(
            name, type(claims)(evidence=claims.evidence, rows={}, cells={place: cells}), evidence
        )
    return pd.Series(rows)


def answered(name, claims, evidence):
    """Judge the rows of some claims; what altered data make of them may be no answer at all."""
    printed = read(name).set_index(KEY)["printed"]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = claims.answers(evidence)
    except Exception:
        return {}
    rows = {}
    for (place, row, *column), answer in found.items():
        # A table that is computed from another collection names its column after that.
        names = [c.replace(evidence.collection.name, "TREC-8 ad hoc") for c in column]
        for key in [(place, row, name) for name in names or ("claim", "value")]:
            if key in printed.index:
                rows[key] = judge(printed[key], answer)[2]
    return rows


def altered(name, alteration):
    """Return the verdicts of a paper's rows on an altered collection."""
    change, seed = ALTERATIONS[alteration]
    others = {"trec5": change(load("trec5"), seed)} if name == "webber2010" else {}
    return verdicts(name, paper(name).claims.evidence(change(load("trec8"), seed), **others))


def turned(name, alterations, run=map):
    """Return which alterations turn each row that is recomputed from runs: rows x alterations."""
    claims = paper(name).claims
    true = verdicts(name, claims.evidence())
    rests = [claims.rests_on(*row) for row in true.index]
    known = ~true.isin([NOT_PUBLIC, NOT_TESTABLE, NOT_YET]) & ~pd.Series(
        rests, index=true.index
    ).isin([PRINT, CONSTANT])
    others = dict(zip(alterations, run(altered, [name] * len(alterations), alterations)))
    table = pd.DataFrame(others).reindex(true.index[known])
    return table.ne(true[known], axis=0) & table.notna()


def made(names=PAPERS):
    """Make the table again."""
    tables = []
    with ProcessPoolExecutor(2) as pool:
        for name in names:
            table = turned(name, list(ALTERATIONS), pool.map)
            by = [", ".join(table.columns[row]) for row in table.to_numpy()]
            frame = table.index.to_frame(index=False).set_axis(KEY, axis=1)
            tables.append(frame.assign(paper=name, turned=table.sum(axis=1).to_numpy(), by=by))
    return pd.concat(tables, ignore_index=True)[["paper", *KEY, "turned", "by"]]


@pytest.fixture(scope="module")
def committed():
    if not FILE.is_file():
        pytest.skip("altered.csv is not made yet: python tests/test_altered.py")
    return pd.read_csv(FILE, keep_default_na=False)


def test_every_row_recomputed_from_runs_is_turned_by_some_altered_collection(committed):
    left = committed[committed["turned"] == 0]
    assert set(left[["paper", *KEY]].itertuples(index=False, name=None)) == set(UNTURNED)


@pytest.mark.parametrize("name", PAPERS)
def test_the_table_is_about_the_rows_of_today(name, committed):
    claims = paper(name).claims
    rows = {
        (place, slug)
        for place, functions in claims.rows.items()
        for slug in functions
        if claims.rests_on(place, slug) not in (PRINT, CONSTANT)
    }
    evidence = claims.evidence()
    # Which rows are closed does not hang on an error.
    evidence.loo_replicates = evidence.loo_replicates[:2]
    found = findings(name, claims, evidence)
    closed = found["verdict"].isin([NOT_PUBLIC, NOT_TESTABLE])
    rows -= set(found[closed][["place", "row"]].itertuples(index=False, name=None))
    known = committed[committed["paper"] == name]
    assert rows - UNASKED <= set(known[["place", "row"]].itertuples(index=False, name=None))


@pytest.mark.parametrize("name", PAPERS)
def test_one_altered_collection_turns_what_the_table_says(name, committed):
    alteration = "ranks shuffled, 1"
    rows = committed[committed["paper"] == name].set_index(KEY)
    expected = rows["by"].str.split(", (?=[a-z])", regex=True).map(lambda by: alteration in by)
    now = turned(name, [alteration])[alteration]
    pd.testing.assert_series_equal(now, expected, check_names=False, check_index=True)


@pytest.mark.long
def test_the_committed_table_is_the_one_made(committed):
    now = made()
    pd.testing.assert_frame_equal(now, committed, check_dtype=False)


if __name__ == "__main__":
    made().to_csv(FILE, index=False, lineterminator="\n")
